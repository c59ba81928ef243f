package landings

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"git-ralph/internal/test/gittest"
)

// PlanPath is where the plan is.
const PlanPath = "ralph/plan.jsonl"

// A Task is a task that was done on a branch of a history.
type Task struct {
	Target  string // full name of the branch that it is to land in
	ID      string
	Attempt string
	Done    string   // the commit that made it done
	Copies  []string // of it, in other branches
	Kind    Kind
	HasCode bool
}

// Kind is how the work came into the target.
type Kind string

// The ways. Without the plan means that its change was left out.
const (
	Nothing        Kind = "nothing"
	Merged         Kind = "merged"
	MergedAccepted Kind = "merged and accepted"
	MergedRejected Kind = "merged and rejected"
	MergedReverted Kind = "merged and reverted"
	Squashed       Kind = "squashed"
	SquashedAlone  Kind = "squashed without the plan"
	SquashedNamed  Kind = "squashed without the plan, with a trailer"
	SquashedBack   Kind = "squashed without the plan and reverted"
	SquashedAgain  Kind = "squashed without the plan, reverted, and the revert reverted"
	EditedSquash   Kind = "squashed with other lines"
	EditedAlone    Kind = "squashed with other lines, without the plan"
	Rebased        Kind = "rebased"
	RebasedDone    Kind = "rebased and accepted"
	Picked         Kind = "picked without the plan"
	PlanAlone      Kind = "the plan alone"
	MergedBack     Kind = "merged, and the code alone reverted"
	MergedPartBack Kind = "merged, and one of its commits reverted"
	MergedEdited   Kind = "merged, and a line rewritten"
)

var kinds = []Kind{
	Nothing, Merged, MergedAccepted, MergedRejected, MergedReverted, Squashed, SquashedAlone, SquashedNamed, SquashedBack, SquashedAgain,
	EditedSquash, EditedAlone, Rebased, RebasedDone, Picked, PlanAlone, MergedBack, MergedPartBack, MergedEdited,
}

// state is the content of a commit.
type state struct {
	files [files][lines]string
	tasks map[string]string // the line of each task in the plan
	other []string          // tombstones
}

// Sizes of a history. A task has places of its own; the line before each place belongs to nobody.
const (
	files = 3
	lines = 30
	place = 5
)

func (s state) with(change func(*state)) state {
	s.tasks, s.other = maps.Clone(s.tasks), slices.Clone(s.other)
	change(&s)
	return s
}

func (s state) plan() string {
	text := `{"t": "spec", "spec": "s.md"}` + "\n"
	for _, id := range slices.Sorted(maps.Keys(s.tasks)) {
		text += s.tasks[id] + "\n"
	}
	return text + strings.Join(append(s.other, ""), "\n")
}

// drawer writes commits for git fast-import.
type drawer struct {
	*rand.Rand
	out   strings.Builder
	marks int
	name  string // of the history
	main  int    // mark of the target's tip
	at    state  // of the target
	named []later
}

// later is a squash whose message names a commit, which must exist before.
type later struct {
	history string
	main    int
	at      state
	branch  *branch
}

// edit changes a line of a file.
type edit struct {
	file, line int
	text       string
}

func (s *state) apply(edits []edit) {
	for _, e := range edits {
		s.files[e.file][e.line] = e.text
	}
}

// commit writes a commit and returns its mark.
func (d *drawer) commit(branch, message string, s state, parents ...int) int {
	d.marks++
	fmt.Fprintf(&d.out, "commit refs/heads/%s/%s\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", d.name, branch, d.marks, 1700000000+d.marks, len(message), message)
	for i, p := range parents {
		fmt.Fprintf(&d.out, "%s :%d\n", [...]string{"from", "merge"}[min(i, 1)], p)
	}
	d.out.WriteString("deleteall\n")
	for n, content := range s.files {
		d.file(fmt.Sprint("f", n), strings.Join(content[:], "\n")+"\n")
	}
	d.file(PlanPath, s.plan())
	return d.marks
}

func (d *drawer) file(name, text string) {
	fmt.Fprintf(&d.out, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
}

// toMain commits to the target.
func (d *drawer) toMain(message string, change func(*state), others ...int) {
	d.at = d.at.with(change)
	d.main = d.commit("main", message, d.at, append([]int{d.main}, others...)...)
}

// noise changes a line of the target that is nobody's.
func (d *drawer) noise() {
	for range d.IntN(3) {
		e := edit{d.IntN(files), d.IntN(lines/place) * place, fmt.Sprint("noise ", d.IntN(1000))}
		d.toMain("noise", func(s *state) { s.apply([]edit{e}) })
	}
}

// Draw makes a repository with many histories, and returns the tasks of all of them.
func Draw(r *gittest.Repo, histories int, seed uint64) []Task {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 1))}
	var all []*drawn
	for n := range histories {
		all = append(all, d.history(fmt.Sprintf("h%04d", n))...)
	}
	ids := d.write(r)
	d.out.Reset()
	for _, l := range d.named {
		d.name, d.main, d.at = l.history, l.main, l.at
		d.toMain("squash\n\nRalph-Landed: "+l.branch.ID+" "+ids[l.branch.done], func(s *state) { s.apply(l.branch.all()) })
	}
	d.write(r)
	var tasks []Task
	for _, t := range all {
		t.Done = ids[t.done]
		for _, c := range t.copies {
			t.Copies = append(t.Copies, ids[c])
		}
		tasks = append(tasks, t.Task)
	}
	return tasks
}

// write writes what was drawn since the last time, and returns the ids of all commits.
func (d *drawer) write(r *gittest.Repo) []string {
	r.GitIn(d.out.String(), "fast-import", "--quiet", "--force", "--import-marks-if-exists=marks", "--export-marks=marks")
	ids := make([]string, d.marks+1)
	for line := range strings.Lines(r.ReadFile("marks")) {
		var mark int
		var id string
		fmt.Sscanf(line, ":%d %s", &mark, &id) //nolint:errcheck // git wrote it
		ids[mark] = id
	}
	return ids
}

// drawn is a task whose commits are marks.
type drawn struct {
	Task
	done   int
	copies []int
}

// history draws one history.
func (d *drawer) history(name string) (all []*drawn) {
	d.name = name
	d.at = state{tasks: map[string]string{}}
	for f := range files {
		for l := range lines {
			d.at.files[f][l] = fmt.Sprintf("line %d of %d", l, f)
		}
	}
	places := d.Perm(files * lines / place)
	n := 1 + d.IntN(2)
	for i := range n {
		d.at.tasks[taskID(i)] = taskLine(taskID(i), "p", "")
	}
	d.main = d.commit("main", "base", d.at)
	var works []*branch
	for i := range n {
		works = append(works, d.work(i, places[i*3:i*3+3]))
	}
	for _, b := range works {
		d.noise()
		d.bring(b)
		d.noise()
		all = append(all, &b.drawn)
	}
	for _, b := range works { // each on top of the one before
		if b.Kind == SquashedNamed {
			d.named = append(d.named, later{d.name, d.main, d.at, b})
			break
		}
	}
	return all
}

func taskID(i int) string { return fmt.Sprintf("t-%04d", i) }

func taskLine(id, state, attempt string) string {
	if attempt != "" {
		attempt = fmt.Sprintf(`, "done_at": "0123456789ab", "attempt": %q`, attempt)
	}
	return fmt.Sprintf(`{"t": "task", "id": %q, "spec": "s.md", "name": "Do it", "s": %q%s, "created_at": "2026-01-01T00:00:00.000Z"}`, id, state, attempt)
}
