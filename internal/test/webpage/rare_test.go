//go:build web

package webpage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"git-ralph/internal/test/gittest"
)

// kindsRepo makes a repository with an issue, an item and a task that wait for each other, so that the graph has all of them.
func kindsRepo(t testing.TB) *gittest.Repo {
	t.Helper()
	r := newRepo(t)
	r.Commit("plan", map[string]string{"spec.md": "spec\n", "ralph/plan.jsonl": strings.Join([]string{
		`{"t": "spec", "spec": "spec.md"}`,
		`{"t": "task", "id": "t-1", "spec": "spec.md", "name": "A task", "s": "p", "deps": ["i-1"], "priority": "high", "notes": "ours", "conflict": {"notes": ["ours", "theirs"]}}`,
		`{"t": "issue", "id": "i-1", "spec": "spec.md", "desc": "An issue", "conflict": {"removed": true}}`,
		`{"t": "item", "id": "w-1", "name": "An item", "state": "Backlog", "created_at": "2026-11-27T10:00:00.000Z"}`,
		`{"t": "item", "id": "w-2", "name": "Another item", "state": "Backlog", "blocked_by": ["w-1"], "created_at": "2026-11-27T10:00:00.000Z"}`, "",
	}, "\n")})
	return r
}

// Keys do to a node of the graph and to a lane of the timeline what they do to its card, by its kind, and what was done is said in the same
// words as on the terminal board. A choice says what is asked, and to choose what is so already changes nothing.
func TestKeysByKind(t *testing.T) {
	r := kindsRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r, "--write").url)
	on := func(view, id string) {
		t.Helper()
		b.script(fmt.Sprintf(`location.hash = '#view=%s'`, view))
		b.await(fmt.Sprintf(`document.querySelector('#main').dataset.shown === %q && document.querySelector('#main [data-id="%s"]') !== null`, view, id))
		b.script(fmt.Sprintf(`document.querySelector('#main [data-id="%s"]').focus()`, id))
	}
	said := func(text string) {
		t.Helper()
		b.await(fmt.Sprintf(`!document.querySelector('#toast').hidden && document.querySelector('#toast').textContent.startsWith(%q)`, text))
		b.script(`document.querySelector('#toast').textContent = ''`)
	}
	for _, view := range []string{"board", "graph", "timeline"} {
		on(view, "w-1")
		b.keys("c")
		said("c does nothing to w-1: it is an item")
		b.keys("d")
		b.await(`document.querySelector('dialog[open]')?.innerText.includes('To which state?')`)
		b.keys(kb.Escape)
		on(view, "i-1")
		b.keys("R")
		said("R does nothing to i-1: it is an issue")
		on(view, "t-1")
		b.keys("T")
		said("T does nothing to t-1: it is a task")
		b.keys("p")
		b.await(`document.activeElement.textContent.startsWith('high')`)
		b.keys(kb.Enter)
		said("priority of t-1: high, as it was")
		b.keys("p")
		b.await(`document.activeElement.textContent.startsWith('high')`)
		b.keys(kb.ArrowDown)
		b.await(`document.activeElement.textContent === 'medium'`)
		b.keys("h")
		said("priority of t-1: high, as it was")
	}
	head := r.Git("rev-parse", "HEAD")
	on("graph", "w-1")
	b.keys("P")
	said("planned w-1: t-w-1-triage, t-w-2-triage · ")
	on("timeline", "i-1")
	b.keys("d")
	said("closed i-1 · ")
	if got := r.Git("rev-list", "--count", head+"..HEAD"); got != "2" {
		t.Errorf("%s commits", got)
	}
}

// What a merge could not decide is shown with the task, each value as a choice where the plan can be changed, and is settled there.
func TestConflict(t *testing.T) {
	r := kindsRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r).url + "&task=t-1")
	b.shows("A merge left a conflict")
	b.await(`[...document.querySelectorAll('#task section li')].map((one) => one.textContent).join().startsWith('ours,theirs') && !document.querySelector('#task .choices')`)
	b.open(serve(t, r, "--write").url + "&task=t-1")
	choices := `[...document.querySelectorAll('#task .choices button')].map((one) => one.textContent).join('|')`
	b.await(choices + ` === 'ours|theirs|Another value…'`)
	b.screenshot("conflict")
	b.script(`document.querySelectorAll('#task .choices button')[1].focus()`)
	b.keys(kb.Enter)
	b.await(`document.querySelector('#toast').textContent.startsWith('notes of t-1 settled · ')`)
	b.await(`!document.querySelector('#task .choices') && document.querySelector('#task').innerText.includes('theirs')`)
	b.script(`location.hash = '#task=i-1'`)
	b.await(choices + ` === 'Keep it|Remove it'`)
	b.script(`document.querySelector('#task .choices button').focus()`)
	b.keys(kb.Enter)
	b.await(`document.querySelector('#toast').textContent.startsWith('kept i-1 · ')`)
	if plan := r.ReadFile("ralph/plan.jsonl"); strings.Contains(plan, "conflict") || !strings.Contains(plan, "i-1") {
		t.Errorf("the plan: %s", plan)
	}
	r.Commit("by hand", map[string]string{"ralph/plan.jsonl": `{"t": "spec", "spec": "spec.md"}
{"t": "task", "id": "t-2", "spec": "spec.md", "name": "A conflict without values", "s": "p", "conflict": {"notes": []}}
`})
	b.script(`location.hash = '#task=t-2'`)
	b.await(choices + ` === 'Another value…'`)
}

// The slider begins before the newest commit where the present plan is the one of that commit, and at it where something is not committed.
func TestPastBeginsBefore(t *testing.T) {
	r := smallRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r).url)
	commits := strings.Fields(r.Git("log", "-2", "--format=%H", "--", "ralph/plan.jsonl"))
	back := func(want string) {
		t.Helper()
		b.script(`document.querySelector('#moment').focus()`)
		b.await(`document.querySelector('#moment').max > 5`)
		b.keys(kb.End, kb.ArrowLeft)
		b.await(fmt.Sprintf(`location.hash.includes(%q) && !document.querySelector('#banner').hidden`, want))
		b.keys(kb.ArrowRight)
		b.await(`!location.hash.includes('at=') && document.querySelector('#banner').hidden && document.querySelector('#past output').textContent === 'now'`)
	}
	back(commits[1])
	r.WriteFile("ralph/plan.jsonl", strings.Replace(r.ReadFile("ralph/plan.jsonl"), "Benchmark", "Measure", 1)+`{"t": "issue", "id": "i-new", "spec": "spec.md", "desc": "Not committed"}`+"\n")
	b.await(column("ready") + `.includes('Not committed')`)
	b.await(`new Promise((resolve) => setTimeout(() => resolve(true), 300))`)
	back(commits[0])
}

// A text of an axis is seen whole or not at all, also at its end.
func TestTicks(t *testing.T) {
	b := newBrowser(t)
	b.open(serve(t, smallRepo(t)).url + "&view=burndown")
	b.await(`document.querySelector('.chart .ticks') !== null`)
	for _, width := range []int64{390, 700, 1000, 1280, 1920} {
		b.size(width, 800)
		wrong := value[string](b, `(async () => {
			const { ticks } = await import('./timeline.js')
			const chart = document.querySelector('.chart')
			const wrong = []
			let seen = 0
			for (let at = 0; at <= 1; at += 0.005) {
				const made = ticks([{ at, label: 'Nov 28 18:00' }])
				chart.append(made)
				const outer = made.getBoundingClientRect()
				const text = made.querySelector('span > span').getBoundingClientRect()
				const hidden = text.top >= outer.bottom
				if (!hidden && text.right > outer.right) wrong.push(at + ': ' + (text.right - outer.right) + ' px too far out')
				if (!hidden) seen++
				made.remove()
			}
			if (seen < 100) wrong.push(seen + ' are seen')
			return wrong.join('\n')
		})()`)
		if wrong != "" {
			t.Errorf("%d px wide: %s", width, wrong)
		}
	}
}

// What the overview covers is not what the user has to see: a task that the keys go to is beside it, the graph ends above it, and it can be
// hidden.
func TestOverviewCovers(t *testing.T) {
	b := newBrowser(t)
	b.open(serve(t, largeRepo(t, 500)).url + "&view=graph")
	b.await(`!document.querySelector('.overview').hidden && document.querySelector('.graph .node.ready .node-name') !== null`)
	covered := `(() => {
		const map = document.querySelector('.overview').getBoundingClientRect()
		const node = document.activeElement.getBoundingClientRect()
		return node.left < map.right && node.bottom > map.top && node.top < map.bottom && node.right > map.left
	})()`
	b.keys("m", kb.Home)
	b.script(`{ // the task is drawn below the overview
		const graph = document.querySelector('.graph')
		const map = document.querySelector('.overview').getBoundingClientRect()
		const node = document.activeElement.getBoundingClientRect()
		graph.setPointerCapture = () => {}
		const at = (type, x, y) => graph.dispatchEvent(new PointerEvent(type, { pointerId: 1, button: 0, clientX: x, clientY: y }))
		at('pointerdown', 0, 0)
		at('pointermove', map.left + 20 - node.left, map.bottom - 80 - node.top)
	}`)
	b.await(covered)
	id := value[string](b, `document.activeElement.dataset.id`)
	b.keys(kb.Home)
	b.await(fmt.Sprintf(`document.activeElement.dataset.id === %q`, id))
	b.await(`!` + covered)
	b.script(`document.querySelector('.view-tools [aria-pressed]').focus()`)
	b.keys(kb.Enter)
	b.await(`document.querySelector('.overview').hidden && document.activeElement.getAttribute('aria-pressed') === 'false'`)
	b.keys(kb.Enter)
	b.await(`!document.querySelector('.overview').hidden`)
}

// Only views that a filter or the past applies to have them.
func TestWhatViewsTake(t *testing.T) {
	r := smallRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r, "--write").url)
	b.script(`location.hash = '#q=nothing+has+this'`)
	for _, view := range []string{"board", "graph", "timeline"} {
		b.script(fmt.Sprintf(`document.querySelector('nav [data-view="%s"]').click()`, view))
		b.await(fmt.Sprintf(`document.querySelector('#main').dataset.shown === %q && document.querySelector('#main').innerText.includes('Nothing matches the filter.')`, view))
	}
	b.script(`[...document.querySelectorAll('#main a')].find((link) => link.textContent === 'Show all').click()`)
	b.await(`document.querySelectorAll('.lane').length > 5 && document.querySelector('#search').value === ''`)
	b.script(fmt.Sprintf(`location.hash = '#q=parser&at=%s'`, r.Git("rev-parse", "HEAD~3")))
	b.await(`!document.querySelector('#banner').hidden`)
	for view, want := range map[string]string{"board": "filter past", "graph": "filter past", "timeline": "filter past", "burndown": "past", "runs": "", "worktrees": ""} {
		b.script(fmt.Sprintf(`document.querySelector('nav [data-view="%s"]').click()`, view))
		b.await(fmt.Sprintf(`document.querySelector('#main').dataset.shown === %q`, view))
		b.await(fmt.Sprintf(`[document.querySelector('#search').checkVisibility({ checkVisibilityCSS: true }) && 'filter', document.querySelector('#moment').checkVisibility() && 'past'].filter(Boolean).join(' ') === %q`, want))
		b.await(fmt.Sprintf(`document.querySelector('#banner').hidden === %v`, !strings.Contains(want, "past")))
		if !strings.Contains(want, "filter") {
			b.keys("/")
			b.await(`document.querySelector('#toast').textContent.includes('has no filter')`)
		}
	}
}
