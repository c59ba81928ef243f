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
)

// axe returns what axe-core finds wrong with the page as it is now.
func (b *tab) axe(source string) string {
	b.Helper()
	b.script(source + "\n;0")
	return value[string](b, `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((one) => one.id + ': ' + one.help + '\n' + one.nodes.slice(0, 5).map((node) => '  ' + node.html.slice(0, 200) + '\n  ' + node.failureSummary.replaceAll('\n', '\n  ')).join('\n')).join('\n'))`)
}

// axe-core finds nothing wrong, in any view, light and dark, with and without a task, in dialogs, and with a hostile plan. The
// pictures of the views are made on the way.
func TestAxe(t *testing.T) {
	dir := os.Getenv("RALPH_AXE")
	if dir == "" {
		t.Skip("RALPH_AXE names no directory of npm: make test-web")
	}
	source, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]func() string{
		"small":   func() string { return serve(t, smallRepo(t), "--write").url },
		"hostile": func() string { return serve(t, hostileRepo(t)).url },
	} {
		b := newBrowser(t)
		if _, err := chromedp.Call(b.ctx, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true}); err != nil { // for axe's own code
			t.Fatal(err)
		}
		b.open(r())
		check := func(where string) {
			t.Helper()
			if found := b.axe(string(source)); found != "" {
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
