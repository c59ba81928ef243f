//go:build web

package webpage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// axe returns what axe-core finds wrong with the page as it is now.
func (b *tab) axe(source string) string {
	b.Helper()
	b.script(source + "\n;0")
	return value[string](b, `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((one) => one.id + ': ' + one.help + '\n' + one.nodes.slice(0, 5).map((node) => '  ' + node.html.slice(0, 200) + '\n  ' + node.failureSummary.replaceAll('\n', '\n  ')).join('\n')).join('\n'))`)
}

// axeSource returns the code of axe-core. Without it the test is skipped.
func axeSource(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("RALPH_AXE")
	if dir == "" {
		t.Skip("RALPH_AXE names no directory of npm: make test-web")
	}
	source, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// withAxe has the page run axe's own code, which its policy forbids.
func (b *tab) withAxe() *tab {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true}); err != nil {
		b.Fatal(err)
	}
	return b
}

// axe-core finds nothing wrong, in any view, light and dark, with and without a task, and with a hostile plan. The
// pictures of the views are made on the way.
func TestAxe(t *testing.T) {
	source := axeSource(t)
	for name, r := range map[string]func() string{
		"small":   func() string { return serve(t, smallRepo(t), "--write").url },
		"hostile": func() string { return serve(t, hostileRepo(t)).url },
	} {
		b := newBrowser(t).withAxe()
		b.open(r())
		check := func(where string) {
			t.Helper()
			if found := b.axe(source); found != "" {
				t.Errorf("%s: %s", where, found)
			}
			b.screenshot(strings.ReplaceAll(where, " ", "-"))
		}
		views := value[[]string](b, `[...document.querySelectorAll('nav a')].map((a) => a.dataset.view)`)
		id := value[string](b, `([...document.querySelectorAll('.card')].find((card) => card.innerText.includes('Document the error codes')) ?? document.querySelector('.card')).dataset.id`)
		for _, theme := range []string{"light", "dark"} {
			b.theme(theme)
			for _, view := range views {
				b.script(fmt.Sprintf("location.hash = '#view=%s'", view))
				b.await(fmt.Sprintf(`document.querySelector('nav a[aria-current]')?.dataset.view === %q && document.querySelector('#main').dataset.shown === %[1]q`, view))
				check(fmt.Sprintf("%s %s %s", name, view, theme))
			}
			b.script(fmt.Sprintf("location.hash = '#task=%s'", id))
			b.await(fmt.Sprintf(`document.querySelector('#task .id')?.textContent === %q`, id))
			check(name + " task " + theme)
			b.keys("?")
			b.await(`document.querySelector('dialog[open]') !== null`)
			check(name + " keys " + theme)
			b.script(`document.querySelector('dialog').close()`)
			if name == "small" {
				b.keys("e")
				b.await(`document.querySelector('dialog[open] form') !== null`)
				check(name + " form " + theme)
				b.script(`document.querySelector('dialog').close()`)
			}
		}
		b.do(chromedp.EmulateViewport(800, 600))
		check(name + " task narrow")
		b.script(`sessionStorage.clear(); location.href = location.origin`)
		b.shows("This page needs the address")
		check(name + " without a token")
	}
}

// axe-core finds nothing wrong with any dialog of the page, with a refusal in one, and with an error of the filter, light and dark.
func TestAxeDialogs(t *testing.T) {
	source := axeSource(t)
	r := questionsRepo(t)
	b := newBrowser(t).withAxe()
	b.open(serve(t, r, "--write").url)
	check := func(where string) {
		t.Helper()
		for _, theme := range []string{"light", "dark"} {
			b.theme(theme)
			if found := b.axe(source); found != "" {
				t.Errorf("%s, %s: %s", where, theme, found)
			}
			b.screenshot(strings.ReplaceAll(where, " ", "-") + "-" + theme)
		}
	}
	done := func() {
		b.keys(kb.Escape)
		b.await(`!document.querySelector('dialog')`)
	}
	for _, one := range questions() {
		b.card(one.on)
		b.keys(one.key)
		b.dialog(one.title)
		check("dialog " + one.title + " " + one.on)
		done()
	}
	for i, kind := range []string{"issue", "item"} {
		b.keys("A")
		b.dialog("Which one?")
		b.keys(strings.Repeat(kb.Tab, i), kb.Enter)
		b.dialog("New " + kind)
		check("new " + kind)
		done()
	}
	b.card("Write the parser")
	b.keys("r")
	b.dialog("Conflicts")
	b.keys(kb.Tab, kb.Tab, kb.Enter)
	b.dialog("What is to be in priority")
	check("another value")
	done()
	b.card("Stream large")
	b.keys("d")
	b.dialog("It was refused")
	check("it was refused")
	done()
	b.keys("a", "Waits for nothing", kb.Tab, kb.Tab, kb.Tab, "t-none", kb.Enter)
	b.await(`document.querySelector('dialog .refusal')?.textContent.includes('t-none')`)
	check("refusal in a dialog")
	done()
	b.keys("/", "status:x")
	b.await(`document.querySelector('#wrong').textContent.includes('status')`)
	check("an error of the filter")
}
