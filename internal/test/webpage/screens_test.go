//go:build web

package webpage_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"git-ralph/internal/test/gittest"
)

// A screen is what the page shows in one picture.
type screen struct {
	name string
	at   string       // what the address says after "#"
	then func(b *tab) // nil: nothing
}

// sizes are those of windows of 80×24, 120×40 and 160×50 characters, of a telephone and of a very wide window.
func sizes() [][2]int64 {
	return [][2]int64{{640, 384}, {960, 640}, {1280, 800}, {390, 844}, {2560, 1440}}
}

// Pictures of all that the page shows, for people to look at: each view, dialog and state, for each kind of plan, in windows of each size,
// light and dark.
func TestScreens(t *testing.T) {
	if os.Getenv("GIT_RALPH_SCREENS") == "" {
		t.Skip("GIT_RALPH_SCREENS names no directory for pictures")
	}
	themes, few := []string{"light", "dark"}, [][2]int64{{640, 384}, {390, 844}, {1280, 800}}
	for _, plan := range []struct {
		name   string
		make   func(testing.TB) *gittest.Repo
		task   string // a part of the name of the task that is opened
		more   func(task string) []screen
		sizes  [][2]int64
		themes []string
	}{
		{"ten", workedRepo, "Document the error codes", actionScreens, sizes(), themes},
		{"scripts", scriptsRepo, "family", nil, sizes(), themes},
		{"large", func(t testing.TB) *gittest.Repo { return largeRepo(t, tasks) }, "Task 5000", nil, sizes(), themes},
		{"empty", emptyRepo, "", actionScreens, few, themes[:1]},
	} {
		t.Run(plan.name, func(t *testing.T) {
			r := plan.make(t)
			b := newBrowser(t)
			b.open(serve(t, r, "--write").url)
			id := value[string](b, fmt.Sprintf(`import('./net.js').then(({ get }) => get('board')).then(({ view }) => view.columns.flatMap((column) => column.cards).find((card) => %q && card.name.includes(%[1]q))?.id ?? '')`, plan.task))
			screens := viewScreens(b, id)
			if plan.more != nil {
				screens = append(screens, plan.more(id)...)
			}
			for _, size := range plan.sizes {
				b.size(size[0], size[1])
				for _, theme := range plan.themes {
					b.theme(theme)
					for _, one := range screens {
						b.take(one, fmt.Sprintf("%s-%s-%d-%s", plan.name, one.name, size[0], theme))
					}
				}
			}
		})
	}
}

// viewScreens are the views, with a task beside the board and the graph.
func viewScreens(b *tab, id string) []screen {
	var all []screen
	for _, view := range b.views() {
		all = append(all, screen{view, "view=" + view, nil})
		if id != "" && slices.Contains([]string{"board", "graph"}, view) {
			all = append(all, screen{view + "-task", "view=" + view + "&task=" + id, nil})
		}
	}
	return all
}

// actionScreens are the dialogs, and what the page says of what was done.
func actionScreens(id string) []screen {
	press := func(keys ...string) func(b *tab) {
		return func(b *tab) {
			b.keys(keys...)
			b.await(`document.querySelector('dialog[open]') !== null`)
		}
	}
	all := []screen{
		{"keys", "", press("?")},
		{"new", "", press("a")},
		{"new-issue", "", press("A")},
		{"refused", "", func(b *tab) {
			b.keys("a", "Waits for nothing", kb.Tab, kb.Tab, kb.Tab, "t-none", kb.Tab, kb.Tab, kb.Tab, kb.Enter)
			b.await(`document.querySelector('dialog .refusal').textContent !== ''`)
		}},
		{"no-match", "q=nothing+has+this", nil},
	}
	if id != "" {
		all = append(all,
			screen{"edit", "task=" + id, press("e")}, screen{"cancel", "task=" + id, press("X")}, screen{"pane-end", "task=" + id, func(b *tab) { b.script(`document.querySelector('#task').scrollTop = 1e6`) }},
			screen{"focus", "", func(b *tab) { b.keys("m", kb.ArrowRight) }},
			screen{"reject", "", func(b *tab) {
				b.script(`document.querySelector('.column.landed .card').focus()`)
				press("x")(b)
			}},
			screen{"past", "", func(b *tab) {
				b.script(`document.querySelector('#moment').focus()`)
				b.await(`document.querySelector('#moment').max > 5`)
				b.keys(kb.Home, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
				b.await(`!document.querySelector('#banner').hidden`)
			}})
	}
	return all
}

// take shows a screen, and makes its picture.
func (b *tab) take(one screen, name string) {
	b.Helper()
	b.script(`document.querySelector('dialog')?.close(); document.querySelector('#toast').hidden = true; document.activeElement.blur(); location.hash = '#view=board'`)
	b.await(`document.querySelector('#banner').hidden && document.querySelector('#main').dataset.shown === 'board'`)
	b.script(fmt.Sprintf(`location.hash = '#%s'`, one.at))
	b.await(`(() => {
		const at = (name) => new URLSearchParams(location.hash.slice(1)).get(name) ?? ''
		return document.querySelector('#main').dataset.shown === (at('view') || 'board') && document.documentElement.dataset.filter === at('q') && (document.querySelector('#task .id')?.textContent ?? '') === at('task')
	})()`)
	if one.then != nil {
		one.then(b)
	}
	b.script(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))`)
	b.screenshot(name)
}

// TestScreensApart makes pictures of what a page is in once: read-only, without a connection, without a token or a plan.
func TestScreensApart(t *testing.T) {
	if os.Getenv("GIT_RALPH_SCREENS") == "" {
		t.Skip("GIT_RALPH_SCREENS names no directory for pictures")
	}
	r := smallRepo(t)
	s := serve(t, r)
	c := newCable(t, s)
	b := newBrowser(t, c.flag(s))
	b.open(s.url)
	each := func(name string) {
		for _, size := range [][2]int64{{640, 384}, {390, 844}, {1280, 800}} {
			for _, theme := range []string{"light", "dark"} {
				b.size(size[0], size[1])
				b.theme(theme)
				b.script(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))`)
				b.screenshot(fmt.Sprintf("apart-%s-%d-%s", name, size[0], theme))
			}
		}
	}
	each("read-only")
	c.cut()
	b.await(`document.querySelector('#live').classList.contains('lost')`)
	b.script(`location.hash = '#view=burndown'`)
	b.shows("The connection is lost")
	each("lost")
	b.script(`location.hash = '#task=t-none'`)
	b.await(`!document.querySelector('#banner').hidden`)
	each("lost-seen")
	c.repair()
	b.await(`document.querySelector('#live').classList.contains('live')`)
	r.WriteFile("ralph/plan.jsonl", r.ReadFile("ralph/plan.jsonl")+"{\"t\": \"task\", \"id\": \"t-1\", broken\n")
	b.script(`location.hash = '#'`)
	b.await(`!document.querySelector('#banner').hidden`)
	each("broken-plan")
	b.script(`sessionStorage.clear(); location.href = location.origin`)
	b.shows("This page needs the address")
	each("no-token")
}

// emptyRepo makes a repository whose plan has nothing.
func emptyRepo(t testing.TB) *gittest.Repo {
	r := newRepo(t)
	r.Commit("start", map[string]string{"spec.md": "spec\n"})
	ralph(t, r, "init", "--spec", "spec.md", "--yes")
	return r
}

// workedRepo is the small one, in which agents have worked, and one does.
func workedRepo(t testing.TB) *gittest.Repo {
	r := smallRepo(t)
	agent := filepath.Join(t.TempDir(), "scripted-agent")
	if out, err := exec.Command("go", "build", "-o", agent, "../demo/scripted-agent").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	scenario := strings.Join([]string{
		"BUILD", "  write one.txt some text", `  report {"verdict": "done", "summary": "Wrote the first part.", "files": ["one.txt"]}`,
		"BUILD", `  report {"verdict": "blocked", "reason": "The grammar of version 2 is nowhere in the specification; somebody has to say which one is meant."}`,
		"always VERIFY", "  pass", "",
	}, "\n")
	r.WriteFile("../scenario", scenario)
	t.Cleanup(func() { os.Remove(r.Path("../scenario")) }) //nolint:errcheck // it is in a directory that goes
	r.Git("config", "ralph.agent", agent+" '"+r.Path("../scenario")+"'")
	addTask(t, r, "Add the first part of the grammar", "--priority", "high")
	addTask(t, r, "Add the second part of the grammar", "--priority", "high")
	if out, err := r.Run("git", "ralph", "build", "--max-iterations", "3"); err != nil {
		t.Logf("%v: %s", err, out)
	}
	r.WriteFile("../scenario", scenario+"BUILD\n  sleep 1h\n")
	at := exec.Command("git", "ralph", "build")
	at.Dir, at.Env = r.Dir, r.Env
	if err := at.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		at.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
		at.Wait()                          //nolint:errcheck // it is ended
	})
	return r
}

// scriptsRepo makes a repository whose names and ids are long, and in many scripts and directions.
func scriptsRepo(t testing.TB) *gittest.Repo {
	r := newRepo(t)
	r.Commit("start", map[string]string{"spec.md": "spec\n"})
	r.Git("config", "ralph.target", r.Git("symbolic-ref", "--short", "HEAD"))
	ralph(t, r, "init", "--spec", "spec.md", "--yes")
	var last []string
	for i, name := range []string{
		strings.Repeat("A very long name that goes on and on and on, ", 12), strings.Repeat("Donaudampfschifffahrtsgesellschaftskapitän", 10),
		strings.Repeat("MWMWMW WIDE CAPITALS ", 8), "解析器のエラーメッセージを日本語に翻訳し、長い行を折り返す。そして、すべてのテストを書き直す必要があります",
		"한국어로 된 오류 메시지를 번역하고 테스트를 작성합니다", "A family 👨‍👩‍👧‍👦, flags 🇯🇵🇩🇪🇺🇳, a tone 👍🏽, a keycap 3️⃣ and 🏳️‍🌈 in one name",
		"كتابة الاختبارات للمحلل (with English 42 inside) ثم مراجعة الإصدار 3.14 قبل النشر", "לכתוב בדיקות עבור המנתח v2.0 (parser.go:120) ולבדוק שוב",
		"fix: المحلل v2 in the parser", strings.Repeat("e\u0301\u0302\u0303\u0304\u0305", 30) + " combining marks", "Zalgo " + strings.Repeat("a"+strings.Repeat("\u0300\u0301\u0302\u0489", 10), 8),
		"हिन्दी में त्रुटि संदेश और ภาษาไทยไม่มีช่องว่างระหว่างคำ", "`code` <b>not bold</b> & \"quotes\" \\n %s $HOME",
	} {
		id := fmt.Sprintf("t-%d", i)
		if i%3 == 1 {
			id = fmt.Sprintf("t-a-very-long-id-that-somebody-chose-for-number-%d", i)
		}
		args := []string{name, "--id", id, "--notes", name, "--label", fmt.Sprintf("label-%d", i), "--accept", name}
		if i > 1 {
			args = append(args, "--dep", last[i-2])
		}
		if i%4 == 2 {
			args = append(args, "--priority", "high")
		}
		last = append(last, addTask(t, r, args...))
	}
	ralph(t, r, "issue", "add", "تقرير عن خطأ in the parser")
	ralph(t, r, "task", "edit", last[5], "--notes", "A family 👨‍👩‍👧 of two parents and one child, 解析器のエラーを直す")
	ralph(t, r, "task", "done", last[0], last[1])
	ralph(t, r, "task", "reject", last[0], "السبب: لا توجد اختبارات (no tests at all)")
	ralph(t, r, "task", "done", last[0])
	ralph(t, r, "task", "accept", last[1])
	ralph(t, r.Setenv("GIT_RALPH_WORKER", "très-long-worker-name-from-東京"), "claim", last[3])
	return r
}
