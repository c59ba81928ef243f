//go:build web

package webpage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"git-ralph/internal/test/gittest"
)

// views returns the names of the views.
func (b *tab) views() []string {
	b.Helper()
	return value[[]string](b, `[...document.querySelectorAll('nav a')].map((a) => a.dataset.view)`)
}

// lost is an expression for why the user does not see what has the focus; "" where it is seen.
const lost = `(() => {
	const at = document.activeElement
	if (!at || at === document.body) return 'nothing has the focus'
	const name = at.outerHTML.slice(0, 150)
	const box = at.getBoundingClientRect()
	if (box.width === 0 || box.height === 0) return 'it has no size: ' + name
	if (box.right <= 0 || box.left >= innerWidth || box.bottom <= 0 || box.top >= innerHeight) return 'it is outside: ' + name
	const style = getComputedStyle(at)
	if (style.outlineStyle === 'none' && !at.querySelector('.back')) return 'nothing marks it: ' + name
	return ''
})()`

// The focus can be seen wherever Tab takes it, in each view, with a task and without, and goes through the whole page in either direction.
func TestFocus(t *testing.T) {
	r := smallRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r, "--write").url)
	id := value[string](b, `document.querySelector('.card').dataset.id`)
	for _, view := range b.views() {
		for _, task := range []string{"", id} {
			b.script(fmt.Sprintf("location.hash = '#view=%s&task=%s'", view, task))
			b.await(fmt.Sprintf(`document.querySelector('#main').dataset.shown === %q && (document.querySelector('#task .id')?.textContent ?? '') === %q`, view, task))
			b.keys("m")
			if why := value[string](b, lost); why != "" {
				t.Errorf("%s: the view by its key: %s", view, why)
			}
			for name, modifiers := range map[string][]chromedp.KeyOption{"Tab": nil, "Shift+Tab": {chromedp.KeyModifiers(chromedp.ModifierShift)}} {
				places := map[string]bool{}
				for range 60 {
					b.do(chromedp.KeyEvent(kb.Tab, modifiers...))
					if value[bool](b, `document.activeElement === document.body || document.activeElement === document.documentElement`) {
						continue // the browser's own buttons are next
					}
					if why := value[string](b, lost); why != "" {
						t.Errorf("%s, task %q, %s: %s", view, task, name, why)
					}
					places[value[string](b, `document.activeElement.closest('header, main, aside, footer, .skip')?.tagName ?? document.activeElement.outerHTML`)] = true
				}
				parts := []string{"HEADER", "MAIN", "FOOTER"}
				if view == "runs" || view == "worktrees" { // they have no past
					parts = parts[:2]
				}
				for _, part := range parts {
					if !places[part] {
						t.Errorf("%s, task %q: %s does not get to %s", view, task, name, part)
					}
				}
			}
		}
	}
}

// The focus is not lost by what the page does: where a view is chosen, a task closed, a dialog ended, or what has it goes away.
func TestFocusStays(t *testing.T) {
	r := smallRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r, "--write").url)
	kept := func(where string) {
		t.Helper()
		b.await(`document.activeElement !== document.body`)
		if why := value[string](b, lost); why != "" {
			t.Errorf("%s: %s", where, why)
		}
	}
	b.keys("m")
	kept("a card")
	b.keys(kb.Enter)
	b.await(`!document.querySelector('#task').hidden`)
	b.keys("o")
	kept("the task's pane")
	b.keys(kb.Escape)
	b.await(`document.querySelector('#task').hidden`)
	kept("after the pane")
	for _, key := range []string{"?", "a", "e"} {
		b.keys(key)
		b.await(`document.activeElement.closest('dialog') !== null`)
		kept("the dialog of " + key)
		b.keys(kb.Escape)
		b.await(`document.querySelector('dialog') === null`)
		kept("after the dialog of " + key)
	}
	id := value[string](b, `document.activeElement.dataset.id`)
	for _, view := range b.views() {
		b.keys(value[string](b, fmt.Sprintf(`document.querySelector('nav a[data-view=%s]').title`, view))[len("Key "):])
		b.await(fmt.Sprintf(`document.querySelector('#main').dataset.shown === %q`, view))
		b.keys("m")
		kept(view)
	}
	b.keys("1")
	b.await(`document.querySelector('#main').dataset.shown === 'board'`)
	b.keys("m")
	b.await(`document.activeElement.closest('.card') !== null`)
	ralph(t, r, "task", "cancel", id)
	b.await(fmt.Sprintf(`!document.querySelector('%s')`, card(id)))
	kept("after the card went away")
}

// The harness notices what pages must not do: what the policy forbids, dialogs, and requests to others.
func TestNoticed(t *testing.T) {
	b, s := newBrowser(t), serve(t, smallRepo(t))
	s.reported = true
	b.open(s.url)
	b.script(`(async () => {
		const script = document.createElement('script')
		try { script.textContent = 'window.ran = 1' } catch (error) { console.error('trusted', String(error)) }
		await fetch('http://127.0.0.1:9/').catch(() => 0)
		setTimeout(() => console.error('the end'))
	})()`)
	gittest.Await(t, "the console's last line, and the reports", func() bool {
		return strings.Contains(b.failed(""), "the end") && strings.Contains(s.messages(), "connect-src http://127.0.0.1:9/")
	})
	for _, want := range []string{"policy\" \"require-trusted-types-for", "policy\" \"connect-src", "trusted"} {
		if !strings.Contains(b.failed(""), want) {
			t.Errorf("not noticed: %s in %s", want, b.failed(""))
		}
	}
	b.script(`setTimeout(() => { location.href = 'http://127.0.0.1:9/leave' })`)
	gittest.Await(t, "a request to somebody else", func() bool { return strings.Contains(b.failed(""), "a request to http://127.0.0.1:9/leave") })
	b.mu.Lock()
	b.failures = nil
	b.mu.Unlock()
}
