package board

import (
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"git-ralph/internal/test/gittest"
	"git-ralph/internal/view"
)

// of returns a repository that several pictures are of: none of them changes it.
func of(r *gittest.Repo) func() *gittest.Repo { return func() *gittest.Repo { return r } }

// keys presses keys.
func keys(keys ...string) func(*user) { return func(u *user) { u.press(keys...) } }

// typed types a text after a key, and presses further keys.
func typed(key, text string, after ...string) func(*user) {
	return func(u *user) { u.press(key); u.enter(text); u.press(after...) }
}

// at presses keys where a card is selected.
func at(id string, keys ...string) func(*user) {
	return func(u *user) { u.run(u.m.jump(id)); u.press(keys...) }
}

// all does one after the other.
func all(steps ...func(*user)) func(*user) {
	return func(u *user) {
		for _, step := range steps {
			step(u)
		}
	}
}

// tiny are small windows, and one that is too small.
func tiny() [][2]int { return [][2]int{{24, 6}, {40, 12}, {53, 16}, {54, 12}, {23, 5}, {200, 8}} }

// smallScreens are those of a plan of ten records.
func smallScreens(t *testing.T) []screen {
	small, tiny := smallRepo(t), tiny()
	return []screen{
		{"small", of(small), keys(), nil},
		{"small-tiny", of(small), keys(), tiny},
		{"small-tiny-task", of(small), keys("enter"), tiny},
		{"small-tiny-help", of(small), keys("?"), tiny},
		{"small-tiny-prompt", of(small), typed("x", "too slow"), tiny},
		{"small-tiny-past", of(small), keys("[", "["), tiny},
		{"focus-task", of(small), keys("tab", "down", "down"), nil},
		{"focus-links", of(small), keys("right", "down", "tab", "tab", "down"), nil},
		{"task", of(small), at("t-1a2b", "enter"), nil},
		{"issue", of(small), at("i-9o0p"), nil},
		{"item", of(small), at("w-3g4h"), nil},
		{"alone", of(small), keys("o"), nil},
		{"help", of(small), keys("?"), nil},
		{"help-end", of(small), keys("?", "G"), nil},
		{"warnings", of(small), keys("w"), nil},
		{"filter", of(small), typed("/", "table"), nil},
		{"filtered", of(small), typed("/", "status:blocked -label:cli", "enter"), nil},
		{"nothing", of(small), typed("/", "zzz", "enter"), nil},
		{"add", of(small), typed("a", "A new task"), nil},
		{"add-menu", of(small), keys("A"), nil},
		{"reject", of(small), typed("x", "It does not fit into 80 columns; 長い名前のタスクは端末の幅で折り返されます, and much more that needs a second line"), nil},
		{"cancel", of(small), keys("X"), nil},
		{"decompose", of(small), keys("D"), nil},
		{"kill", of(small), keys("K"), nil},
		{"spec", of(small), keys("S"), nil},
		{"move-item", of(small), at("w-3g4h", "d"), nil},
		{"priority", of(small), keys("p"), nil},
		{"field-menu", of(small), keys("f"), nil},
		{"field", of(small), keys("f", "o"), nil},
		{"failed-prompt", of(small), typed("x", "too slow", "enter"), nil},
		{"failed", of(small), keys("right", "d"), nil},
		{"past", of(small), keys("[", "[", "["), nil},
		{"past-first", of(small), keys("[", "{", "{", "{", "{", "{", "{"), nil},
		{"past-refused", of(small), keys("[", "d"), nil},
		{"small-tiny-menu", of(small), keys("p"), tiny},
		{"small-tiny-fields", of(small), keys("f"), tiny},
		{"small-tiny-failed", of(small), keys("right", "d"), tiny},
		{"small-tiny-filter", of(small), typed("/", "status:none"), tiny},
		{"small-tiny-none", of(small), typed("/", "zzz", "enter"), tiny},
		{"small-tiny-links", of(small), keys("right", "tab", "tab"), tiny},
		{"filter-wrong", of(small), typed("/", "status:none"), nil},
		{"filter-rtl", of(small), typed("/", "النصوص"), nil},
		{"filter-long", of(small), typed("/", "a filter that is longer than the room that the first line of the board has for it, 長い名前", "enter"), nil},
		{"filter-jump", of(small), all(typed("/", "table", "enter"), keys("tab", "tab", "enter")), nil},
		{"help-middle", of(small), keys("?", "pgdown"), nil},
		{"add-empty", of(small), keys("a", "enter"), nil},
		{"add-issue", of(small), typed("A", "iIt is slow", "alt+enter"), nil},
		{"add-item", of(small), typed("A", "pReceipts"), nil},
		{"decompose-text", of(small), typed("D", "Read the mode line", "alt+enter", "B"), nil},
		{"priority-issue", of(small), at("i-9o0p", "p"), nil},
		{"fields-issue", of(small), at("i-9o0p", "f"), nil},
		{"fields-item", of(small), at("w-3g4h", "f"), nil},
		{"field-deps", of(small), at("t-4g5h", "f", "w"), nil},
		{"field-deps-wrong", of(small), all(at("t-4g5h", "f", "w"), typed("end", ", t-zzzz", "enter")), nil},
		{"field-check", of(small), keys("f", "k"), nil},
		{"no-such-key", of(small), at("w-3g4h", "c"), nil},
		{"no-priority-of-item", of(small), at("w-3g4h", "p"), nil},
		{"mouse-off", of(small), keys("M"), nil},
		{"unclaim-refused", of(small), keys("C"), nil},
		{"accept-refused", of(small), keys("y"), nil},
		{"verify-nothing", of(small), at("t-5i6j", "v"), nil},
		{"resolve-nothing", of(small), keys("r"), nil},
		{"restore-nothing", of(small), keys("B"), nil},
		{"redo-nothing", of(small), keys("U"), nil},
		{"replace", of(small), at("t-0s1t", "R"), nil},
		{"past-undo", of(small), keys("[", "[", "u"), nil},
		{"past-task", of(small), keys("[", "[", "enter"), nil},
		{"past-help", of(small), keys("[", "?"), nil},
		{"past-filter", of(small), typed("[", "[/zzz", "enter"), nil},
		{"past-failed", of(small), func(u *user) { u.press("[", "["); u.m.past.failed = errUnread }, nil},
		{"busy", of(small), func(u *user) { u.m.busy = "done t-1a2b" }, nil},
		{"asked-busy", of(small), func(u *user) {
			typed("x", "too slow")(u)
			u.m.over.(*prompt).waiting = true
			u.m.busy = "rejected t-1a2b"
		}, nil},
		{"unread", of(small), func(u *user) { u.send(readMsg{rest: true, noPlan: true, err: errUnread}) }, nil},
		{"reading", of(small), reading, nil},
		{"agents", of(small), agents, nil},
		{"agents-task", of(small), all(agents, keys("enter")), nil},
	}
}

var errUnread = errors.New("ralph/plan.jsonl:3: invalid JSON at column 18: want a comma or a brace after a member of the object")

// otherScreens are those of large and empty plans, of scripts that terminals may get wrong, and of hostile texts.
func otherScreens(t *testing.T) []screen {
	work, empty := workPlan(t), newRepo(t, version{"ann@example.com", "ralph: begin", 0, []string{spec}})
	big, words, hostile := newRepo(t, bigPlan(10000)...), newRepo(t, wordsPlan()...), newRepo(t, hostilePlan()...)
	none := newRepo(t, version{"ann@example.com", "ralph: begin", 0, []string{"{\"t\": \"meta\"}"}})
	wide := func(u *user) {
		u.m.method = ansi.WcWidth
		u.send(tea.WindowSizeMsg{Width: u.m.width, Height: u.m.height})
	}
	return []screen{
		{"work", of(work), keys(), nil},
		{"work-claimed", of(work), at("t-8o9p"), nil},
		{"work-conflict", of(work), at("t-4g5h"), nil},
		{"work-alone", of(work), keys("o"), nil},
		{"big", of(big), keys("pgdown", "pgdown", "down"), nil},
		{"big-filter", of(big), typed("/", "Task 99"), nil},
		{"empty", of(empty), keys(), nil},
		{"empty-filter", of(empty), typed("/", "x", "enter"), nil},
		{"words", of(words), keys(), nil},
		{"words-end", of(words), keys("end"), nil},
		{"words-task", of(words), at("t-w002", "enter"), nil},
		{"words-blocked", of(words), keys("right", "tab", "tab"), nil},
		{"words-prompt", of(words), at("t-w002", "f", "n"), nil},
		{"hostile", of(hostile), keys(), nil},
		{"hostile-task", of(hostile), keys("enter"), nil},
		{"hostile-past", of(hostile), keys("right", "["), nil},
		{"work-links", of(work), at("t-5i6j", "tab", "tab"), nil},
		{"work-resolve", of(work), at("t-4g5h", "r"), nil},
		{"work-done", of(work), at("t-2q3r"), nil},
		{"work-accepted", of(work), keys("end", "right", "right", "right", "right", "right"), nil},
		{"big-first", of(big), keys(), nil},
		{"big-end", of(big), keys("right", "end"), nil},
		{"big-task", of(big), at("t-05000", "enter"), nil},
		{"big-none", of(big), typed("/", "status:done", "enter"), nil},
		{"big-past", of(big), keys("["), nil},
		{"big-cancel", of(big), at("t-05000", "X"), nil},
		{"big-help", of(big), keys("?"), nil},
		{"empty-help", of(empty), keys("?"), nil},
		{"empty-key", of(empty), keys("d"), nil},
		{"empty-past", of(empty), keys("["), nil},
		{"no-spec", of(none), keys(), nil},
		{"words-wc", of(words), wide, nil},
		{"words-wc-task", of(words), all(wide, at("t-w002", "enter")), nil},
		{"words-wc-end", of(words), all(wide, keys("end")), nil},
		{"words-cancel", of(words), at("t-w000", "X"), nil},
		{"words-menu", of(words), at("t-w006", "p"), nil},
		{"words-failed", of(words), at("t-w004", "y"), nil},
		{"words-past", of(words), keys("[", "["), nil},
		{"words-rtl", of(words), at("t-w005", "enter"), nil},
		{"words-reject", of(words), all(at("t-w000", "x"), typed("a", "長い理由 👨‍👩‍👧‍👦 עברית "+"very ")), nil},
		{"words-tiny", of(words), at("t-w002"), tiny()},
		{"hostile-cancel", of(hostile), keys("end", "X"), nil},
		{"hostile-end", of(hostile), keys("end"), nil},
		{"hostile-filter", of(hostile), typed("/", "<script>"), nil},
	}
}

// reading is the board before more than the plan was read.
func reading(u *user) {
	data, err := u.m.read.Read(u.t.Context())
	if err != nil {
		u.t.Fatal(err)
	}
	u.m.data, u.m.past.moments, u.m.loading = data, nil, true
	u.m.show(data.Board())
	u.m.task = taskPane{}
	u.run(u.m.readTask())
	u.press("[")
}

// agents has agents at work, and runs of which the task knows.
func agents(u *user) {
	with := *u.m.data
	with.Workers = []view.Worker{{Name: "worker-1", ID: "t-1a2b", Stage: "work"}, {Name: "worker-2", ID: "t-5i6j", Stage: "work"}}
	with.Runs = []view.Run{{Name: "r", Iterations: []view.Iteration{
		{Number: 1, Worker: "worker-1", Stage: "work", ID: "t-1a2b", Began: now.Add(-5 * time.Hour), Result: "done", Took: 14 * time.Minute, Tokens: 81234, Cost: 1.25},
		{Number: 2, Worker: "worker-2", Stage: "verify", ID: "t-1a2b", Began: now.Add(-4 * time.Hour), Result: "rejected", Took: 90 * time.Second, Tokens: 912, Cost: 0.07},
		{Number: 3, Worker: "worker-1", Stage: "work", ID: "t-1a2b", Began: now.Add(-3 * time.Minute)},
	}}}
	u.send(readMsg{data: &with, cards: with.Board(), rest: true})
}
