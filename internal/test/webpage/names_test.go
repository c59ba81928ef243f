//go:build web

package webpage_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

const hostileName = "\u202e<img src=x onerror=\"window.ran='name'\">\u2066"

// strangersRepo makes a repository where people, machines, branches, messages and reasons are hostile too.
func strangersRepo(t testing.TB) (r *gittest.Repo, id string) {
	t.Helper()
	r = smallRepo(t)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		r = r.Setenv("GIT_"+who+"_NAME", "Eve "+hostileName).Setenv("GIT_"+who+"_EMAIL", "eve\u202e\u2066javascript:alert(1)@example.com")
	}
	id = addTask(t, r, "Neighbours \u202estay "+strings.Repeat("W", 10_000), "--label", "\u202elabel<b>", "--notes", strings.Repeat("x", 10_000)+" <script>alert(2)</script> javascript:alert(3)")
	ralph(t, r, "task", "done", id)
	ralph(t, r, "task", "reject", id, "No: "+hostileName+strings.Repeat("y", 10_000))
	r.Git("checkout", "-q", "-b", "<img-src=x-onerror=alert(4)>-\u202ebranch")
	ralph(t, r, "task", "edit", id, "--notes", "\u202e"+strings.Repeat("z", 10_000))
	ralph(t, r, "claim", id)
	return r, id
}

// Names of strangers, of branches, reasons and claims run nothing, and no mark in them changes the order of what stands beside them.
func TestStrangersNames(t *testing.T) {
	r, id := strangersRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r).url)
	b.script(fmt.Sprintf("location.hash = '#task=%s'", id))
	b.await(fmt.Sprintf(`document.querySelector('#task .id')?.textContent === %q && document.querySelectorAll('#task .events > li').length >= 4`, id))
	b.shows("eve")
	for _, view := range b.views() {
		for _, width := range []int64{800, 1280} {
			b.size(width, 700)
			b.script(fmt.Sprintf("location.hash = '#view=%s&task=%s'", view, id))
			b.await(fmt.Sprintf(`document.querySelector('#main').dataset.shown === %q`, view))
			if wrong := value[string](b, disordered); wrong != "" {
				t.Errorf("%s, %d: %s", view, width, wrong)
			}
			if ran := value[string](b, `String(window.ran ?? '')`); ran != "" {
				t.Errorf("%s: %s ran", view, ran)
			}
			b.screenshot(fmt.Sprintf("strangers-%s-%d", view, width))
		}
	}
}

// disordered is an expression for texts with marks of direction that take effect, and for what the page is too narrow for.
const disordered = `(() => {
	const wrong = []
	for (const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walker.nextNode();) {
		const text = walker.currentNode
		if (/\p{Bidi_Control}/u.test(text.data)) wrong.push('takes effect: ' + text.parentElement.outerHTML.slice(0, 200))
	}
	if (document.scrollingElement.scrollWidth > innerWidth || document.scrollingElement.scrollHeight > innerHeight) wrong.push('the page scrolls')
	const pane = document.querySelector('#task')
	if (pane.scrollWidth > pane.clientWidth) wrong.push('the pane scrolls sideways')
	return wrong.join('\n')
})()`

// Whoever may only read is refused by the server too, whatever the page sends.
func TestReadOnly(t *testing.T) {
	r := smallRepo(t)
	b := newBrowser(t)
	b.open(serve(t, r).url)
	head := r.Git("rev-parse", "HEAD")
	reply := value[string](b, `import('./net.js').then(({ act }) => act({ do: 'undo' })).then((done) => JSON.stringify(done), (error) => JSON.stringify({ status: error.status, text: error.message }))`)
	var refused struct{ Status int }
	if err := json.Unmarshal([]byte(reply), &refused); err != nil || refused.Status != 403 {
		t.Errorf("an action: %s", reply)
	}
	if r.Git("rev-parse", "HEAD") != head {
		t.Error("the plan was changed")
	}
	b.mu.Lock()
	b.failures = nil // the console has the refusal
	b.mu.Unlock()
}
