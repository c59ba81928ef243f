package githubcmd_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/test/githubserver"
)

// FaultsVariable says how many faults TestFaults draws.
const FaultsVariable = "GIT_RALPH_GITHUB_FAULTS"

// A storm is two clones and people at GitHub who all edit, while requests fail and processes are killed.
type storm struct {
	*testing.T
	*rand.Rand
	clones [2]*user
	server *githubserver.Server

	faults, kills, runs int
	words               map[string]bool // each was added to one text, one label or one dependency, and must not be lost
	issues              int
	ranks               map[string]int // how far along each item was, on each side
	comments            int
	edits               int
}

// TestFaults guards: whatever fails while two clones and people at GitHub edit, there is no duplicate, no comment, dependency, label or word is
// lost, and no state moves backwards.
func TestFaults(t *testing.T) {
	wanted := 60
	if n, err := strconv.Atoi(os.Getenv(FaultsVariable)); err == nil {
		wanted = n
	}
	total := &storm{}
	for seed := uint64(1); total.faults < wanted; seed++ {
		s := newStorm(t, seed)
		for s.faults < 200 && total.faults+s.faults < wanted {
			s.round()
		}
		s.settle()
		total.faults, total.kills, total.runs, total.edits = total.faults+s.faults, total.kills+s.kills, total.runs+s.runs, total.edits+s.edits
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	t.Logf("%d faults, %d of them kills, in %d runs, between %d edits", total.faults, total.kills, total.runs, total.edits)
}

func newStorm(t *testing.T, seed uint64) *storm {
	first := newUser(t)
	s := &storm{T: t, Rand: rand.New(rand.NewPCG(seed, 17)), server: first.server, words: map[string]bool{}, ranks: map[string]int{}}
	first.must(0, "init", "--yes")
	bare := filepath.Join(t.TempDir(), "hub.git")
	first.Git("clone", "-q", "--bare", first.Dir, bare)
	first.Git("remote", "add", "origin", bare)
	first.Git("fetch", "-q")
	first.Git("branch", "-q", "--set-upstream-to", "origin/main")
	other := filepath.Join(t.TempDir(), "other")
	first.Git("clone", "-q", bare, other)
	second := &user{t, first.At(other), first.server, clock}
	second.configure()
	second.must(0, "install")
	s.clones = [2]*user{first, second}
	for range 4 {
		s.addIssue()
	}
	return s
}

func (s *storm) word(kind string) string {
	s.edits++
	w := fmt.Sprintf("%s%d", kind, s.edits)
	s.words[w] = true
	return w
}

const text = "A:\n\nB:\n\nG:"

func (s *storm) addIssue() {
	s.issues++
	s.server.Do(func() {
		s.server.Add(&githubserver.Issue{Title: fmt.Sprintf("issue %d", s.issues), Body: text, Author: "stranger"})
	})
}

// round makes some edits on all sides, and runs commands of both clones while requests fail.
func (s *storm) round() {
	for range 3 {
		s.server.Do(s.editThere)
		s.editHere(s.IntN(2))
	}
	if s.IntN(6) == 0 {
		s.addIssue()
	}
	n := s.IntN(2)
	name := []string{"pull", "push", "sync", "sync"}[s.IntN(4)]
	s.failing(func(kill *atomic.Int64) { s.run(s.clones[n], kill, "github", name) })
	s.check()
	if s.IntN(3) == 0 {
		s.exchange(s.IntN(2))
		s.check()
	}
}

// failing fails requests while do runs.
func (s *storm) failing(do func(kill *atomic.Int64)) {
	var pid atomic.Int64
	s.server.Fail(func(*http.Request) githubserver.Fault {
		if s.IntN(2) > 0 {
			return githubserver.None
		}
		s.faults++
		if p := pid.Load(); p > 0 && s.IntN(2) == 0 {
			s.kills++
			process, _ := os.FindProcess(int(p)) //nolint:errcheck // it is there, or was
			process.Kill()                       //nolint:errcheck // see above
			return []githubserver.Fault{githubserver.None, githubserver.DropBefore}[s.IntN(2)]
		}
		return githubserver.Fault(1 + s.IntN(int(githubserver.Faults)-1))
	})
	do(&pid)
	s.server.Fail(nil)
}

// run runs a command; every third one in a process of its own, which may be killed.
func (s *storm) run(u *user, kill *atomic.Int64, args ...string) {
	s.runs++
	if s.IntN(3) > 0 {
		code, out := u.ralph(args...)
		s.allow(code, out)
		return
	}
	path := u.Getenv("PATH")
	c := exec.Command(filepath.Join(path[:strings.IndexByte(path, os.PathListSeparator)], "git-ralph"), args...)
	c.Dir, c.Env = u.Dir, u.Env
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		s.Fatal(err)
	}
	kill.Store(int64(c.Process.Pid))
	c.Wait() //nolint:errcheck // it may have been killed
	s.allow(c.ProcessState.ExitCode(), out.String())
	if at, _, found := strings.Cut(out.String(), githubserver.Token); found {
		s.Errorf("the token is in the output: %s", at)
	}
}

func (s *storm) allow(code int, out string) {
	if code != 0 && code != 1 && code != 3 && code != -1 || strings.Contains(out, githubserver.Token) || strings.Contains(out, "panic") {
		s.Fatalf("exit %d: %s", code, out)
	}
}

// editThere is an edit of a person at GitHub.
func (s *storm) editThere() {
	i := s.server.Issue(1 + s.IntN(len(s.server.Issues)))
	switch s.IntN(6) {
	case 0:
		i.Body += " " + s.word("g")
	case 1:
		i.Labels = append(i.Labels, s.word("label-g"))
	case 2:
		s.comments++
		s.server.Comment(i, "stranger", fmt.Sprintf("comment %d <!-- git-ralph item w-gh1 x -->", s.comments))
	case 3:
		if m := 1 + s.IntN(len(s.server.Issues)); m < i.Number && !slices.Contains(i.BlockedBy, m) {
			i.BlockedBy = append(i.BlockedBy, m)
			s.words[fmt.Sprintf("dep %s>%s", i.Title, s.server.Issue(m).Title)] = true
		}
	case 4:
		i.Labels = append(i.Labels, "state:"+s.later(serverState(i)))
		i.Labels = slices.DeleteFunc(i.Labels, func(l string) bool { return isState(l) && l != i.Labels[len(i.Labels)-1] })
	case 5:
		if s.IntN(8) == 0 {
			i.State, i.Reason = "closed", "completed"
		}
	}
	s.server.Touch(i)
}

func isState(label string) bool { return strings.HasPrefix(label, "state:") }

// later returns a state after another one, before the final ones.
func (s *storm) later(state string) string {
	states := plan.ItemStates()[:8]
	at := max(slices.Index(states, state), 0)
	return states[min(at+s.IntN(3), len(states)-1)]
}

func serverState(i *githubserver.Issue) string {
	if i.State == "closed" {
		return map[bool]string{true: "Canceled", false: "Done"}[i.Reason == "not_planned"]
	}
	state := "Backlog"
	for _, l := range i.Labels {
		if name, found := strings.CutPrefix(l, "state:"); found && plan.ItemStateRank(name) > plan.ItemStateRank(state) {
			state = name
		}
	}
	return state
}

// editHere is an edit of a user.
func (s *storm) editHere(n int) {
	u := s.clones[n]
	items := u.plan().Of(plan.KindItem)
	if len(items) == 0 || s.IntN(8) == 0 {
		s.issues++
		s.edits++
		u.must(0, "item", "add", fmt.Sprintf("issue %d", s.issues), "--desc", text)
		return
	}
	it := items[s.IntN(len(items))]
	switch s.IntN(5) {
	case 0:
		if len(it.Conflicts()) > 0 {
			return // an edit would decide it
		}
		mark := string("AB"[n]) + ":"
		u.must(0, "item", "edit", it.ID(), "--desc", strings.Replace(it.Text("desc"), mark, mark+" "+s.word("h"), 1))
	case 1:
		u.must(0, "item", "edit", it.ID(), "--add-label", s.word("label-h"))
	case 2:
		if other := items[s.IntN(len(items))]; other.Number() > 0 && other.Number() < it.Number() && !slices.Contains(it.Texts("blocked_by"), other.ID()) {
			u.must(0, "item", "edit", it.ID(), "--add-blocked-by", other.ID())
			s.words[fmt.Sprintf("dep %s>%s", it.Name(), other.Name())] = true
		}
	case 3:
		to := s.later(it.Text("state"))
		if it.Text("state") == "In Review" && s.IntN(3) == 0 {
			to = "Done"
		}
		u.ralph("item", "move", it.ID(), to) // which may be no move of the pipeline
	case 4:
		v, _ := it.Get("artifacts")
		if v == "" {
			s.edits++
			u.must(0, "item", "edit", it.ID(), fmt.Sprintf(`{"artifacts": {"research": "thoughts/%s.md"}}`, it.ID()))
		}
	}
}

// exchange merges what another clone did, and publishes it.
func (s *storm) exchange(n int) {
	u := s.clones[n]
	if out, err := u.TryGit("pull", "-q", "--no-rebase", "--no-edit"); err != nil {
		s.Fatal(out, err)
	}
	u.Git("push", "-q")
}

// check looks for what must hold at any time.
func (s *storm) check() {
	s.server.Do(func() {
		titles := map[string]bool{}
		for _, i := range s.server.Issues {
			if titles[i.Title] {
				s.Errorf("two issues are called %s", i.Title)
			}
			titles[i.Title] = true
			s.forward("GitHub "+i.Title, serverState(i))
			keys := map[string]int{}
			for _, c := range i.Comments {
				if _, key, found := strings.Cut(c.Body, "<!-- git-ralph comment "); found && c.Author == githubserver.Viewer {
					if keys[key]++; keys[key] > 1 {
						s.Errorf("%s has a comment twice: %s", i.Title, key)
					}
				}
			}
		}
	})
	for n, u := range s.clones {
		names := map[string]bool{}
		for _, it := range u.plan().Of(plan.KindItem) {
			if names[it.Name()] {
				s.Fatalf("clone %d has two items %s: %s", n, it.Name(), u.ReadFile("ralph/plan.jsonl"))
			}
			names[it.Name()] = true
			s.forward(fmt.Sprintf("clone %d %s", n, it.Name()), it.Text("state"))
		}
	}
}

func (s *storm) forward(who, state string) {
	rank := plan.ItemStateRank(state)
	if rank < s.ranks[who] {
		s.Errorf("%s moved back to %s from %s", who, state, plan.ItemStates()[s.ranks[who]-1])
	}
	s.ranks[who] = rank
}

// settle syncs without faults until nothing changes, and looks for what was lost.
func (s *storm) settle() {
	for range 3 {
		for n, u := range s.clones {
			s.exchange(n)
			code, out := u.ralph("github", "sync")
			if code != 0 && code != 3 {
				s.Errorf("at the end: exit %d: %s", code, out)
			}
			s.exchange(n)
			s.check()
		}
	}
	s.exchange(0)
	if s.clones[0].ReadFile("ralph/plan.jsonl") != s.clones[1].ReadFile("ralph/plan.jsonl") {
		s.Error("the clones differ")
	}
	for n, u := range s.clones {
		if code, out := u.ralph("github", "sync"); code != 3 {
			s.Errorf("clone %d is not at rest: %d: %s", n, code, out)
		}
	}
	s.server.Do(s.compare)
}

func (s *storm) compare() {
	items := s.clones[0].plan().Of(plan.KindItem)
	names, deps, comments := map[string]string{}, map[string]bool{}, 0
	for _, it := range items {
		names[it.ID()] = it.Name()
	}
	numbers := map[int]string{}
	for _, it := range items {
		numbers[it.Number()] = it.Name()
		for _, id := range it.Texts("blocked_by") {
			deps["dep "+it.Name()+">"+names[id]] = true
		}
	}
	all, _ := json.Marshal(s.server.Issues) //nolint:errcheck // it is data
	there, here := string(all), s.clones[0].ReadFile("ralph/plan.jsonl")
	depsThere := map[string]bool{}
	for _, i := range s.server.Issues {
		for _, m := range i.BlockedBy {
			depsThere["dep "+i.Title+">"+s.server.Issue(m).Title] = true
		}
		for _, c := range i.Comments {
			if c.Author == "stranger" {
				comments++
			}
		}
		at := slices.IndexFunc(items, func(r plan.Record) bool { return r.Number() == i.Number })
		if at < 0 {
			if i.State != "closed" {
				s.Errorf("%s has no item", i.Title)
			}
		} else if got := items[at].Text("state"); got != serverState(i) {
			s.Errorf("%s is %s in the plan, and %s at GitHub", i.Title, got, serverState(i))
		}
	}
	if comments != s.comments || len(s.server.Issues) > s.issues {
		s.Errorf("%d comments, want %d; %d issues, want at most %d", comments, s.comments, len(s.server.Issues), s.issues)
	}
	for w := range s.words {
		if strings.HasPrefix(w, "dep ") {
			from, to, _ := strings.Cut(strings.TrimPrefix(w, "dep "), ">")
			known := slices.Contains(slices.Collect(mapValues(names)), from) && slices.Contains(slices.Collect(mapValues(names)), to)
			if known && (!deps[w] || !depsThere[w]) {
				s.Errorf("%s was lost: in the plan %v, at GitHub %v", w, deps[w], depsThere[w])
			}
			continue
		}
		if !hasWord(there, w) && !slices.ContainsFunc(items, func(r plan.Record) bool { return len(r.Conflicts()) > 0 && hasWord(r.JSON(), w) }) {
			s.Errorf("%s was lost at GitHub; in the plan: %v", w, hasWord(here, w))
		}
	}
}

func mapValues(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

// hasWord reports whether a word is in a text, and not only the beginning of another one.
func hasWord(all, word string) bool {
	for rest := all; ; {
		at := strings.Index(rest, word)
		if at < 0 {
			return false
		}
		if rest = rest[at+len(word):]; rest == "" || rest[0] < '0' || rest[0] > '9' {
			return true
		}
	}
}
