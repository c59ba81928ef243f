//go:build web

package webpage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"git-ralph/internal/test/gittest"
)

// addWorktree adds a worktree beside a repository.
func addWorktree(t testing.TB, r *gittest.Repo, name string) *gittest.Repo {
	t.Helper()
	dir := r.Path("../" + name)
	r.Git("worktree", "add", "-q", "-b", name, dir)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return r.At("../" + name)
}

// All worktrees are seen together, what happens in any of them as it happens, and each cell leads to the task there, with keys alone. axe-core
// finds nothing wrong.
func TestWorktrees(t *testing.T) {
	r := smallRepo(t)
	two, three := addWorktree(t, r, "two"), addWorktree(t, r, "three")
	id := addTask(t, two, "Only in the second")
	b := newBrowser(t).withAxe()
	b.open(serve(t, r, "--write").url + "&view=worktrees")
	row := func(id string) string {
		return fmt.Sprintf(`[...document.querySelectorAll('.differences tbody tr')].find((row) => row.querySelector('.id').textContent === %q)?.innerText.replaceAll(/\s+/g, ' ')`, id)
	}
	b.await(row(id) + `?.endsWith(' absent absent ready')`) // by name: the repository's, three, two
	path := three.Path("ralph/plan.jsonl")
	if err := os.WriteFile(path, []byte(strings.Replace(three.ReadFile("ralph/plan.jsonl"), "Document the error codes", "Document all error codes", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	b.await(`document.querySelector('.page-text').innerText.includes('not committed') && ` + strings.ReplaceAll(row(id), `=== "`+id+`"`, `&& row.innerText.includes('Document')`) + `?.includes('text B')`)
	ralph(t, r, "task", "done", addTask(t, r, "Only in the first"))
	b.await(`document.querySelector('.differences').innerText.includes('Only in the first')`)

	b.keys("m")
	b.await(`document.activeElement.dataset.cell !== undefined`)
	b.keys(kb.ArrowDown, kb.ArrowUp)
	b.script(fmt.Sprintf(`document.querySelector('.differences a[data-id="%s"]').focus()`, id))
	b.keys(kb.Enter)
	b.await(fmt.Sprintf(`document.querySelector('#task h2')?.textContent === 'Only in the second' && document.querySelector('nav a[aria-current]').dataset.view === 'worktrees' && document.querySelector('#worktree').value === %q`, filepath.ToSlash(two.Dir)))
	b.keys("d")
	b.await(row(id) + `?.endsWith(' absent absent done')`)

	if os.Getenv("RALPH_AXE") != "" {
		source := axeSource(t)
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 600} {
				b.theme(theme)
				b.size(width, 800)
				if found := b.axe(source); found != "" {
					t.Errorf("%s, %d: %s", theme, width, found)
				}
				b.screenshot(fmt.Sprintf("worktrees-%s-%d", theme, width))
			}
		}
	}
	b.keys(kb.Escape)
	b.await(`document.querySelector('#task').hidden`)
	b.screenshot("worktrees-without-task")
	r.Git("worktree", "remove", "--force", three.Dir)
	b.await(`document.querySelectorAll('.differences thead th').length === 2`)
}

// With three worktrees of 10,000 tasks each, which differ in thousands of records, the server needs no more memory than with one, also while
// tasks of each are shown with their history.
func TestLargeWorktrees(t *testing.T) {
	r := largeRepo(t, tasks)
	all := []*gittest.Repo{r, addWorktree(t, r, "two"), addWorktree(t, r, "three")}
	text := strings.ReplaceAll(r.ReadFile("ralph/plan.jsonl"), `"high"`, `"medium"`)
	if err := os.WriteFile(all[1].Path("ralph/plan.jsonl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, r)
	b := newBrowser(t)
	b.open(s.url + "&view=worktrees")
	for i := range 3 {
		for column, tree := range all {
			name := fmt.Sprintf("New %d in %d", i, column)
			ralph(t, tree, "task", "add", name, "--id", fmt.Sprintf("t-000%c%d", 'a'+i, column)) // by its id, it is one of the first rows
			b.await(fmt.Sprintf(`document.querySelector('.differences').innerText.includes(%q)`, name))
			b.script(fmt.Sprintf(`document.querySelector('.differences a[data-id="t-000%c%d"]').click()`, 'a'+i, column))
			b.await(fmt.Sprintf(`document.querySelector('#task h2')?.textContent === %q && document.querySelector('#task .events') !== null`, name))
		}
	}
	b.shows("further records differ")
	memory(t, s)
}
