package term

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Ask prints a question, of one line or more, and returns the answer, a line without white space around it. The end of
// input is io.EOF.
func (e *Env) Ask(question string) (string, error) {
	onErr := e.OnErr()
	lines := strings.Split(question, "\n")
	for _, line := range lines[:len(lines)-1] {
		onErr.Print(line)
	}
	io.WriteString(e.Err, onErr.Fit(Cell{Text: lines[len(lines)-1]}))
	if e.answers == nil {
		e.answers = bufio.NewReader(e.In)
	}
	line, err := e.answers.ReadString('\n')
	if err != nil && line == "" {
		fmt.Fprintln(e.Err)
		if !errors.Is(err, io.EOF) {
			err = fmt.Errorf("cannot read %s: %w", StdinName, err)
		}
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// Confirm asks a question whose answer is yes or no. No answer is a no.
func (e *Env) Confirm(question string) bool {
	answer, err := e.Ask(question + " [y/N] ")
	return err == nil && answer != "" && IsYes(answer)
}

// ErrAborted ends a command after the user said no. Nothing was changed.
var ErrAborted = fmt.Errorf("aborted; nothing was changed")

// IsYes reports whether an answer means yes to a question whose default is yes.
func IsYes(answer string) bool {
	switch strings.ToLower(answer) {
	case "", "y", "yes":
		return true
	}
	return false
}
