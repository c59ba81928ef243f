package cli

import (
	"reflect"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
)

// A command that is made without the others has the name that it is found by, and reads a line as in the whole tree.
func TestAppOfOne(t *testing.T) {
	env := &term.Env{}
	whole := NewApp(env)
	all := commands(uicmd.Interfaces{})
	for i, c := range all {
		if made := c.make(env); made.Name != c.name || whole.Commands[i].Name != c.name {
			t.Errorf("command %q is found by the name %q", made.Name, c.name)
		}
		app := appOfOne(env, all, []string{c.name, "x"})
		if (app == nil) != c.readsTree || app != nil && len(app.Commands) != 1 {
			t.Errorf("%s: made alone: %t", c.name, app != nil)
		}
	}
	for _, args := range [][]string{nil, {""}, {"--json"}, {"-C", "x", "query"}, {"list"}, {"nothing"}} {
		if appOfOne(env, all, args) != nil {
			t.Errorf("%q: a command is made without the others", args)
		}
	}
	args := []string{"task", "add", "--no-color", "Write", "it", "--priority=high"}
	alone, _ := cmdline.ParseLine(appOfOne(env, all, args), args)
	among, err := cmdline.ParseLine(whole, args)
	if err != nil || !reflect.DeepEqual(alone.Arguments(), among.Arguments()) {
		t.Errorf("%q, and among all %q, %v", alone.Arguments(), among.Arguments(), err)
	}
}
