package board

import (
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/test/gittest"
)

// head returns the subject of the newest commit.
func (u *user) head() string { return strings.TrimSpace(u.r.Git("log", "-1", "--format=%s")) }

// TestBoard: columns by status, the task that is selected beside them with its history and its links.
func TestBoard(t *testing.T) {
	u := open(t, smallRepo(t), 160, 50)
	u.shows("○ Ready 7", "‖ Blocked 3", "▷ Claimed 0", "✓ Done 1", "⇊ Landed 0", "● Accepted 0",
		"▲ high", "rejected  bob on main", "It does not read profiles", "number of statements", "Needed by", "t-2c3d  Sum the counts")
	u.press("right", "down")
	u.shows("‖ blocked · t-3e4f", "Waits for", "t-4g5h  Colour by threshold")
	u.hides("rejected  bob on main")
	u.press("tab", "tab", "enter") // to the first link
	u.shows("‖ blocked · t-2c3d")
	u.press("enter")
	u.hides("Ready 7")
	u.shows("Sum the counts of a package")
	u.press("esc")
	u.shows("Ready 7")
}

// TestChanges: each key does what the command of its name does, in a commit of its own.
func TestChanges(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	u.r.Git("config", "ralph.warnInstall", "false")
	steps := []struct {
		keys    []string
		text    string // typed after the keys, with enter
		subject string // of the commit; "" for none
		shows   string
	}{
		{[]string{"p", "l"}, "", "ralph: edit t-1a2b Read the coverage profile", "▼ low"},
		{[]string{"+"}, "", "ralph: edit t-1a2b Read the coverage profile", "■ medium"},
		{[]string{"d"}, "", "ralph: done t-1a2b Read the coverage profile", "✓ Done 2"},
		{[]string{"a"}, `"-x" {{日本}}`, "ralph: add", `"-x" {{日本}}`},
		{[]string{"f", "n"}, " more", "ralph: edit", `{{日本}} more`},
		{[]string{"f", "l"}, "one, two words", "ralph: edit", "one, two words"},
		{[]string{"f", "k"}, "go test ./...", "ralph: edit", "check  go test ./..."},
		{[]string{"D"}, "one half", "ralph: decompose", "one half"},
		{[]string{"g", "X", "d"}, "", "ralph: cancel", "Ready"},
	}
	for _, s := range steps {
		u.press(s.keys...)
		if s.text != "" {
			u.enter(s.text)
			u.press("enter")
		}
		if u.m.over != nil {
			t.Fatalf("%q: the board does not close its prompt:\n%s", s.keys, u.screen())
		}
		if got := u.head(); !strings.HasPrefix(got, s.subject) {
			t.Errorf("%q: the commit is %q, want %q", s.keys, got, s.subject)
		}
		u.shows(s.shows)
	}
	u.run(u.m.jump("t-0s1t"))
	u.press("x")
	u.enter("-- too short")
	u.press("enter")
	if got := u.r.Git("log", "-1", "--format=%b"); !strings.Contains(got, `"reason": "-- too short"`) {
		t.Errorf("the reason is not what was typed: %s", got)
	}
	u.run(u.m.jump("t-1a2b"))
	u.press("y")
	u.hides("t-1a2b  ")
	u.press("c")
	u.shows("@you", "▷ Claimed 1")
	u.run(u.m.jump("i-9o0p"))
	u.press("d")
	if got := u.head(); got != "ralph: close i-9o0p The test of the parser fails on Windows" && !strings.Contains(got, "i-9o0p") {
		t.Errorf("the commit is %q", got)
	}
	u.run(u.m.jump("w-3g4h"))
	u.press("d", "b")
	u.shows("Research Needed")
}

// TestUndo takes back a change, and makes it again.
func TestUndo(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	u.press("d")
	u.shows("✓ Done 2")
	u.press("u")
	u.shows("✓ Done 1", "undone")
	u.press("U")
	u.shows("✓ Done 2", "redone")
}

// TestRefused: where a command refuses, its message is shown with what can be done, and nothing that was typed is lost.
func TestRefused(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	before := u.head()
	u.press("x")
	u.enter("much too slow")
	u.press("enter")
	u.shows("much too slow", "t-1a2b is pending, not done")
	u.press("esc", "right", "d")
	u.shows("t-2c3d waits for t-1a2b", "with --force")
	if got := u.head(); got != before {
		t.Errorf("something was committed: %s", got)
	}
	u.press("f")
	if got := u.head(); got != "ralph: done t-2c3d Sum the counts of a package" {
		t.Errorf("with --force the commit is %q", got)
	}
}

// TestLocked: while another process changes the plan, the board says so, and does it again on enter.
func TestLocked(t *testing.T) {
	r := smallRepo(t)
	r.Git("config", "ralph.lockTimeout", "0.05")
	u := open(t, r, 120, 40)
	lock := r.Path(".git/index.lock")
	if err := os.WriteFile(lock, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	u.press("a")
	u.enter("kept")
	u.press("enter")
	u.shows("kept", "the index is locked by another git process") // its path may be wrapped anywhere
	os.Remove(lock)
	u.press("enter")
	if got := u.head(); !strings.HasSuffix(got, " kept") {
		t.Errorf("the commit is %q", got)
	}
}

// TestQueue: an action that is started during another one is done after it, once, and the prompt stays until then.
func TestQueue(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	_, done := u.m.Update(keyNamed("d"))
	u.press("a")
	u.enter("Queued")
	u.press("enter", "enter")
	u.shows("New task", "Queued", "…")
	u.run(done)
	u.hides("New task")
	if got := u.r.Git("log", "-2", "--format=%s"); !strings.Contains(got, "Queued\nralph: done t-1a2b") {
		t.Errorf("the commits are %q", got)
	}
}

// TestPast: the plan as it was, in which nothing can be changed.
func TestPast(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	before := u.head()
	u.press("[")
	u.shows("5 of 6") // the newest commit has the present plan
	u.press("]")
	u.hides("of 6")
	u.press("[", "[", "[")
	u.shows("3 of 6", "done t-1a2b", "✓ Done 1", "○ Ready 8")
	u.press("{", "{", "{", "{")
	u.shows("1 of 6", "○ Ready 6", "‖ Blocked 3")
	u.hides("issue")
	for _, keys := range [][]string{{"d"}, {"a"}, {"x"}, {"p"}, {"f"}, {"e"}, {"U"}, {"X"}, {"r"}, {"s"}, {"v"}, {"R"}, {"D"}, {"K"}, {"+"}, {"c"}, {"S"}, {"A"}} {
		u.press(keys...)
		if u.m.over != nil || u.m.busy != "" {
			t.Fatalf("%q opens something in the past", keys)
		}
	}
	u.shows("esc goes back to now")
	u.press("esc")
	u.shows("✓ Done 1", "i-9o0p")
	u.hides("of 6")
	if got := u.head(); got != before {
		t.Errorf("something was committed: %s", got)
	}
	u.press("[")
	u.send(tea.MouseClickMsg{X: 2, Y: 37, Button: tea.MouseLeft})
	u.shows("1 of 6")
	u.press("esc")
	u.r.WriteFile("ralph/plan.jsonl", strings.Replace(u.r.ReadFile("ralph/plan.jsonl"), "\n", "\n"+task("t-new", "Not committed", "")+"\n", 1))
	u.run(u.m.reload())
	u.shows("Not committed")
	u.press("[") // the newest commit is not the present plan
	u.shows("6 of 6")
	u.hides("Not committed")
	u.press("]")
	u.shows("Not committed")
}

// TestSame: to choose what is so already changes nothing, and says so.
func TestSame(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	u.run(u.m.jump("t-2c3d"))
	before := u.head()
	u.press("p", "h")
	u.shows("priority of t-2c3d: high, as it was")
	if got := u.head(); got != before {
		t.Errorf("something was committed: %s", got)
	}
	u.press("p", "l")
	u.shows("priority of t-2c3d: low · ")
}

// TestFilter: the board shows what matches while it is typed; esc takes it back.
func TestFilter(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	u.press("/")
	u.enter("TABLE")
	u.shows("1 of 11", "Print a table")
	u.hides("▼ Colour by")
	u.press("esc")
	u.shows("▼ Colour by")
	u.press("/")
	u.enter("priority:high status:blocked")
	u.press("enter")
	u.shows("1 of 11", "t-2c3d")
	u.press("/", "esc", "/")
	u.hides("want ready")
	u.enter(" status:bogus")
	u.shows("want ready, blocked, claimed")
	u.press("esc")
	u.shows("1 of 11")
	u.press("+", "d", "f") // an action on what is shown
	u.press("esc")
	u.shows("Colour by threshold")
}

// TestOthers: what others do is shown, and the user stays where they are.
func TestOthers(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	u.press("down", "down")
	u.shows("t-6k7l")
	other := open(t, u.r, 80, 24)
	other.press("d")
	u.send(changedMsg{Plan: true, References: true})
	u.shows("✓ Done 2", "○ ready · t-6k7l")
}

// TestMouse: a click selects, a second one opens, the wheel moves what is under it.
func TestMouse(t *testing.T) {
	u := open(t, smallRepo(t), 120, 40)
	click := func(x, y int) { u.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
	click(3, 5)
	u.shows("○ ready · t-5i6j")
	click(3, 7)
	u.hides("Blocked 3")
	u.press("esc")
	u.send(tea.MouseWheelMsg{X: 3, Y: 20, Button: tea.MouseWheelDown})
	u.shows("○ ready · t-6k7l")
	click(35, 2)
	u.shows("‖ blocked · t-2c3d")
}

// TestKeys: no key has two meanings, and the help lists each.
func TestKeys(t *testing.T) {
	u := open(t, smallRepo(t), 160, 60)
	u.press("?")
	help := u.screen()
	seen := map[string]bool{}
	for _, s := range bindings() {
		for _, b := range s.bindings {
			for _, k := range b.keys {
				if seen[k] {
					t.Errorf("%s has two meanings", k)
				}
				seen[k] = true
			}
			if !strings.Contains(help, strings.Join(b.keys, " ")) {
				t.Errorf("the help does not list %v:\n%s", b.keys, help)
			}
		}
	}
}

// TestInvalid: a plan that holds an id twice is shown, now and at its commit, and the board says what is wrong.
func TestInvalid(t *testing.T) {
	task := `{"t": "task", "id": "t-one1", "spec": "a.md", "name": "One", "s": "p"}`
	u := open(t, newRepo(t, version{"ann@example.com", "plan", time.Hour, []string{`{"t": "spec", "spec": "a.md"}`, task, task}}), 120, 40)
	u.shows("t-one1", "! 1 warning")
	u.press("w")
	u.shows("also on line 2")
	u.press("esc", "[", "w")
	u.shows("also on line 2")
}

// TestWorktreeOfPlan: a plan without a spec, and none at all, are shown.
func TestNothingPlanned(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("begin", map[string]string{"a": "a"})
	u := open(t, r, 80, 24)
	u.shows("Nothing is planned here", "sets the spec")
	u.press("a")
	u.enter("Parse")
	u.press("enter")
	u.shows("Parse", "set-spec") // the hint
	u.press("esc", "S")
	u.enter("coverage.md")
	u.press("enter", "a")
	u.enter("Parse")
	u.press("enter")
	u.shows("Parse", "○ Ready 1")
}

// TestSmallest: in the smallest window what is typed is seen, and how much more there is of a task.
func TestSmallest(t *testing.T) {
	u := open(t, smallRepo(t), smallestWidth, smallestLines)
	u.press("x")
	u.enter("too slow")
	u.shows("too slow")
	u.press("esc", "enter")
	u.shows("↓ 43 more ")
	u.send(tea.WindowSizeMsg{Width: smallestWidth - 1, Height: smallestLines})
	lines, _ := u.m.frame()
	if got := strings.Join(lines, "\n"); got != "the window is too small\n(24×6 is needed)" {
		t.Errorf("a window that is too small has %q", got)
	}
}

// TestLongWord: a name of one word that is longer than its column is broken where its line ends, and its sign is there once.
func TestLongWord(t *testing.T) {
	r := newRepo(t, version{"ann@example.com", "ralph: plan", 0, []string{spec, task("t-1a2b", strings.Repeat("Donaudampfschiff", 9), `"priority": "high"`)}})
	u := open(t, r, 120, 40)
	u.shows("▌▲ Donaudampfschiff", "▌  ")
	u.hides("▲ ▲")
	u.press("p")
	u.shows("▌ h  high")
}
