package land_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/land"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// site is a repository with tasks on main, which is not checked out, and branches that begin there.
type site struct {
	*gittest.Repo
	t      *testing.T
	tasks  int
	base   string
	target string
}

const target = "refs/heads/main"

// newSite makes a repository whose plan has tasks t-001 and so on, all pending, and these files.
func newSite(t *testing.T, tasks int, files map[string]string) *site {
	t.Helper()
	r := gittest.NewRepo(t)
	s := &site{Repo: r, t: t, tasks: tasks, target: target}
	all := map[string]string{"ralph/plan.jsonl": s.plan(nil)}
	maps.Copy(all, files)
	s.base = r.Commit("base", all)
	r.Git("checkout", "-q", "--detach")
	return s
}

// plan returns the text of a plan in which some tasks are done.
func (s *site) plan(done map[int]string) string {
	var b strings.Builder
	b.WriteString(`{"t": "spec", "spec": "s.md"}` + "\n")
	for n := 1; n <= s.tasks; n++ {
		state := `"s": "p"`
		if attempt, ok := done[n]; ok {
			state = fmt.Sprintf(`"s": "d", "done_at": "%.12s", "attempt": %q`, s.base, attempt)
		}
		fmt.Fprintf(&b, `{"t": "task", "id": %q, "spec": "s.md", "name": "Do it", %s, "created_at": "2026-01-01T00:%02d:%02d.000Z"}`+"\n", id(n), state, n/60, n%60)
	}
	return b.String()
}

func id(n int) string { return fmt.Sprintf("t-%03d", n) }

// work is a branch to be made: a file, and a task that it makes done, 0 for none.
type work struct {
	name    string
	files   map[string]string
	task    int
	attempt string // "" for one of its own
	more    bool   // another commit of the branch, which does not begin at the base
	message string
}

// make makes branches in one process.
func (s *site) make(all ...work) {
	s.t.Helper()
	var b strings.Builder
	for i, w := range all {
		message := w.message
		if message == "" {
			message = w.name
		}
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", w.name, 1700000000+i, len(message), message)
		if !w.more {
			fmt.Fprintf(&b, "from %s\n", s.base)
		}
		files := maps.Clone(w.files)
		if w.task > 0 {
			attempt := w.attempt
			if attempt == "" {
				attempt = fmt.Sprintf("a%03d", w.task)
			}
			if files == nil {
				files = map[string]string{}
			}
			files["ralph/plan.jsonl"] = s.plan(map[int]string{w.task: attempt})
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", name, len(files[name]), files[name])
		}
		b.WriteString("\n")
	}
	s.GitIn(b.String(), "fast-import", "--quiet", "--force")
}

// open opens the store and the claims of a repository.
func (s *site) open() (*store.Store, *authority.Claims) {
	s.t.Helper()
	st, err := store.Open(s.t.Context(), store.Options{
		Dir: s.Dir, Environ: s.Env, Random: rand.IntN, Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	claims, err := authority.Open(s.t.Context(), st.Repo())
	if err != nil {
		s.t.Fatal(err)
	}
	return st, claims
}

// land lands branches, and returns what became of each, by name.
func (s *site) land(o land.Options) (land.Result, map[string]land.Branch) {
	s.t.Helper()
	st, claims := s.open()
	o.Into = target
	if err := o.Configure(s.t.Context(), st); err != nil {
		s.t.Fatal(err)
	}
	o.Wait = time.Minute
	result, err := land.Run(s.t.Context(), st, claims, o)
	if err != nil {
		s.t.Fatal(err)
	}
	byName := map[string]land.Branch{}
	for _, b := range result.Branches {
		byName[b.Name] = b
	}
	return result, byName
}

// finish claims a task for somebody and sets the claim to landing with a branch.
func (s *site) finish(n int, branch string) claim.Held {
	s.t.Helper()
	_, claims := s.open()
	shown := func() claim.Target { return claim.Target{id(n): {Pending: true}} }
	taken := s.take(claims, shown(), n)
	held, err := claims.Finish(s.t.Context(), id(n), taken.Claim.Token, s.workOf(branch))
	if err != nil {
		s.t.Fatal(err)
	}
	return held
}

func (s *site) workOf(branch string) claim.Work {
	return claim.Work{Base: s.base, Branch: "refs/heads/" + branch, Commit: s.Git("rev-parse", branch)}
}

// claimed returns the claim of a task.
func (s *site) claimed(n int) claim.Held {
	s.t.Helper()
	_, claims := s.open()
	seen, err := claims.See(s.t.Context(), nil, id(n))
	if err != nil {
		s.t.Fatal(err)
	}
	return seen[id(n)].Held
}

// shown returns the line of a task in the target's plan.
func (s *site) shown(n int) string {
	s.t.Helper()
	for line := range strings.Lines(s.Git("show", "main:ralph/plan.jsonl")) {
		if strings.Contains(line, `"task", "id": "`+id(n)+`"`) {
			return line
		}
	}
	return ""
}
