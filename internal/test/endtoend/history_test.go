package endtoend

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/historytest"
	"git-ralph/internal/test/oracle"
)

// movedFile is where drawn repositories move their plan to.
const movedFile = "plans/work.jsonl"

// drawn makes a drawn repository.
func drawn(t *testing.T, d historytest.Drawn) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	r.GitIn(d.Stream, "fast-import", "--quiet", "--done", "--date-format=raw")
	var refs strings.Builder
	for name, id := range d.Refs {
		fmt.Fprintf(&refs, "update %s %s\n", name, id)
	}
	r.GitIn(refs.String(), "update-ref", "--stdin")
	if len(d.Head) == len(d.IDs[0]) {
		r.Git("update-ref", "--no-deref", "HEAD", d.Head)
	} else {
		r.Git("symbolic-ref", "HEAD", "refs/heads/"+d.Head)
	}
	return r
}

// twist makes of a repository one in which commits are not what they seem, or are
// not all there.
func twist(r *gittest.Repo, d historytest.Drawn, seed uint64) *gittest.Repo {
	at := 1 + int(seed*7)%(len(d.IDs)-1)
	child, other := d.IDs[at], d.IDs[int(seed*3)%at]
	switch seed % 6 {
	case 1:
		r.Git("replace", "--graft", child, other, d.IDs[0])
	case 2:
		r.WriteFile(".git/info/grafts", child+" "+other+"\n")
	case 3:
		r.Git("replace", child, other)
	case 4:
		r.Git("clone", "-q", "--no-single-branch", "--depth", strconv.Itoa(1+int(seed/6)%7), "file://"+r.Dir, "../clone")
		return r.At("../clone")
	case 5:
		lose(r, d, seed)
	}
	return r
}

// lose takes a commit that no branch names away, or the file of a plan.
func lose(r *gittest.Repo, d historytest.Drawn, seed uint64) {
	pack := r.Git("rev-parse", "--git-path", "objects/pack")
	entries, err := os.ReadDir(r.Path(pack))
	if err != nil {
		return
	}
	for _, e := range entries {
		if data, err := os.ReadFile(r.Path(pack + "/" + e.Name())); err == nil && strings.HasSuffix(e.Name(), ".pack") {
			os.RemoveAll(r.Path(pack))
			r.GitIn(string(data), "unpack-objects", "-q")
		}
	}
	for name := range strings.FieldsSeq(r.Git("for-each-ref", "--format=%(refname)", "refs/ralph-test")) {
		r.Git("update-ref", "-d", name)
	}
	lost := d.IDs[int(seed)%len(d.IDs)]
	if seed%4 == 1 {
		if lost, err = r.TryGit("rev-parse", lost+":"+planFile); err != nil {
			return
		}
	}
	for _, tip := range append(slices.Collect(maps.Values(d.Refs)), d.Head) {
		if tip == lost {
			return
		}
	}
	os.Remove(r.Path(".git/objects/" + lost[:2] + "/" + lost[2:]))
}

// setting reads a number that says how much is tried.
func setting(name string, byDefault int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return byDefault
}

// The history that the program reports is the one that an independent, plain
// reading of the same commits reports, in every field (docs/history.md). `make
// fuzz` draws more repositories; RALPH_SEED and RALPH_HISTORIES choose them.
func TestHistoryAgreesWithAPlainReading(t *testing.T) {
	first, n := setting("RALPH_SEED", 1), setting("RALPH_HISTORIES", 20)
	for seed := uint64(first); seed < uint64(first+n); seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			d := historytest.Draw(seed, 12+int(seed*7%40)) // few seeds have all sizes
			r := withProgram(t, twist(drawn(t, d), d, seed))
			r.Git("config", "ralph.plan", planFile)
			r.Git("config", "--add", "ralph.plan", movedFile)
			agree(t, r)
		})
	}
}

// agree compares what the program reports with what the oracle does.
func agree(t *testing.T, r *repo) {
	t.Helper()
	want, err := oracle.Read(r.Dir, r.Env, []string{planFile, movedFile})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, logged(t, r)); diff != "" {
		t.Errorf("-oracle +program\n%s", diff)
	}
	if diff := cmp.Diff(want, logged(t, r)); diff != "" {
		t.Errorf("the second time: -oracle +program\n%s", diff)
	}
	var got struct{ Total counts }
	if err := json.Unmarshal([]byte(r.must("log", "--all", "--stat", "--format", "json")), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(countAll(want), got.Total); diff != "" {
		t.Errorf("--stat: -oracle +program\n%s", diff)
	}
}

// What is kept of histories is safe when many programs read while others commit:
// each reports what is there, and in the end all of it is reported as if nothing had
// been kept (docs/history.md, "The cache").
func TestManyHistoriesAtOnce(t *testing.T) {
	r := newPlan(t)
	var all sync.WaitGroup
	for reader := range 16 {
		all.Go(func() {
			for i := range 6 {
				args := []string{"log", "--all", "--format", "json", "--limit", strconv.Itoa(100 + (reader+i)%3)}
				if out := r.ralph(args...); out.code != 0 || !json.Valid([]byte(out.stdout)) {
					t.Errorf("log: exit %d\n%s%s", out.code, out.stdout, out.stderr)
				}
			}
		})
	}
	for i := range 24 {
		r.add(fmt.Sprintf("Task number %d", i))
	}
	all.Wait()
	kept := r.must("log", "--all", "--format", "json")
	if err := os.RemoveAll(r.Path(".git/ralph/history")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.must("log", "--all", "--format", "json"), kept); diff != "" {
		t.Errorf("-anew +kept\n%s", diff)
	}
	if n := strings.Count(kept, `"event": "added"`); n != 24 {
		t.Errorf("%d tasks were added, want 24", n)
	}
}

// logged reads what log --all prints.
func logged(t *testing.T, r *repo) oracle.Report {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(r.must("log", "--all", "--format", "json")))
	d.DisallowUnknownFields()
	var h oracle.Report
	if err := d.Decode(&h); err != nil {
		t.Fatal(err)
	}
	return h
}

// counts are what --stat prints.
type counts struct {
	Created, Done, Accepted, Rejected, Cancelled, Decomposed int

	Attempted, Attempts int
	ToDone              *int64 `json:"seconds_to_done"`
	ToAccepted          *int64 `json:"seconds_to_accepted"`
}

// countAll counts the oracle's history.
func countAll(h oracle.Report) counts {
	var c counts
	tasks := map[string]bool{}
	for _, task := range h.Tasks {
		tasks[task.ID] = true
	}
	for _, e := range h.Events {
		if e.ID == nil || !tasks[*e.ID] {
			continue
		}
		if e.Decomposed {
			c.Decomposed++
			continue
		}
		for name, n := range map[string]*int{
			"added": &c.Created, "done": &c.Done, "accepted": &c.Accepted, "rejected": &c.Rejected, "cancelled": &c.Cancelled,
		} {
			if e.Event == name {
				*n++
			}
		}
	}
	c.Attempts = c.Done
	var work, review []time.Duration
	for _, task := range h.Tasks {
		first := slices.IndexFunc(task.Attempts, func(a oracle.Attempt) bool { return a.Done != nil })
		if first >= 0 {
			c.Attempted++
			work = between(work, task.Created, task.Attempts[first].Done)
		}
		for _, a := range task.Attempts {
			if a.Accepted != nil {
				review = between(review, a.Done, a.Accepted)
			}
		}
	}
	c.ToDone, c.ToAccepted = middle(work), middle(review)
	return c
}

func between(times []time.Duration, from, to *oracle.Moment) []time.Duration {
	if from == nil {
		return times
	}
	a, _ := time.Parse(time.RFC3339, from.Date)
	b, _ := time.Parse(time.RFC3339, to.Date)
	if b.Before(a) {
		return times
	}
	return append(times, b.Sub(a))
}

func middle(times []time.Duration) *int64 {
	if len(times) == 0 {
		return nil
	}
	slices.Sort(times)
	seconds := int64((times[(len(times)-1)/2] + times[len(times)/2]).Seconds() / 2)
	return &seconds
}

// A plan that was moved keeps its history, whether ralph.plan follows it or not;
// another file in its place does not (docs/history.md, "What counts as a
// change").
func TestMovedPlan(t *testing.T) {
	const spec, one, two = `{"t": "spec", "spec": "a"}`, `{"t": "task", "id": "t-1", "spec": "a", "name": "x", "s": "p"}`, `{"t": "task", "id": "t-2", "spec": "a", "name": "x", "s": "p"}`
	lines := func(all ...string) string { return strings.Join(all, "\n") + "\n" }
	for name, test := range map[string]struct {
		setting, after string
		want           []string
	}{
		"followed":     {movedFile, lines(spec, one), []string{"cancelled t-2", "added t-1", "added t-2"}},
		"not followed": {"", lines(spec, one), []string{"cancelled t-2", "added t-1", "added t-2"}},
		"another one":  {"", lines(spec, strings.Replace(one, "t-1", "t-9", 1)), []string{"cancelled t-1", "cancelled t-2", "added t-1", "added t-2"}},
		"no plan":      {"", "[]\n", []string{"cancelled t-1", "cancelled t-2", "added t-1", "added t-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := withProgram(t, gittest.NewRepo(t))
			r.Commit("begin", map[string]string{planFile: lines(spec, one, two)})
			r.Remove(planFile)
			r.Commit("move", map[string]string{movedFile: test.after, "noise.jsonl": "{}\n"})
			if test.setting != "" {
				r.Git("config", "ralph.plan", test.setting)
			}
			var got []string
			for _, e := range logged(t, r).Events {
				if e.ID != nil {
					got = append(got, e.Event+" "+*e.ID)
				}
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A shallow clone, and one without some files, report what they can and say what
// they cannot; a status is never made up (docs/history.md, "What counts as a
// change").
func TestHistoryThatIsNotAtHand(t *testing.T) {
	r := newPlan(t)
	first := r.add("one")
	r.add("two")
	r.Git("clone", "-q", "--depth", "1", "file://"+r.Dir, "../shallow")
	clone := withProgram(t, r.At("../shallow"))
	out := clone.ralph("log", "--all", "--format", "json")
	if !strings.Contains(out.stderr, "shallow clone") {
		t.Errorf("no warning: %s", out.stderr)
	}
	for _, task := range logged(t, clone).Tasks {
		if task.Status != "pending" || task.ID == first && task.Created != nil {
			t.Errorf("%+v", task)
		}
	}
	r.Git("config", "uploadpack.allowFilter", "true")
	r.Git("clone", "-q", "--bare", "--filter=blob:none", "file://"+r.Dir, "../partial")
	partial := withProgram(t, r.At("../partial"))
	if out := partial.ralph("log", "--all", "--format", "json"); out.code != 0 || !strings.Contains(out.stderr, "missing") {
		t.Errorf("partial clone: %+v", out)
	}
}

// What a partial clone lacks is fetched where that is requested, and at no other
// time (docs/history.md, "Missing objects").
func TestHistoryIsFetched(t *testing.T) {
	r := newPlan(t)
	r.add("one")
	r.ralph("task", "cancel", r.add("two"))
	r.Git("config", "uploadpack.allowFilter", "true")
	r.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	want := r.ralph("log", "--all", "--format", "json").stdout
	for _, filter := range []string{"blob:none", "tree:0"} {
		name := strings.ReplaceAll(filter, ":", "-")
		r.Git("clone", "-q", "--filter="+filter, "file://"+r.Dir, "../"+name)
		partial := withProgram(t, r.At("../"+name))
		if out := partial.ralph("log", "--all", "--format", "json"); out.stdout == want || !strings.Contains(out.stderr, "--fetch") {
			t.Errorf("%s without the flag: %+v", filter, out)
		}
		for _, args := range [][]string{{"log", "--all", "--format", "json", "--fetch"}, {"log", "--all", "--format", "json"}} {
			if out := partial.ralph(args...); out.code != 0 || out.stdout != want || out.stderr != "" {
				t.Errorf("%s: %v: %+v, want %s", filter, args, out, want)
			}
		}
	}
	r.Git("clone", "-q", "--filter=blob:none", "file://"+r.Dir, "../gone")
	gone := withProgram(t, r.At("../gone"))
	gone.Git("remote", "set-url", "origin", "file://"+r.Dir+"-none")
	if out := gone.ralph("log", "--fetch"); out.code != 1 || out.stdout != "" || !strings.Contains(out.stderr, "cannot fetch") {
		t.Errorf("no such remote: %+v", out)
	}
}
