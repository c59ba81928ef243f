//go:build web

package webpage_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"git-ralph/internal/test/gittest"
)

// keys presses keys, as a keyboard does: a key that the page handles types nothing.
func (b *tab) keys(all ...string) {
	b.Helper()
	for _, r := range strings.Join(all, "") {
		events := kb.Encode(r)
		if len(events) == 3 {
			events[0].Text = events[1].Text
			events = []*input.DispatchKeyEventParams{events[0], events[2]}
		}
		for _, e := range events {
			if e.Type == kb.KeyDown && e.Text != "" {
				e.Type = input.DispatchKeyEventTypeKeyDown
			}
			if _, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, *e); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// card is the selector of a task's card.
func card(id string) string { return fmt.Sprintf(`.board a[data-id="%s"]`, id) }

// column is an expression for the names of the cards of a column.
func column(status string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('.column.%s .card .name')].map((name) => name.textContent).join('|')`, status)
}

// shows waits until the page's text has a part.
func (b *tab) shows(text string) {
	b.Helper()
	b.await(fmt.Sprintf("document.body?.innerText.includes(%q)", text))
}

// The page shows the plan, a click shows a task with its history, the address leads there again, and the token is in no address.
func TestPage(t *testing.T) {
	r := smallRepo(t)
	s := serve(t, r)
	b := newBrowser(t)
	b.open(s.url)
	for status, want := range map[string]string{"ready": "كتابة", "blocked": "Wire the new parser", "claimed": "Write the parser", "landed": "Remove the old tokenizer", "accepted": "Benchmark the lexer"} {
		b.await(column(status) + fmt.Sprintf(".includes(%q)", want))
	}
	if address := value[string](b, "location.href"); strings.Contains(address, "token") {
		t.Errorf("the token is in the address: %s", address)
	}
	id := value[string](b, `[...document.querySelectorAll('.card')].find((card) => card.innerText.includes('Document the error codes')).dataset.id`)
	b.do(chromedp.Click(chromedp.CSS(card(id))))
	b.await(`document.querySelectorAll('#task ins').length > 0 && document.querySelectorAll('#task del').length > 0`)
	b.shows("There is no example for code 7.")
	for _, want := range []string{"added", "edited", "done", "rejected"} {
		b.await(fmt.Sprintf(`[...document.querySelectorAll('#task .events strong')].some((one) => one.textContent === %q)`, want))
	}
	b.do(chromedp.Reload())
	b.await(`document.querySelector('#task h2')?.textContent === 'Document the error codes'`)
	if got := value[string](b, "location.hash"); got != "#task="+id {
		t.Errorf("the address of the task: %s", got)
	}
	b.await(`document.querySelector('#tools').innerText.includes('read-only') && !document.querySelector('#task .actions')`)
}

// What somebody else does to the plan is on the screen without anybody asking, in each tab, and a tab that was opened without the token
// gets it from another one.
func TestLive(t *testing.T) {
	r := smallRepo(t)
	s := serve(t, r)
	b := newBrowser(t)
	b.open(s.url)
	second := b.another()
	second.open(strings.Split(s.url, "#")[0])
	id := addTask(t, r, "Brand new task")
	for _, one := range []*tab{b, second} {
		one.await(fmt.Sprintf(`document.querySelector('%s') !== null`, card(id)))
	}
	ralph(t, r, "task", "edit", id, "--name", "Renamed task")
	b.await(column("ready") + `.includes('Renamed task')`)
	ralph(t, r, "task", "done", id)
	second.await(column("landed") + `.includes('Renamed task')`)
	r.Git("worktree", "add", "-q", "-b", "other", r.Path("../other"))
	t.Cleanup(func() { r.Git("worktree", "remove", "--force", r.Path("../other")) })
	ralph(t, r.At("../other"), "task", "add", "Only in the other worktree")
	b.do(chromedp.Reload())
	b.await(`document.querySelectorAll('#worktree option').length === 2`)
	b.script(`{ const choice = document.querySelector('#worktree'); choice.selectedIndex = 1; choice.dispatchEvent(new Event('change')) }`)
	b.await(column("ready") + `.includes('Only in the other worktree')`)
	ralph(t, r.At("../other"), "task", "add", "Later in the other worktree")
	b.await(column("ready") + `.includes('Later in the other worktree')`)
}

// Everything can be done with the keyboard alone: each action of the page, in each of its parts.
func TestKeyboard(t *testing.T) {
	r := smallRepo(t)
	s := serve(t, r, "--write")
	b := newBrowser(t)
	b.open(s.url)
	b.keys("?")
	b.await(`document.querySelector('dialog[open] .keys') !== null`)
	b.keys(kb.Escape)
	b.await(`document.querySelector('dialog') === null`)

	b.keys("a")
	b.await(`document.activeElement?.closest('dialog') !== null && document.activeElement.tagName === 'INPUT'`)
	b.keys("Typed by hand", kb.Enter)
	b.await(column("ready") + `.includes('Typed by hand') && !document.querySelector('dialog')`)

	b.keys("/")
	b.await(`document.activeElement.id === 'search'`)
	b.keys("typed by")
	b.await(`document.querySelectorAll('.card').length === 1`)
	b.keys(kb.Escape)
	b.await(`document.activeElement.classList.contains('card')`)
	b.keys(kb.Enter)
	b.await(`document.querySelector('#task h2')?.textContent === 'Typed by hand'`)

	b.keys("c")
	b.await(column("claimed") + `.includes('Typed by hand')`)
	b.keys("C")
	b.await(column("ready") + `.includes('Typed by hand')`)
	b.keys("e")
	b.await(`document.activeElement?.closest('dialog') !== null`)
	b.keys(kb.Tab, "Notes by hand", kb.Tab, kb.Tab, kb.Tab, kb.Tab, kb.Tab, kb.Enter)
	b.await(`document.querySelector('#task').innerText.includes('Notes by hand') && !document.querySelector('dialog')`)
	b.keys("d")
	b.await(column("landed") + `.includes('Typed by hand')`)
	b.keys("x")
	b.await(`document.activeElement?.tagName === 'TEXTAREA'`)
	b.keys("It has no test", kb.Tab, kb.Enter)
	b.await(column("ready") + `.includes('Typed by hand')`)
	b.shows("It has no test")
	b.keys("d")
	b.await(column("landed") + `.includes('Typed by hand')`)
	b.keys("y")
	b.await(column("accepted") + `.includes('Typed by hand')`)
	b.keys("u")
	b.await(column("landed") + `.includes('Typed by hand')`)
	b.keys("U")
	b.await(column("accepted") + `.includes('Typed by hand')`)
	b.keys(kb.Escape)
	b.await(`document.querySelector('#task').hidden`)

	b.keys("/")
	b.script(`document.querySelector('#search').select()`)
	b.keys(kb.Backspace)
	b.await(`document.querySelectorAll('.card').length > 5`)
	b.keys(kb.Escape, "m", kb.ArrowRight)
	b.await(`document.activeElement.closest('.column')?.classList.contains('blocked')`)
	b.keys(kb.ArrowDown, "X")
	b.await(`document.querySelector('dialog[open]') !== null`)
	b.keys(kb.Tab, kb.Enter)
	b.await(`!document.querySelector('dialog')`)
	before := value[string](b, `document.documentElement.dataset.theme ?? ''`)
	b.keys("t")
	b.await(fmt.Sprintf(`(document.documentElement.dataset.theme ?? '') !== %q`, before))
	for key, view := range map[string]string{"1": "board", "2": "graph", "3": "timeline", "4": "burndown", "5": "runs", "6": "worktrees"} {
		b.keys(key)
		b.await(fmt.Sprintf(`document.querySelector('nav a[aria-current]')?.dataset.view === %q`, view))
	}
}

// What is rarer has keys too: a priority, a conflict of a merge, what a command refuses without a flag, a task that was cancelled.
func TestRareKeys(t *testing.T) {
	r := smallRepo(t)
	plan := r.ReadFile("ralph/plan.jsonl")
	parser := regexp.MustCompile(`(?m)^.*"id": "(t-[^"]*)".*"Write the parser".*$`).FindStringSubmatch(plan)
	line, id := parser[0], parser[1]
	r.Commit("merge", map[string]string{"ralph/plan.jsonl": strings.Replace(plan, line, strings.Replace(line, `"priority": "high"`, `"priority": "high", "conflict": {"priority": ["high", "low"]}`, 1), 1)})
	s := serve(t, r, "--write")
	b := newBrowser(t)
	b.open(s.url)
	b.await(`document.querySelectorAll('.card').length > 5`)
	on := func(name string) {
		b.script(fmt.Sprintf(`[...document.querySelectorAll('.card')].find((card) => card.innerText.includes(%q)).focus()`, name))
	}
	planHas := func(part string) {
		t.Helper()
		gittest.Await(t, part, func() bool { return strings.Contains(r.ReadFile("ralph/plan.jsonl"), part) })
		b.await(`!document.querySelector('dialog')`)
	}
	on("Write the parser")
	b.keys("r")
	b.await(`document.activeElement.textContent === 'priority: "high"' || document.activeElement.textContent === 'priority: high'`)
	b.keys(kb.Tab, kb.Enter)
	gittest.Await(t, "no conflict", func() bool { return !strings.Contains(r.ReadFile("ralph/plan.jsonl"), "conflict") })
	b.await(`!document.querySelector('dialog')`)
	on("Document the error codes")
	b.keys("p")
	b.await(`document.activeElement.textContent === 'high'`)
	b.keys(kb.Tab, kb.Tab, kb.Enter)
	planHas(`"priority": "low"`)
	on("Stream large files")
	b.keys("d")
	b.await(`document.querySelector('dialog[open] .choices button')?.textContent === 'Do it with --force'`)
	b.keys(kb.Tab, kb.Enter)
	b.await(column("landed") + `.includes('Stream large files')`)
	on("Document the error codes")
	b.keys(kb.Enter, "X")
	b.await(`document.querySelector('dialog[open]') !== null`)
	b.keys(kb.Tab, kb.Enter)
	b.await(`document.querySelector('#task .actions')?.textContent === 'Bring back'`)
	b.keys("B")
	b.await(column("ready") + `.includes('Document the error codes')`)
	if out := ralph(t, r, "show", id); !strings.Contains(out, "low") {
		t.Errorf("the priority of %s is not the one chosen: %s", id, out)
	}
}

// The graph is walked with arrow keys, zoomed with keys and the wheel, and moved with the mouse.
func TestGraph(t *testing.T) {
	r := smallRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r).url + "&view=graph")
	b.await(`document.querySelectorAll('.graph .node').length >= 5 && document.querySelector('.graph .edge.open').getAttribute('d').length > 20`)
	b.keys("m")
	name := func() string { return value[string](b, `document.activeElement.closest('.node')?.textContent ?? ''`) }
	b.await(`document.activeElement.closest('.node') !== null`)
	b.script(`[...document.querySelectorAll('.node')].find((node) => node.textContent.includes('Write the parser')).focus()`)
	b.keys(kb.ArrowRight)
	if !strings.Contains(name(), "Stream large") {
		t.Errorf("to the right of the parser: %s", name())
	}
	b.keys(kb.ArrowRight)
	if !strings.Contains(name(), "Wire the new") {
		t.Errorf("to the right of that: %s", name())
	}
	b.keys(kb.Enter)
	b.await(`document.querySelector('#task h2')?.textContent === 'Wire the new parser into the command line'`)
	b.script(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))))`) // the graph has made room for the pane
	transform := func() string { return value[string](b, `document.querySelector('.graph g').getAttribute('transform')`) }
	changes := func(do func()) {
		t.Helper()
		before := transform()
		do()
		b.await(fmt.Sprintf(`document.querySelector('.graph g').getAttribute('transform') !== %q`, before))
	}
	changes(func() { b.keys("+") })
	changes(func() { b.keys("0") })
	changes(func() {
		b.script(`document.querySelector('.graph').dispatchEvent(new WheelEvent('wheel', { deltaY: -200, cancelable: true }))`)
	})
	changes(func() {
		b.script(`{ const graph = document.querySelector('.graph'); const at = (type, clientX) => graph.dispatchEvent(new PointerEvent(type, { pointerId: 1, button: 0, clientX, clientY: 50 }))
			graph.setPointerCapture = () => {}; at('pointerdown', 10); at('pointermove', 60) }`)
	})
	b.size(640, 384) // here the pane of a task covers most of the graph
	for _, name := range []string{"Wire the new", "Write the parser"} {
		b.script(`location.hash = '#view=board'`)
		b.await(`document.querySelector('#main').dataset.shown === 'board' && document.querySelector('#task').hidden`)
		b.card(name)
		b.keys(kb.Enter, "2")
		b.await(fmt.Sprintf(`(() => { const node = document.querySelector('.node.open'), pane = document.querySelector('#task').getBoundingClientRect()
			return node?.textContent.includes(%q) && node.getBoundingClientRect().left >= 0 && node.getBoundingClientRect().left < pane.left - 40 })()`, name))
	}
}

// The slider shows the plan at an older commit, where nothing can be changed.
func TestPast(t *testing.T) {
	r := smallRepo(t)
	s := serve(t, r, "--write")
	b := newBrowser(t)
	b.open(s.url)
	b.script(`document.querySelector('#moment').focus()`)
	b.await(`document.querySelector('#moment').max > 5`)
	b.keys(kb.Home, kb.ArrowRight, kb.ArrowRight)
	b.await(`!document.querySelector('#banner').hidden && document.querySelectorAll('.card').length < 5 && document.querySelectorAll('.card').length > 0`)
	b.keys("2") // the keys of the page work beside those of the slider
	b.await(`document.querySelector('#main').dataset.shown === 'graph'`)
	b.keys("1")
	b.await(`document.querySelector('#main').dataset.shown === 'board'`)
	b.do(chromedp.Click(chromedp.CSS(".card")))
	b.await(`!document.querySelector('#task').hidden && !document.querySelector('#task .actions')`)
	b.do(chromedp.Click(chromedp.CSS("#banner a")))
	b.await(`document.querySelector('#banner').hidden && document.querySelectorAll('.card').length > 5`)
}

// A task that is the same in another view and in an older plan: its links stay in that view, and its buttons are gone, which change the present
// plan.
func TestTaskElsewhere(t *testing.T) {
	r := smallRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r, "--write").url)
	b.card("Wire the new")
	b.keys(kb.Enter)
	b.await(`document.querySelector('#task .links a') && document.querySelector('#task .actions')`)
	b.keys("2")
	b.await(`document.querySelector('#task .links a').getAttribute('href').startsWith('#view=graph&task=')`)
	b.script(fmt.Sprintf(`location.hash += '&at=%s'`, r.Git("rev-parse", "HEAD~1")))
	b.await(`!document.querySelector('#banner').hidden && document.querySelector('#task .links a') && !document.querySelector('#task .actions')`)
	b.script(`location.hash = location.hash.split('&at=')[0]`)
	b.await(`document.querySelector('#task .actions')`)
}

// A graph that is too large to be read at once begins at a task that is ready, where it can be read; the overview leads elsewhere, and
// it can be narrowed to what is pending, or to what one task waits for and what needs it.
func TestLargeGraph(t *testing.T) {
	b := newBrowser(t)
	b.open(serve(t, largeRepo(t, 500)).url + "&view=graph")
	transform := func() string { return value[string](b, `document.querySelector('.graph g').getAttribute('transform')`) }
	b.await(`!document.querySelector('.overview').hidden && document.querySelector('.graph .node.ready .node-name') !== null`)
	before := transform()
	b.script(`{ const box = document.querySelector('.overview').getBoundingClientRect()
		const map = document.querySelector('.overview'); map.setPointerCapture = () => {}
		map.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 1, clientX: box.right - 5, clientY: box.bottom - 5 })) }`)
	b.await(fmt.Sprintf(`document.querySelector('.graph g').getAttribute('transform') !== %q`, before))
	b.script(`location.hash = '#view=graph&task=t-00400'`)
	b.await(`document.querySelector('.node.open .node-id')?.textContent === 't-00400'`)
	choose := func(value string) {
		b.script(fmt.Sprintf(`{ const of = document.querySelector('#graph-of'); of.value = %q; of.dispatchEvent(new Event('change')) }`, value))
	}
	choose("pending")
	b.await(`document.querySelector('.graph .node.done') === null && document.querySelector('.view-tools').innerText.includes('450 tasks')`)
	choose("task")
	b.await(`document.querySelectorAll('.graph .node').length < 100 && document.querySelector('.node.open') !== null`)
	b.script(`location.hash = '#view=graph&task=t-00000'`)
	b.await(`document.querySelector('.node.open .node-id')?.textContent === 't-00000' && document.querySelectorAll('.graph .node').length < 100`)
}

// Why an action is refused is shown in its dialog, which covers everything else, and what was typed stays.
func TestRefused(t *testing.T) {
	b := newBrowser(t)
	b.open(serve(t, smallRepo(t), "--write").url)
	b.keys("a", "Waits for nothing", kb.Tab, kb.Tab, kb.Tab, "t-none", kb.Enter)
	b.await(`document.querySelector('dialog .refusal')?.textContent.includes('t-none') && document.querySelector('dialog input').value === 'Waits for nothing'`)
}
