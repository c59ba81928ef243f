//go:build web

package webpage_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"git-ralph/internal/test/gittest"
)

// tasks is the size of a large plan, commits is how many are followed to the screen.
const (
	tasks   = 10_000
	commits = 20
)

// Limits on a machine that does nothing else. They are checked with as much again, for one that does; the figures are printed.
const (
	actionLimit = 100 * time.Millisecond // the 95th of a hundred actions of the page
	commitLimit = 250 * time.Millisecond // the 95th of all commits, from when the branch has it, to the screen
	memoryLimit = 100 << 20              // bytes of the server, at any time; this one is checked as it is
)

// With 10,000 tasks the page answers at once, shows a commit at once, and the server needs little memory, and none of the processor
// while nothing happens.
func TestLarge(t *testing.T) {
	r := largeRepo(t, tasks)
	s := serve(t, r, "--write")
	b := newBrowser(t)
	began := time.Now()
	b.open(s.url)
	report(t, "first page", time.Since(began), 0)
	var actions []time.Duration
	for _, kind := range pageActions(b) {
		actions = append(actions, kind.took...)
		slices.Sort(kind.took)
		report(t, "page action, "+kind.name+", median", kind.took[len(kind.took)/2], 0)
		report(t, "page action, "+kind.name+", 95th", kind.took[len(kind.took)*95/100], 0)
	}
	slices.Sort(actions)
	report(t, "page action, median", actions[len(actions)/2], 0)
	report(t, "page action, 95th of "+strconv.Itoa(len(actions)), actions[len(actions)*95/100], actionLimit)
	b.script(`location.hash = '#'`)
	var seen []time.Duration
	for i := range commits {
		seen = append(seen, commitToScreen(b, r, i))
	}
	slices.Sort(seen)
	report(t, "commit to screen, median of "+strconv.Itoa(commits), seen[commits/2], 0)
	report(t, "commit to screen, 95th of "+strconv.Itoa(commits), seen[commits*95/100-1], commitLimit)
	for _, theme := range []string{"light", "dark"} {
		b.theme(theme)
		for _, view := range value[[]string](b, `[...document.querySelectorAll('nav a')].map((a) => a.dataset.view)`) {
			b.script(fmt.Sprintf("location.hash = '#view=%s'", view))
			b.await(fmt.Sprintf(`document.querySelector('#main').dataset.shown === %q`, view))
			b.screenshot("large-" + view + "-" + theme)
		}
	}
	b.script(`location.hash = '#'`)
	time.Sleep(20 * time.Second) // memory is given back with a sign of life, every 15 s
	idle(t, s)
	memory(t, s)
}

// actions are actions of one kind, and how long each took until it was on the screen.
type actions struct {
	name string
	took []time.Duration
}

// pageActions does what users do.
func pageActions(b *tab) (all []*actions) {
	b.Helper()
	var kind *actions
	begin := func(name string) {
		kind = &actions{name: name}
		all = append(all, kind)
	}
	measured := func(script string) {
		b.Helper()
		took := value[float64](b, fmt.Sprintf(`(async () => {
			const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
			await painted()
			const began = performance.now()
			const until = async (condition) => { for (const end = began + 10_000; !condition();) { if (performance.now() > end) throw new Error('never: ' + condition); await new Promise((resolve) => setTimeout(resolve)) } }
			%s
			await painted()
			return performance.now() - began
		})()`, script))
		kind.took = append(kind.took, time.Duration(took*float64(time.Millisecond)))
	}
	begin("open a task")
	for i := range 25 {
		measured(fmt.Sprintf(`const card = document.querySelectorAll('.column.ready .card')[%d]; card.click(); await until(() => document.querySelector('#task .pane-head .id')?.textContent === card.dataset.id)`, i%8))
	}
	begin("filter")
	for i := range 25 {
		measured(fmt.Sprintf(`const search = document.querySelector('#search'); search.value = %q; search.dispatchEvent(new Event('input')); await until(() => document.documentElement.dataset.filter === search.value)`, fmt.Sprintf("task %d", 10+i)))
	}
	measured(`const search = document.querySelector('#search'); search.value = ''; search.dispatchEvent(new Event('input')); await until(() => document.documentElement.dataset.filter === '')`)
	begin("scroll")
	for range 25 {
		measured(`const list = document.querySelector('.column.blocked .list'); list.scrollTop += 5000; await until(() => Number(list.querySelector('li:nth-child(3)').dataset.index) * 72 > list.scrollTop - 800)`)
	}
	begin("switch the view")
	for i, views := 0, b.views(); i < 25; i++ {
		measured(fmt.Sprintf(`location.hash = '#view=%[1]s'; await until(() => document.querySelector('#main').dataset.shown === '%[1]s')`, views[(i+1)%len(views)]))
	}
	b.script(`location.hash = '#'`)
	b.await(`document.querySelector('#main').dataset.shown === 'board'`)
	begin("a key")
	b.script(`document.querySelector('.column.ready .card').focus()`)
	for range 25 {
		began := time.Now()
		was := value[string](b, `document.activeElement.dataset.id`)
		b.keys(kb.PageDown)
		b.await(fmt.Sprintf(`document.activeElement.dataset.id !== %q`, was))
		kind.took = append(kind.took, time.Since(began))
	}
	return all
}

// commitToScreen returns the time from when a branch has a commit until the page shows it.
func commitToScreen(b *tab, r *gittest.Repo, i int) time.Duration {
	b.Helper()
	b.script(fmt.Sprintf(`window.shownAt = new Promise((resolve) => {
		const look = () => document.querySelector('.board')?.innerText.includes('New %d') ? requestAnimationFrame(() => setTimeout(() => resolve(Date.now()))) : setTimeout(look, 1)
		look()
	}); 0`, i))
	b.script(fmt.Sprintf(`history.replaceState(null, '', '#q=' + encodeURIComponent('"New %d"')); dispatchEvent(new HashChangeEvent('hashchange'))`, i))
	b.await(fmt.Sprintf(`document.documentElement.dataset.filter === '"New %d"'`, i))
	ralph(b, r, "task", "add", fmt.Sprintf("New %d", i), "--id", fmt.Sprintf("t-new%d", i), "--priority", "high")
	branch, err := os.Stat(r.Path(".git/" + r.Git("symbolic-ref", "HEAD")))
	if err != nil {
		b.Fatal(err)
	}
	return time.UnixMilli(int64(value[float64](b, `window.shownAt`))).Sub(branch.ModTime())
}

// report prints a figure, and fails where it is more than twice its limit; 0: there is none.
func report(t *testing.T, what string, got, limit time.Duration) {
	t.Helper()
	t.Logf("%-40s %8.1f ms%s", what, float64(got.Microseconds())/1000, limitText(limit))
	if limit > 0 && got > 2*limit {
		t.Errorf("%s: %v, want %v", what, got, limit)
	}
}

func limitText(limit time.Duration) string {
	if limit == 0 {
		return ""
	}
	return fmt.Sprintf("   (limit %v)", limit)
}

// idle measures the processor's time that the server takes in ten seconds with an open page.
func idle(t *testing.T, s *server) {
	t.Helper()
	before := ticks(t, s)
	time.Sleep(10 * time.Second)
	used := ticks(t, s) - before
	t.Logf("%-40s %8d ticks of 10 ms in 10 s", "idle server", used)
	if used > 3 {
		t.Errorf("an idle server used %d ticks", used)
	}
}

// ticks returns the processor's time of the server, in hundredths of a second.
func ticks(t *testing.T, s *server) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		t.Skip("the time of a process is read on Linux alone")
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}

// memory measures what the server has in memory, and the most that it ever had.
func memory(t *testing.T, s *server) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"VmRSS", "VmHWM"} {
		_, rest, _ := strings.Cut(string(text), name+":")
		var kilobytes int
		fmt.Sscan(rest, &kilobytes) //nolint:errcheck // 0 then
		t.Logf("%-40s %8.1f MB", "memory of the server, "+name, float64(kilobytes)/1024)
		if kilobytes<<10 > memoryLimit {
			t.Errorf("the server: %s is %d kB", name, kilobytes)
		}
	}
}
