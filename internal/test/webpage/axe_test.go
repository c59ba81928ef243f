//go:build web

package webpage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	r := smallRepo(t)
	ralph(t, r, "item", "add", "Faster parsing")
	conflict := regexp.MustCompile(`(?m)^(.*"Write the parser".*"priority": "high")`).ReplaceAllString(r.ReadFile("ralph/plan.jsonl"), `$1, "conflict": {"priority": ["high", "low"]}`)
	r.Commit("merge", map[string]string{"ralph/plan.jsonl": conflict})
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
	title := func(part string) {
		t.Helper()
		b.await(fmt.Sprintf(`document.querySelector('dialog[open] h2')?.textContent.includes(%q)`, part))
	}
	done := func() {
		b.keys(kb.Escape)
		b.await(`!document.querySelector('dialog')`)
	}
	const task, issue, item = "Write the parser", "The parser test is flaky", "Faster parsing"
	for _, one := range []struct{ on, key, title string }{
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
	} {
		b.script(fmt.Sprintf(`[...document.querySelectorAll('.card')].find((card) => card.innerText.includes(%q)).focus()`, one.on))
		b.keys(one.key)
		title(one.title)
		check("dialog " + one.title + " " + one.on)
		done()
	}
	for i, kind := range []string{"issue", "item"} {
		b.keys("A")
		title("Which one?")
		b.keys(strings.Repeat(kb.Tab, i), kb.Enter)
		title("New " + kind)
		check("new " + kind)
		done()
	}
	b.script(fmt.Sprintf(`[...document.querySelectorAll('.card')].find((card) => card.innerText.includes(%q)).focus()`, task))
	b.keys("r")
	title("Conflicts")
	b.keys(kb.Tab, kb.Tab, kb.Enter)
	title("What is to be in priority")
	check("another value")
	done()
	b.script(`[...document.querySelectorAll('.card')].find((card) => card.innerText.includes('Stream large')).focus()`)
	b.keys("d")
	title("It was refused")
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
