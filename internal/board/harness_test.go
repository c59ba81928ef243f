package board

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/watch"
)

// TestMain lets the test's own program be git ralph where the board runs a command in a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("GIT_RALPH_OWN_CHECKS") == "" {
		os.Exit(m.Run())
	}
	env, err := term.NewEnv("test")
	if err != nil {
		os.Exit(cli.Report(env, err))
	}
	os.Exit(cli.Main(context.Background(), os.Args, env))
}

// now is the moment of the tests.
var now = time.Date(2026, 11, 28, 9, 30, 0, 0, time.UTC)

// A version is the plan at a commit.
type version struct {
	by, message string
	ago         time.Duration
	lines       []string
}

// newRepo makes a repository whose branch has a commit for each version of the plan.
func newRepo(t testing.TB, versions ...version) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	var stream bytes.Buffer
	for i, v := range versions {
		plan := strings.Join(v.lines, "\n") + "\n"
		fmt.Fprintf(&stream, "commit refs/heads/main\nmark :%d\n", i+1)
		for _, role := range []string{"author", "committer"} {
			fmt.Fprintf(&stream, "%s %s <%s> %d +0000\n", role, v.by, v.by, now.Add(-v.ago).Unix())
		}
		fmt.Fprintf(&stream, "data %d\n%s\n", len(v.message), v.message)
		if i > 0 {
			fmt.Fprintf(&stream, "from :%d\n", i)
		}
		fmt.Fprintf(&stream, "M 100644 inline ralph/plan.jsonl\ndata %d\n%s\n", len(plan), plan)
	}
	r.GitIn(stream.String(), "fast-import", "--quiet")
	r.Git("reset", "-q", "--hard")
	return r
}

// environmentOf returns what the board finds around it in a repository.
func environmentOf(r *gittest.Repo) *term.Env {
	return &term.Env{
		Dir: r.Dir, Environ: r.Env, In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Width: 80, LongLived: true, Version: "test",
		Now: func() time.Time { return now }, Random: rand.New(rand.NewPCG(1, 2)).IntN,
	}
}

// A user works with a board that has no terminal.
type user struct {
	t testing.TB
	r *gittest.Repo
	m *model
}

// open opens the board of a repository, in a window of a size.
func open(t testing.TB, r *gittest.Repo, width, height int) *user {
	t.Helper()
	env := environmentOf(r)
	worktree := viewio.In(env, "")
	data, err := worktree.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t.Context(), worktree, inprocess.New(t.Context(), env), data)
	m.method = ansi.GraphemeWidth
	closed := make(chan watch.Change)
	close(closed)
	m.changes = closed
	u := &user{t, r, m}
	u.send(tea.WindowSizeMsg{Width: width, Height: height})
	u.run(m.reload())
	u.run(m.readTask())
	return u
}

// send sends a message, and does all that follows from it.
func (u *user) send(msg tea.Msg) {
	u.t.Helper()
	_, cmd := u.m.Update(msg)
	u.run(cmd)
}

func (u *user) run(cmd tea.Cmd) {
	u.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tea.QuitMsg:
	case tea.BatchMsg:
		for _, one := range msg {
			u.run(one)
		}
	default:
		u.send(msg)
	}
}

// press presses keys, which are named as bubbletea names them.
func (u *user) press(keys ...string) {
	u.t.Helper()
	for _, key := range keys {
		u.send(keyNamed(key))
	}
}

// enter types a text.
func (u *user) enter(text string) {
	u.t.Helper()
	for _, r := range text {
		u.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func keyNamed(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	}
	k := tea.KeyPressMsg{}
	rest := name
	for rest != "" {
		before, after, found := strings.Cut(rest, "+")
		if !found || before == "" {
			break
		}
		k.Mod |= map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[before]
		rest = after
	}
	if code, special := codes[rest]; special {
		k.Code = code
	} else {
		k.Code = []rune(rest)[0]
		if k.Mod == 0 {
			k.Text = rest
		}
	}
	return k
}

// screen returns the text of the frame.
func (u *user) screen() string {
	u.t.Helper()
	lines, _ := u.m.frame()
	if len(lines) != u.m.height {
		u.t.Fatalf("the frame has %d lines, the window %d", len(lines), u.m.height)
	}
	for i, line := range lines {
		if n := u.m.method.StringWidth(line); n != u.m.width {
			u.t.Fatalf("line %d is %d columns wide, the window %d: %q", i, n, u.m.width, line)
		}
		lines[i] = ansi.Strip(line)
	}
	return strings.Join(lines, "\n")
}

// shows fails unless the screen shows all of the texts.
func (u *user) shows(texts ...string) {
	u.t.Helper()
	screen := u.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			u.t.Errorf("the screen does not show %q:\n%s", text, screen)
		}
	}
}

// hides fails if the screen shows one of the texts.
func (u *user) hides(texts ...string) {
	u.t.Helper()
	screen := u.screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			u.t.Errorf("the screen shows %q:\n%s", text, screen)
		}
	}
}
