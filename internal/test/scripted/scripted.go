// Package scripted is a coding agent that does what a scenario says, for tests and for the demonstration. It is a real
// program with real processes, and behaves well or badly, as the scenario says.
//
// A scenario is a text. A line that begins with a stage, as in "BUILD t-one", begins a block; the indented lines below it
// are its steps. Each start of the agent plays the first block that fits its stage and task and was not played before; one
// that begins with "always" is played again and again. {id} stands for the task's id. "VERIFY t-one" is played where t-one is done.
//
//	BUILD t-one
//	  write one.txt some text
//	  report {"verdict": "done", "files": ["one.txt"]}
//	always VERIFY
//	  pass
//
// The steps:
//
//	say TEXT        print a line            err TEXT      print a line on standard error
//	write FILE TEXT write a file            run COMMAND   run a shell command
//	report JSON     end with a block        pass [ID WHY] accept all done tasks, but reject ID
//	sleep TIME      wait                    stubborn      ignore TERM from now on
//	daemon FILE     leave a process in a session of its own behind, with its number in FILE
//	flood MIB       print that much         exit CODE     end
//	echo            print the prompt        die           be killed
//	cat FILE        print a file
package scripted

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"git-ralph/internal/proc"
)

// errScenario says that a scenario cannot be played.
var errScenario = errors.New("bad scenario")

// Main plays the scenario in the file args[1]. It returns the exit code.
func Main(args []string) int {
	if len(args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: scripted-agent SCENARIO")
		return 2
	}
	a := actor{stage: os.Getenv("GIT_RALPH_STAGE"), task: os.Getenv("GIT_RALPH_TASK"), out: os.Stdout}
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	a.prompt = string(prompt)
	steps, err := a.pick(args[1])
	if err == nil {
		err = a.play(steps)
	}
	if code, ok := errors.AsType[exitCode](err); ok {
		return int(code)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripted-agent:", err)
		return 1
	}
	return 0
}

// exitCode ends the agent.
type exitCode int

func (c exitCode) Error() string { return "exit " + strconv.Itoa(int(c)) }

// An actor is one start of the agent.
type actor struct {
	stage, task string
	prompt      string
	out         io.Writer
}

// pick finds the steps to play, and notes that they were. Several agents may play one scenario at once.
func (a actor) pick(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	used := file + ".used"
	if err := os.MkdirAll(used, 0o777); err != nil {
		return nil, err
	}
	for i, b := range blocks(string(data)) {
		fits, err := a.fits(b)
		if err != nil {
			return nil, err
		}
		if fits && (b.always || os.Mkdir(filepath.Join(used, strconv.Itoa(i)), 0o777) == nil) {
			return b.steps, nil
		}
	}
	return nil, fmt.Errorf("%w: no block for %s %s", errScenario, a.stage, a.task)
}

// A block is what the agent does at one start.
type block struct {
	always      bool
	stage, task string
	steps       []string
}

// fits reports whether a block is for this start.
func (a actor) fits(b block) (bool, error) {
	if b.stage != a.stage || b.task == "" || b.task == a.task {
		return b.stage == a.stage, nil
	}
	if a.stage != "VERIFY" {
		return false, nil
	}
	done, err := doneTasks()
	return slices.Contains(done, b.task), err
}

func blocks(text string) []block {
	var list []block
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if len(list) > 0 {
				list[len(list)-1].steps = append(list[len(list)-1].steps, strings.TrimSpace(line))
			}
		default:
			b := block{always: words[0] == "always"}
			if b.always {
				words = words[1:]
			}
			words = append(words, "", "")
			b.stage, b.task = words[0], words[1]
			list = append(list, b)
		}
	}
	return list
}

func (a actor) play(steps []string) error {
	for _, step := range steps {
		verb, rest, _ := strings.Cut(strings.ReplaceAll(step, "{id}", a.task), " ")
		if err := a.do(verb, rest); err != nil {
			return err
		}
	}
	return nil
}

func (a actor) do(verb, rest string) error {
	switch verb {
	case "say":
		fmt.Fprintln(a.out, rest)
	case "err":
		fmt.Fprintln(os.Stderr, rest)
	case "cat":
		data, err := os.ReadFile(rest)
		a.out.Write(data) //nolint:errcheck // as for every step that prints
		return err
	case "echo":
		fmt.Fprintln(a.out, a.prompt)
	case "write":
		name, text, _ := strings.Cut(rest, " ")
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text+"\n"), 0o666)
	case "run":
		_, err := proc.Run(context.Background(), proc.Cmd{Name: "sh", Args: []string{"-c", rest}, Stdout: os.Stderr, Stderr: os.Stderr})
		return err
	case "report":
		fmt.Fprintf(a.out, "[RALPH_OUTPUT]\n%s\n[/RALPH_OUTPUT]\n", rest)
	case "pass":
		return a.pass(rest)
	case "exit":
		code, err := strconv.Atoi(rest)
		return errors.Join(err, exitCode(code))
	default:
		return a.misbehave(verb, rest)
	}
	return nil
}

// misbehave does what no agent should.
func (a actor) misbehave(verb, rest string) error {
	switch verb {
	case "sleep":
		wait, err := time.ParseDuration(rest)
		time.Sleep(wait)
		return err
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "flood":
		return a.flood(rest)
	case "die":
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		time.Sleep(time.Hour)
		return err
	case "daemon":
		script := `trap "" TERM HUP; echo $$ >"` + rest + `.new"; mv "` + rest + `.new" "` + rest + `"; exec sleep 1000`
		return a.do("run", `(setsid env -i PATH="$PATH" sh -c '`+script+`' >/dev/null 2>&1 &); while [ ! -e "`+rest+`" ]; do sleep 0.01; done`)
	default:
		return fmt.Errorf("%w: %q is no step", errScenario, verb)
	}
	return nil
}

// flood prints some mebibytes, in lines.
func (a actor) flood(size string) error {
	n, err := strconv.Atoi(size)
	if err != nil {
		return err
	}
	lines := []byte(strings.Repeat(strings.Repeat("x", 127)+"\n", 1<<10))
	for range n * 8 {
		if _, err := a.out.Write(lines); err != nil {
			return err
		}
	}
	return nil
}
