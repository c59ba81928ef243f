package cardaction

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Values are what an action is done with.
type Values struct {
	ID      string         // of the record
	Text    string         // of AskText, AskParts, AskReplacement; of AskConflict another value
	Choice  string         // of AskChoice
	Fields  []jsonl.Member // of AskFields; null clears a field
	Settle  Settling       // of AskConflict
	Commit  string         // of Undo: the commit to take back; "" for the last change
	Allowed []string       // of Flags
}

// A Settling is what is to be of a conflict.
type Settling struct {
	Field string // which one
	Take  int    // the candidate, from 1; 0: the text of the Values
	Keep  bool   // of a record that one side removed: it stays; otherwise it goes
}

// Flags are what a command that refuses may name, and the user allow.
func Flags() []string { return []string{"--force", "--cascade", "--detach"} }

// FlagsIn returns the flags that the messages of a refused command offer for the action, without those that were allowed already. A flag in the hint
// of another command, such as `git ralph claim steal --force`, is not offered.
func (a Action) FlagsIn(o inprocess.Outcome, allowed []string) (flags []string) {
	said := regexp.MustCompile("`git ralph [^`]+`").ReplaceAllStringFunc(strings.Join(slices.Concat(o.Messages["error"], o.Messages["hint"]), " "), func(command string) string {
		if slices.Equal(commandWords(strings.Fields(strings.Trim(command, "`"))[2:]), commandWords(a.words)) {
			return command
		}
		return ""
	})
	for _, flag := range Flags() {
		if strings.Contains(said, flag) && !slices.Contains(allowed, flag) {
			flags = append(flags, flag)
		}
	}
	return flags
}

// Errors returns why a command failed, in one text or more: its errors; where it has none, its checks that did not pass, and its warnings.
func Errors(o inprocess.Outcome) (texts []string) {
	if texts = o.Messages["error"]; len(texts) > 0 {
		return texts
	}
	results, _ := replyOf(o).Get("results")
	for one := range results.All() {
		check := one.Object()
		if state := textOf(check, "state"); state != "" && state != "passed" {
			texts = append(texts, strings.TrimSuffix(textOf(check, "check")+": "+state+": "+textOf(check, "why"), ": "))
		}
	}
	if texts = append(texts, o.Messages["warning"]...); texts == nil {
		texts = []string{"it failed"}
	}
	return texts
}

// commandWords returns the words of a command line that name the command: those before ids, values and flags.
func commandWords(line []string) []string {
	i := slices.IndexFunc(line, func(word string) bool { return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" })
	if i < 0 {
		return line
	}
	return line[:i]
}

// Line returns the command line. Values come after "--", on standard input, or behind "=": none of them can be a flag.
func (a Action) Line(v Values) (inprocess.Line, error) {
	line := inprocess.Line{Words: slices.Clone(a.words), Kind: max(a.kind, inprocess.Change)}
	for _, flag := range v.Allowed {
		if !slices.Contains(Flags(), flag) {
			return line, fmt.Errorf("there is no flag %q to allow", flag)
		}
		line.Words = append(line.Words, flag)
	}
	var args []string
	switch {
	case a.Record != "" && strings.TrimSpace(v.ID) == "":
		return line, errors.New("missing id")
	case v.Commit != "" && a.Name != Undo:
		return line, fmt.Errorf("%s takes no commit", a.Name)
	case a.Record == "" && v.ID != "":
		return line, fmt.Errorf("%s takes no id", a.Name)
	case a.Record != "":
		args = append(args, v.ID)
	}
	if v.Commit != "" {
		args = append(args, v.Commit)
	}
	more, err := a.add(&line, v)
	if args = append(args, more...); len(args) > 0 {
		line.Words = append(append(line.Words, "--"), args...)
	}
	return line, err
}

// add adds what the user said: flags and input to the line, and further arguments.
func (a Action) add(line *inprocess.Line, v Values) (args []string, err error) {
	takesText := a.Asks == AskText || a.Asks == AskParts || a.Asks == AskReplacement
	switch {
	case takesText && strings.TrimSpace(v.Text) == "":
		return nil, errors.New("missing text")
	case v.Text != "" && !takesText && a.Asks != AskConflict:
		return nil, fmt.Errorf("%s takes no text", a.Name)
	case (a.Asks == AskFields) != (len(v.Fields) > 0):
		return nil, fmt.Errorf("%s: missing fields, or fields that it does not take", a.Name)
	}
	switch a.Asks {
	case AskText:
		return []string{v.Text}, nil
	case AskFields:
		line.Input = jsonl.Build(v.Fields).Text()
		return []string{"-"}, nil
	case AskChoice:
		return a.choose(line, v.Choice)
	case AskParts:
		for part := range strings.SplitSeq(v.Text, "\n") {
			if part = strings.TrimSpace(part); part != "" {
				line.Input += named(part) + "\n"
			}
		}
		return []string{"-"}, nil
	case AskReplacement:
		name, why, _ := strings.Cut(strings.TrimSpace(v.Text), "\n")
		if why = strings.TrimSpace(why); why == "" {
			why = "replaced: " + name
		}
		line.Words = append(line.Words, "--supersede="+named(name))
		return []string{why}, nil
	case AskConflict:
		return nil, v.settle(line)
	}
	return nil, nil
}

// named returns a task of a name, as JSON: the name is never read as anything else.
func named(name string) string {
	return jsonl.Build([]jsonl.Member{{Name: "name", Value: jsonl.Quote(name)}}).Text()
}

func (a Action) choose(line *inprocess.Line, choice string) ([]string, error) {
	if !slices.ContainsFunc(a.Choices, func(c Choice) bool { return c.Value == choice }) {
		return nil, fmt.Errorf("%s: there is no choice %q", a.Name, choice)
	}
	if !strings.HasSuffix(a.Name, "-priority") {
		return []string{choice}, nil
	}
	value := jsonl.Value("null")
	if choice != "" {
		value = jsonl.Quote(choice)
	}
	line.Input = jsonl.Build([]jsonl.Member{{Name: "priority", Value: value}}).Text()
	return []string{"-"}, nil
}

func (v Values) settle(line *inprocess.Line) error {
	s := v.Settle
	switch {
	case s.Field == "":
		return errors.New("missing field")
	case s.Field == plan.Removed && s.Keep:
		line.Words = append(line.Words, "--keep")
	case s.Field == plan.Removed:
		line.Words = append(line.Words, "--remove")
	case s.Take > 0:
		line.Words = append(line.Words, "--field="+s.Field, fmt.Sprintf("--take=%d", s.Take))
	default:
		line.Words = append(line.Words, "--field="+s.Field, "--value="+v.Text)
	}
	return nil
}
