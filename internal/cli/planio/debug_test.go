package planio

import (
	"errors"
	"os"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

func opened(t testing.TB, variable string) (*term.Env, *store.Store) {
	t.Helper()
	r := gittest.NewRepo(t)
	e := &term.Env{Dir: r.Dir, Environ: append(r.Env, variable), Now: time.Now, Line: []string{"query", "next"}}
	st, err := Open(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return e, st
}

// TestDebugCostsNothingUnset guards: where nobody has asked for the debug log, no event takes memory, and nothing is written: neither
// when the plan is opened, nor when git is run, nor when the command ends.
func TestDebugCostsNothingUnset(t *testing.T) {
	e, st := opened(t, "RALPH_DEBUG=")
	command := st.Repo().Git().Cmd("version")
	failed := errors.New("failed")
	if n := testing.AllocsPerRun(100, func() {
		if recording(e, st) != st {
			t.Fatal("it records")
		}
		st.Repo().Git().Record(&command)
		RecordEnd(e, failed, 1, false)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if e.Debug != nil || command.Ended != nil {
		t.Error("it is recorded")
	}
	if _, err := os.Stat(st.Repo().CommonDir() + "/ralph/debug"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// BenchmarkDebug measures what a command pays for the debug log: nothing where it is unset.
func BenchmarkDebug(b *testing.B) {
	for _, variable := range []string{"RALPH_DEBUG=", "RALPH_DEBUG=true"} {
		b.Run(variable, func(b *testing.B) {
			e, st := opened(b, variable)
			b.ReportAllocs()
			for b.Loop() {
				var command proc.Cmd
				recording(e, st).Repo().Git().Record(&command)
				if command.Ended != nil {
					command.Ended(nil)
				}
				RecordEnd(e, nil, 0, false)
			}
		})
	}
}

// TestDebugIsASetting guards: the variable goes before the setting, and both have git's truth values.
func TestDebugIsASetting(t *testing.T) {
	for _, c := range []struct {
		variable, setting string
		want              bool
	}{
		{"RALPH_DEBUG=true", "", true},
		{"RALPH_DEBUG=1", "", true},
		{"RALPH_DEBUG=", "", false},
		{"RALPH_DEBUG=0", "true", false},
		{"RALPH_DEBUG=", "true", true},
		{"RALPH_DEBUG=", "on", true},
		{"RALPH_DEBUG=", "no", false},
		{"RALPH_DEBUG=", "nonsense", false},
	} {
		r := gittest.NewRepo(t)
		if c.setting != "" {
			r.Git("config", "ralph.debug", c.setting)
		}
		e := &term.Env{Dir: r.Dir, Environ: append(r.Env, c.variable), Now: time.Now}
		if _, err := Open(t.Context(), e); err != nil || (e.Debug != nil) != c.want {
			t.Errorf("%+v: %v, %v", c, e.Debug != nil, err)
		}
	}
}
