package term

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Ask prints a question, of one line or more, and returns the answer, a line without white space around it. The end of
// input is an error.
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
		return "", io.EOF
	}
	return strings.TrimSpace(line), nil
}

// Confirm asks a question whose answer is yes or no. No answer is a no.
func (e *Env) Confirm(question string) bool {
	answer, err := e.Ask(question + " [y/N] ")
	return err == nil && answer != "" && SaysYes(answer)
}

// ErrAborted ends a command after the user said no. Nothing was changed.
var ErrAborted = fmt.Errorf("aborted; nothing was changed")

func SaysYes(answer string) bool {
	switch strings.ToLower(answer) {
	case "", "y", "yes":
		return true
	}
	return false
}
