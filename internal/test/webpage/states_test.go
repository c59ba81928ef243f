//go:build web

package webpage_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"git-ralph/internal/test/gittest"
)

// A question is a dialog that a key opens for a card.
type question struct{ on, key, title string } // parts of the card's text and of the dialog's title

// questions are the dialogs of the cards of questionsRepo.
func questions() []question {
	const task, issue, item = "Write the parser", "The parser test is flaky", "Faster parsing"
	return []question{
		{task, "?", "Keys"},
		{task, "a", "New task"},
		{task, "A", "Which one?"},
		{task, "e", "Edit"},
		{issue, "e", "Edit"},
		{item, "e", "Edit"},
		{task, "p", "Priority"},
		{issue, "p", "Priority"},
		{task, "r", "Conflicts"},
		{task, "s", "Take it over"},
		{task, "x", "Why"},
		{task, "R", "The name of the other"},
		{task, "X", "Take it out"},
		{task, "D", "The smaller tasks"},
		{task, "K", "Work was stopped"},
		{item, "d", "Move"},
		{item, "x", "What is wrong"},
		{task, "S", "A file in"},
	}
}

// questionsRepo is the small one with an item and a recorded conflict.
func questionsRepo(t testing.TB) *gittest.Repo {
	r := smallRepo(t)
	ralph(t, r, "item", "add", "Faster parsing")
	conflict := regexp.MustCompile(`(?m)^(.*"Write the parser".*"priority": "high")`).ReplaceAllString(r.ReadFile("ralph/plan.jsonl"), `$1, "conflict": {"priority": ["high", "low"]}`)
	r.Commit("merge", map[string]string{"ralph/plan.jsonl": conflict})
	return r
}

// card has the focus go to the card with a text. Lists have only the cards that can be seen.
func (b *tab) card(text string) {
	b.Helper()
	b.script(fmt.Sprintf(`(async () => {
		for (const list of document.querySelectorAll('.list')) {
			for (list.scrollTop = 0; ; list.scrollTop += list.clientHeight) {
				await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
				const found = [...list.querySelectorAll('.card')].find((card) => card.textContent.includes(%q))
				if (found) { found.focus(); return }
				if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) break
			}
		}
		throw new Error('there is no such card')
	})()`, text))
}

// dialog waits until a dialog is open whose title has a part.
func (b *tab) dialog(title string) {
	b.Helper()
	b.await(fmt.Sprintf(`[...document.querySelectorAll('dialog[open] h2')].some((h2) => h2.textContent.includes(%q))`, title))
}

// statesRepo has a record in each state that a pane shows, and several worktrees.
func statesRepo(t testing.TB) *gittest.Repo {
	r := questionsRepo(t)
	add := func(name string, args ...string) string { return addTask(t, r, append([]string{name}, args...)...) }
	ralph(t, r, "task", "decompose", add("Rewrite the printer"), "--task", "Print expressions", "--task", "Print statements")
	ralph(t, r, "task", "cancel", add("Support version 1"))
	replaced := add("Cache parsed files in memory")
	ralph(t, r, "task", "done", replaced)
	ralph(t, r, "task", "reject", replaced, "--supersede", "Cache parsed files on disk", "The memory of the build machines is too small.")
	checked := []string{add("Reject empty input", "--check", "test -f spec.md", "--check", "true"), add("Refuse files of a later version", "--check", "true", "--notes", "With the number of the version.")}
	ralph(t, r, "trust", "check", "--yes", "--all")
	ralph(t, r, "task", "done", checked[0], checked[1])
	ralph(t, r, "task", "accept", "--verified", checked[0])
	ann := add("Read the configuration once", "--label", "core", "--label", "speed")
	ralph(t, r.Setenv("GIT_RALPH_WORKER", "ann"), "claim", ann, "--lease", "2h")
	ralph(t, r, "item", "add", "Receipts in the language of the customer", "--number", "42", "--estimate", "S", "--file", "receipt.go")
	ralph(t, r, "item", "move", "GH-42", "Research Needed")
	ralph(t, r, "pipeline", "plan", "GH-42")
	ralph(t, r, "item", "add", "Support the grammar of version 2", "--number", "43")
	ralph(t, r, "item", "move", "GH-43", "Research Needed")
	ralph(t, r, "item", "move", "--reason", "Which of the two grammars is meant?", "GH-43", "__ESCALATE__")
	two, three := addWorktree(t, r, "a-branch-with-a-very-long-name-that-somebody-chose"), addWorktree(t, r, "文法の第二版")
	ralph(t, two, "task", "done", addTask(t, two, "Only in the second worktree, with a name that is so long that it needs a second line where there is little room"))
	text := strings.Replace(three.ReadFile("ralph/plan.jsonl"), "Remove the old tokenizer", "Remove the old tokenizer 🎉 وكل اختباراته", 1)
	if err := os.WriteFile(three.Path("ralph/plan.jsonl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := addWorktree(t, r, "broken")
	if err := os.WriteFile(broken.Path("ralph/plan.jsonl"), []byte("{\"t\": \"task\", broken\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return r
}

// stateScreens are the dialogs, the panes of records in each state, and what the page says of actions.
func stateScreens(b *tab, r *gittest.Repo) (all []screen) {
	for _, one := range questions() {
		name := "dialog-" + one.key + "-" + strings.ToLower(strings.Fields(one.on)[0])
		if strings.ToUpper(one.key) == one.key {
			name = "dialog-shift-" + one.key + "-" + strings.ToLower(strings.Fields(one.on)[0])
		}
		all = append(all, screen{strings.ReplaceAll(name, "?", "help"), "", func(b *tab) {
			b.card(one.on)
			b.keys(one.key)
			b.dialog(one.title)
		}})
	}
	for i, kind := range []string{"issue", "item"} {
		all = append(all, screen{"dialog-new-" + kind, "", func(b *tab) {
			b.keys("A")
			b.dialog("Which one?")
			b.keys(strings.Repeat(kb.Tab, i), kb.Enter)
			b.dialog("New " + kind)
		}})
	}
	for id, name := range idsByName(r) {
		all = append(all, screen{"pane-" + name, "task=" + id, nil}, screen{"pane-end-" + name, "task=" + id, func(b *tab) { b.script(`document.querySelector('#task').scrollTop = 1e6`) }})
	}
	slices.SortFunc(all, func(a, b screen) int { return strings.Compare(a.name, b.name) })
	focused := func(on, key, then string) func(b *tab) {
		return func(b *tab) {
			if on != "" {
				b.card(on)
			}
			b.keys(key)
			b.await(then)
		}
	}
	choose := func(id, value string) func(b *tab) {
		return func(b *tab) {
			b.script(fmt.Sprintf(`{ const of = document.querySelector('#%s'); of.value = %q; of.dispatchEvent(new Event('change')) }`, id, value))
			b.script(`new Promise((resolve) => setTimeout(resolve, 400))`)
		}
	}
	const said = `!document.querySelector('#toast').hidden`
	return append(all,
		screen{"pane-none", "task=t-none", nil},
		screen{"worktrees", "view=worktrees", nil},
		screen{"worktrees-end", "view=worktrees", func(b *tab) { b.script(`document.querySelector('.view').scrollTop = 1e6`) }},
		screen{"timeline-person", "view=timeline", choose("by", "person")}, screen{"timeline-task", "view=timeline", choose("by", "task")},
		screen{"graph-pending", "view=graph", choose("graph-of", "pending")}, screen{"graph-no-task", "view=graph", choose("graph-of", "task")}, screen{"graph-all", "view=graph", choose("graph-of", "")},
		screen{"filter", "q=parser", nil}, screen{"filter-wrong", "q=status%3Ax", nil}, screen{"filter-graph-none", "view=graph&q=nothing+has+this", nil}, screen{"filter-timeline-none", "view=timeline&q=nothing+has+this", nil},
		screen{"toast-choose", "", focused("", "d", said)}, screen{"toast-kind", "", focused("The parser test is flaky", "D", said)},
		screen{"toast-claimed", "", focused("Remove the old tokenizer", "y", "document.querySelector('dialog[open], #toast:not([hidden])')")},
		screen{"toast-undone", "", focused("", "u", said)},
		screen{"offer", "", focused("Stream large", "d", `document.querySelector('dialog[open]')`)},
		screen{"refusal", "", func(b *tab) {
			b.keys("a", "Waits for nothing", kb.Tab, kb.Tab, kb.Tab, "t-none", kb.Enter)
			b.await(`document.querySelector('dialog .refusal')?.textContent.includes('t-none')`)
		}},
		screen{"another-value", "", func(b *tab) {
			b.card("Write the parser")
			b.keys("r")
			b.dialog("Conflicts")
			b.keys(kb.Tab, kb.Tab, kb.Enter)
			b.dialog("What is to be in priority")
		}},
		screen{"skip", "", func(b *tab) { b.script(`document.querySelector('#skip').focus()`) }},
		screen{"undo-past", "", func(b *tab) {
			b.past()
			b.keys("u")
			b.dialog("Take back")
		}},
		screen{"past-graph", "view=graph", (*tab).past}, screen{"past-keys", "", func(b *tab) { b.past(); b.keys("?"); b.dialog("Keys") }},
	)
}

// past shows the plan as it was some changes ago.
func (b *tab) past() {
	b.Helper()
	b.script(`document.querySelector('#moment').focus()`)
	b.await(`document.querySelector('#moment').max > 5`)
	b.keys(kb.End, kb.ArrowLeft, kb.ArrowLeft, kb.ArrowLeft, kb.ArrowLeft)
	b.await(`!document.querySelector('#banner').hidden`)
}

// idsByName returns ids of all records that there ever were, with words of their names.
func idsByName(r *gittest.Repo) map[string]string {
	all := map[string]string{}
	words := regexp.MustCompile(`[^a-z0-9]+`)
	out := r.Git("log", "-p", "--no-textconv", "--no-ext-diff", "--format=", "HEAD", "--", "ralph/plan.jsonl")
	for _, found := range regexp.MustCompile(`(?m)^\+.*?"id": "([^"]+)".*?"(?:name|desc)": "((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(out, -1) {
		name := strings.Trim(words.ReplaceAllString(strings.ToLower(found[2]), "-"), "-")
		all[found[1]] = name[:min(len(name), 24)]
	}
	return all
}

// TestScreensOfStates makes pictures of the dialogs and of records in each state; TestScreensHostile of hostile plans, names and branches.
func TestScreensOfStates(t *testing.T) {
	picturesOrSkip(t)
	r := statesRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r, "--write").url)
	b.takeAll("states", stateScreens(b, r))
}

func TestScreensHostile(t *testing.T) {
	picturesOrSkip(t)
	for name, make := range map[string]func() (*gittest.Repo, string){
		"hostile":   func() (*gittest.Repo, string) { return hostileRepo(t), "t-00" },
		"strangers": func() (*gittest.Repo, string) { return strangersRepo(t) },
	} {
		r, id := make()
		b := newBrowser(t)
		b.open(serve(t, r, "--write").url)
		var all []screen
		for _, view := range b.views() {
			all = append(all, screen{view, "view=" + view, nil})
		}
		all = append(all, screen{"pane", "task=" + id, nil}, screen{"pane-end", "task=" + id, func(b *tab) { b.script(`document.querySelector('#task').scrollTop = 1e6`) }})
		for i := range hostileTexts() {
			if name == "hostile" {
				all = append(all, screen{fmt.Sprintf("pane-t%02d", i), fmt.Sprintf("view=graph&task=t-%02d", i), nil}, screen{fmt.Sprintf("pane-i%02d", i), fmt.Sprintf("task=i-%02d", i), nil})
			}
		}
		for _, key := range []string{"e", "X", "D", "p"} {
			all = append(all, screen{"dialog-" + key, "task=" + id, func(b *tab) {
				b.keys(key)
				b.await(`document.querySelector('dialog[open]')`)
			}})
		}
		b.takeAll(name, all)
	}
}

// takeAll makes pictures of screens in a window of 80×24, a telephone and a usual window.
func (b *tab) takeAll(name string, all []screen) {
	b.Helper()
	for _, window := range []struct {
		width, height int64
		theme         string
	}{{640, 384, "light"}, {390, 844, "dark"}, {1280, 800, "light"}, {1280, 800, "dark"}} {
		b.size(window.width, window.height)
		b.theme(window.theme)
		for _, one := range all {
			b.take(one, fmt.Sprintf("%s-%s-%d-%s", name, one.name, window.width, window.theme))
		}
	}
}

// picturesOrSkip skips a test that makes pictures alone, where nobody asked for them.
func picturesOrSkip(t *testing.T) {
	t.Helper()
	if os.Getenv("GIT_RALPH_SCREENS") == "" {
		t.Skip("GIT_RALPH_SCREENS names no directory for pictures")
	}
}
