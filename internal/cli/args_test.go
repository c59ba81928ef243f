package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

type cliCommand = cli.Command

// TestParseLine guards: flags may stand before or after arguments, and what only
// looks like a flag is an argument.
func TestParseLine(t *testing.T) {
	for _, it := range []struct{ line, want string }{
		{"", "git-ralph"},
		{"query stage", "git-ralph|query|stage"},
		{"task add a b", "git-ralph|task|add|--|a|b"},
		{"task add a --json b", "git-ralph|task|add|--json|--|a|b"},
		{"task add --name=x", "git-ralph|task|add|--name=x"},
		{"task add --name x --dep y --dep=z", "git-ralph|task|add|--name=x|--dep=y|--dep=z"},
		{"task add --notes -x", "git-ralph|task|add|--notes=-x"},
		{"task add --notes --json=", "!flag --notes needs a value"},
		{"task add --notes= a", "git-ralph|task|add|--notes=|--|a"},
		{"task add -_buy_milk", "git-ralph|task|add|--|- buy milk"},
		{"task add - -", "git-ralph|task|add|--|-|-"},
		{"task add -5 --5 -é", "git-ralph|task|add|--|-5|--5|-é"},
		{"task add --two_words", "git-ralph|task|add|--|--two words"},
		{"task add a -- --json -- b", "git-ralph|task|add|--|a|--json|--|b"},
		{"task add --json --", "git-ralph|task|add|--json"},
		{"task done -m x", "git-ralph|task|done|-m=x"},
		{"task done -m=x", "git-ralph|task|done|-m=x"},
		{"task done -mx_y", "git-ralph|task|done|-m=x y"},
		{"task done -m -x", "git-ralph|task|done|-m=-x"},
		{"task done --message --force", "!flag --message needs a value"},
		{"task done -m", "!flag -m needs a value"},
		{"task done -m --", "!flag -m needs a value"},
		{"-C d task list", "git-ralph|-C=d|task|list"},
		{"task -C d list --no-color", "git-ralph|-C=d|--no-color|task|list"},
		{"task list -C d -C e", "git-ralph|-C=d|-C=e|task|list"},
		{"--json task list", "git-ralph|task|list|--json"},
		{"task --status done list", "git-ralph|task|list|--status=done"},
		{"query --rev x next", "git-ralph|query|next|--rev=x"},
		{"--version", "git-ralph|--version"},
		{"__complete task --json -- a", "git-ralph|__complete|task|--json|--|a"},
		{"task", "!task needs one of: add,"},
		{"claim -- t-1 --json", "git-ralph|claim|--|t-1|--json"},
		{"task -- add", "!unknown command \"add\" of git ralph task"},
		{"tsk", "!unknown command \"tsk\""},
		{"--status done issue list", "!unknown flag --status of git ralph issue list"},
		{"query --nonsense", "!unknown flag --nonsense of git ralph query"},
		{"task add \xff", "!argument \"\\xff\" is not UTF-8"},
		{"task add --name \xff", "!the value of --name is not UTF-8"},
	} {
		args := strings.Fields(it.line)
		for i := range args {
			if args[i] != "__complete" {
				args[i] = strings.ReplaceAll(args[i], "_", " ")
			}
		}
		l, err := cmdline.ParseLine(NewApp(&term.Env{}), args)
		if want, wrong := strings.CutPrefix(it.want, "!"); wrong {
			var usage *cmdline.UsageError
			if !errors.As(err, &usage) || !strings.HasPrefix(usage.Text, want) {
				t.Errorf("%s: error %v, want %s", it.line, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", it.line, err)
			continue
		}
		if diff := cmp.Diff(it.want, strings.Join(l.Arguments(), "|")); diff != "" {
			t.Errorf("%s: %s", it.line, diff)
		}
	}
}
