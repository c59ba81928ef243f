package endtoend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// A meeting is a repository in which branch main, checked out, has what ours
// holds, and branch theirs what theirs holds, both on top of branch base. It
// has a plan for each row, so that one merge of git shows all of them.
type meeting struct {
	*repo
	base, ours, theirs, want map[string]string // by path
}

// register lets git find the driver, by the line that docs/merge.md shows.
func register(t *testing.T, r *repo) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/merge.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "git config merge.ralph.driver '")
	line, _, found := strings.Cut(rest, "'\n")
	if !found {
		t.Fatal("docs/merge.md does not show the driver's line")
	}
	r.Git("config", "merge.ralph.name", "plan of git ralph")
	r.Git("config", "merge.ralph.driver", line)
}

// newMeeting makes the repository. swapped lets the sides change places; want is
// what the driver makes of them, nil where that is to be found out.
func newMeeting(t *testing.T, swapped bool, want map[string]string) *meeting {
	t.Helper()
	m := &meeting{repo: withProgram(t, gittest.NewRepo(t)), base: map[string]string{}, ours: map[string]string{}, theirs: map[string]string{}}
	register(t, m.repo)
	m.Git("config", "core.fsync", "none")
	for i, row := range mergeRows {
		path := fmt.Sprintf("plans/%02d %s.jsonl", i, row.name)
		if row.base != "" {
			m.base[path] = row.base
		}
		m.ours[path], m.theirs[path] = row.ours, row.theirs
	}
	if swapped {
		m.ours, m.theirs = m.theirs, m.ours
	}
	if m.want = want; want == nil {
		m.want = m.driven(m.base, m.ours, m.theirs)
	}
	m.Commit("attributes", map[string]string{".gitattributes": "*.jsonl merge=ralph\n"})
	m.commit("base", m.base)
	m.Git("branch", "base")
	m.Git("checkout", "-q", "-b", "theirs")
	m.commit("theirs", m.theirs)
	m.Git("checkout", "-q", "main")
	m.commit("ours", m.ours)
	return m
}

// commit makes the plans of the worktree these.
func (m *meeting) commit(message string, plans map[string]string) {
	m.t.Helper()
	m.put(plans)
	m.Git("commit", "-q", "--allow-empty", "-m", message)
}

func (m *meeting) put(plans map[string]string) {
	m.t.Helper()
	if err := os.RemoveAll(m.Path("plans")); err != nil {
		m.t.Fatal(err)
	}
	for path, text := range plans {
		m.WriteFile(path, text)
	}
	m.Git("add", "-A")
}

// driven is what the driver makes of plans when git has no part in it.
func (m *meeting) driven(base, ours, theirs map[string]string) map[string]string {
	m.t.Helper()
	dir, want := m.t.TempDir(), map[string]string{}
	for path := range ours {
		for name, text := range map[string]string{"base": base[path], "ours": ours[path], "theirs": theirs[path]} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				m.t.Fatal(err)
			}
		}
		if out, err := m.At(dir).Run("git-ralph-merge-driver", "--output", "merged", "base", "ours", "theirs"); err != nil {
			m.t.Fatalf("%s: %v\n%s", path, err, out)
		}
		merged, err := os.ReadFile(filepath.Join(dir, "merged"))
		if err != nil {
			m.t.Fatal(err)
		}
		want[path] = string(merged)
	}
	return want
}

// holds checks what stands in the worktree.
func (m *meeting) holds(want map[string]string) {
	m.t.Helper()
	for path, text := range want {
		if got := m.ReadFile(path); got != text {
			m.t.Errorf("%s is\n%swant\n%s", path, got, text)
		}
	}
	if left := m.Git("ls-files", "--unmerged"); left != "" {
		m.t.Errorf("unmerged: %s", left)
	}
	if left := m.Git("ls-files", "--others"); left != "" {
		m.t.Errorf("left behind: %s", left)
	}
}

// gitOperations are the ways to have git merge theirs into ours on top of base.
var gitOperations = map[string]func(m *meeting){
	"merge":           func(m *meeting) { m.Git("merge", "-q", "-m", "merge", "theirs") },
	"merge recursive": func(m *meeting) { m.Git("merge", "-q", "-s", "recursive", "-m", "merge", "theirs") },
	"merge squash":    func(m *meeting) { m.Git("merge", "-q", "--squash", "theirs") },
	"rebase merge":    func(m *meeting) { m.Git("rebase", "-q", "--merge", "theirs") },
	"rebase apply":    func(m *meeting) { m.Git("rebase", "-q", "--apply", "theirs") },
	"cherry-pick":     func(m *meeting) { m.Git("cherry-pick", "theirs") },
	"am": func(m *meeting) {
		m.GitIn(m.Git("format-patch", "-1", "--stdout", "--full-index", "theirs")+"\n", "am", "-q", "-3")
	},
	"revert": func(m *meeting) {
		m.Git("checkout", "-q", "theirs")
		m.commit("base again", m.base)
		undone := m.Git("rev-parse", "HEAD")
		m.commit("ours", m.ours)
		m.Git("revert", "--no-edit", undone)
	},
	"stash pop": func(m *meeting) {
		m.Git("checkout", "-q", "-b", "work", "base")
		m.put(m.theirs)
		m.Git("stash", "-q")
		m.Git("reset", "-q", "--hard", "main")
		m.Git("stash", "pop", "-q")
	},
	"checkout --merge": func(m *meeting) {
		m.Git("checkout", "-q", "base")
		for path, text := range m.theirs {
			if m.base[path] != "" {
				m.WriteFile(path, text)
			}
		}
		m.Git("checkout", "-q", "--merge", "main")
		for path := range m.theirs {
			if m.base[path] == "" {
				m.WriteFile(path, m.want[path]) // git does not touch files that it does not know
			}
		}
	},
	"pull":        func(m *meeting) { m.pull("--no-rebase", "--no-edit") },
	"pull rebase": func(m *meeting) { m.pull("--rebase") },
}

// pull gets theirs from another repository.
func (m *meeting) pull(args ...string) {
	other := m.t.TempDir()
	m.Git("clone", "-q", "--bare", ".", other)
	m.Git("branch", "-q", "-D", "theirs")
	m.Git(append([]string{"pull", "-q"}, append(args, other, "theirs")...)...)
}

// docs/merge.md, "Use it now": wherever git merges, plans come out as the rules
// say, whichever side is whose, and nothing stops.
func TestGitOperations(t *testing.T) {
	want := newMeeting(t, false, nil).want
	for name, operate := range gitOperations {
		for _, swapped := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s swapped=%v", name, swapped), func(t *testing.T) {
				t.Parallel()
				m := newMeeting(t, swapped, want)
				operate(m)
				m.holds(m.want)
			})
		}
	}
}

// merge-tree merges without a worktree.
func TestMergeTree(t *testing.T) {
	m := newMeeting(t, false, nil)
	m.NeedVersion(2, 38)
	tree := m.Git("merge-tree", "--write-tree", "main", "theirs")
	for path, want := range m.want {
		if got := m.Git("cat-file", "blob", tree+":"+path) + "\n"; got != want {
			t.Errorf("%s is\n%swant\n%s", path, got, want)
		}
	}
}

// Strategy resolve asks no driver. It stops with markers, and never takes one
// side in silence (docs/merge.md, "What can go wrong").
func TestResolveStrategy(t *testing.T) {
	m := newMeeting(t, false, nil)
	if _, err := m.TryGit("merge", "-q", "-s", "resolve", "-m", "merge", "theirs"); err == nil {
		t.Fatal("text that conflicts was merged")
	}
	unmerged := m.Git("ls-files", "--unmerged")
	for path, ours := range m.ours {
		if m.ReadFile(path) == ours && ours != m.want[path] && !strings.Contains(unmerged, path) {
			t.Errorf("%s is ours, and git does not say so", path)
		}
	}
}

// A criss-cross, where git merges the ancestors first, to a plan that is a base
// like any other. What merge.ralph.recursive names does that merge.
func TestVirtualAncestor(t *testing.T) {
	want := newMeeting(t, false, nil).want
	for _, recursive := range []string{"", "ralph", "binary", "text"} {
		for _, strategy := range []string{"ort", "recursive"} {
			t.Run(recursive+" "+strategy, func(t *testing.T) {
				t.Parallel()
				m := newMeeting(t, false, want)
				if recursive != "" {
					m.Git("config", "merge.ralph.recursive", recursive)
				}
				one, two := m.cross()
				_, err := m.TryGit("merge", "-q", "-s", strategy, "-m", "across", "two")
				if recursive == "text" { // markers in the base: lines are merged
					m.nothingMissing(one, two)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				base := m.want
				if recursive == "binary" {
					base = m.base
				}
				m.holds(m.driven(base, one, two))
			})
		}
	}
}

// cross lets main and branch two each merge the other's side, and then add a
// task of their own. It returns what they hold; main is checked out.
func (m *meeting) cross() (one, two map[string]string) {
	added := func(id string) map[string]string {
		plans := map[string]string{}
		for path, text := range m.want {
			plans[path] = text + records(taskOf(id, `"s": "p", "created_at": "2026-02-01T00:00:00.000Z"`))
		}
		return plans
	}
	one, two = added("t-one"), added("t-two")
	m.Git("branch", "ours")
	m.Git("merge", "-q", "-m", "one", "theirs")
	m.commit("one", one)
	m.Git("checkout", "-q", "-b", "two", "theirs")
	m.Git("merge", "-q", "-m", "two", "ours")
	m.commit("two", two)
	m.Git("checkout", "-q", "main")
	return one, two
}

// nothingMissing checks that every plan of the worktree has the lines of both.
func (m *meeting) nothingMissing(one, two map[string]string) {
	m.t.Helper()
	for path := range one {
		text := m.ReadFile(path)
		for line := range strings.Lines(one[path] + two[path]) {
			if !strings.Contains(text, line) {
				m.t.Errorf("%s lacks %s in\n%s", path, line, text)
			}
		}
	}
}

// One side moves the plan to another path, the other edits it where it was.
func TestPlanMoves(t *testing.T) {
	for name, operation := range map[string][]string{
		"merge": {"merge", "-q", "-m", "merge", "theirs"}, "recursive": {"merge", "-q", "-s", "recursive", "-m", "merge", "theirs"},
		"rebase": {"rebase", "-q", "theirs"}, "cherry-pick": {"cherry-pick", "theirs"},
	} {
		for _, moves := range []string{"main", "theirs"} {
			t.Run(name+" "+moves, func(t *testing.T) {
				t.Parallel()
				r := newPlan(t)
				register(t, r)
				r.Commit("attributes", map[string]string{".gitattributes": "plan.jsonl merge=ralph\n"})
				for _, task := range []string{"one", "two", "three", "four"} {
					r.must("task", "add", "--id", "t-"+task, task)
				}
				r.Git("branch", "theirs")
				for branch, priority := range map[string]string{"main": "high", "theirs": "low"} {
					r.Git("checkout", "-q", branch)
					r.must("task", "edit", "t-one", "--priority", priority, "--notes", "by "+branch)
				}
				r.Git("checkout", "-q", moves)
				r.Git("mv", planFile, "plan.jsonl")
				r.Git("commit", "-q", "-m", "move the plan")
				r.Git("config", "ralph.plan", "plan.jsonl")
				r.Git("checkout", "-q", "main")
				if name == "cherry-pick" && moves == "theirs" {
					r.Git("cherry-pick", "theirs^", "theirs")
				} else {
					r.Git(operation...)
				}
				text := r.ReadFile("plan.jsonl")
				if r.Exists(planFile) || strings.Count(text, "\n") != 5 || !strings.Contains(text, `"priority": "high"`) ||
					!strings.Contains(text, `"conflict": {"notes": ["by main", "by theirs"]}`) {
					t.Errorf("the plan is\n%s", text)
				}
				r.must("check")
			})
		}
	}
}
