package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
)

// team is a generated history: a few feature branches are open at any time, each commit goes to one of them, and a
// branch that is done is merged into main and deleted. It is the same at every run.
type team struct {
	size   teamSize
	out    *bufio.Writer
	rand   *rand.Rand
	mark   int   // of the last commit
	now    int64 // date of the last commit
	tasks  int   // made so far
	main   *feature
	open   []*feature
	merged int
}

// feature is a branch: what it holds, and what it changed since it left main.
type feature struct {
	name string
	head int // mark
	left int // commits until it is merged
	plan map[string]string
	own  map[string]string // path or task id to its new content, "" for a task that left
}

// teamSize is how much a team does.
type teamSize struct {
	commits   int
	tasks     int // in the plan, about
	planEvery int // of so many commits on branches one changes the plan, and of their merges more do
}

const (
	openBranches = 4
	teamFiles    = 2000
)

// writeHistory returns git fast-import its stream.
func writeHistory(w io.Writer, size teamSize) error {
	t := &team{size: size, out: bufio.NewWriterSize(w, 1<<20), rand: rand.New(rand.NewPCG(1, 2)), now: 1500000000}
	t.main = &feature{name: "main", plan: map[string]string{}, own: map[string]string{}}
	t.begin()
	for t.mark < size.commits {
		for len(t.open) < openBranches {
			t.fork()
		}
		i := t.rand.IntN(len(t.open))
		if f := t.open[i]; f.left > 0 {
			t.work(f)
		} else {
			t.merge(f)
			t.open = slices.Delete(t.open, i, i+1)
		}
	}
	return t.out.Flush()
}

// begin makes the first commit: all files and a plan.
func (t *team) begin() {
	for range t.size.tasks {
		t.addTask(t.main)
	}
	t.commit(t.main, "Begin", 0)
	for n := range teamFiles {
		t.file(teamFile(n), fmt.Sprintf("package part\n\n// file %d\n", n))
	}
	t.planFile(t.main)
}

// fork opens a feature branch at main.
func (t *team) fork() {
	t.merged++
	plan := make(map[string]string, len(t.main.plan))
	for id, line := range t.main.plan {
		plan[id] = line
	}
	f := &feature{name: fmt.Sprintf("feature/part-%d", t.merged), head: t.main.head, left: 3 + t.rand.IntN(8), plan: plan}
	f.own = map[string]string{}
	t.open = append(t.open, f)
}

// work makes one commit on a branch: some change the plan, the others one to three files.
func (t *team) work(f *feature) {
	f.left--
	if t.rand.IntN(t.size.planEvery) == 0 {
		message := t.changePlan(f)
		t.commit(f, message, 0)
		t.planFile(f)
		return
	}
	t.commit(f, fmt.Sprintf("Change part %d of the program\n\nIt was needed, for reasons that are told here at the usual length.", t.mark), 0)
	for range 1 + t.rand.IntN(3) {
		path := teamFile(t.rand.IntN(teamFiles))
		f.own[path] = fmt.Sprintf("package part\n\n// file of commit %d, drawn %d\n", t.mark, t.rand.IntN(1000))
		t.file(path, f.own[path])
	}
}

// merge brings a branch into main.
func (t *team) merge(f *feature) {
	t.commit(t.main, fmt.Sprintf("Merge branch '%s'", f.name), f.head)
	defer fmt.Fprintf(t.out, "reset refs/heads/%s\nfrom %040d\n\n", f.name, 0)
	touched := false
	for _, key := range slices.Sorted(maps.Keys(f.own)) {
		value := f.own[key]
		switch {
		case key[0] != 't' || key[1] != '-':
			t.file(key, value)
			continue
		case value == "":
			delete(t.main.plan, key)
		default:
			t.main.plan[key] = value
		}
		touched = true
	}
	if touched {
		t.planFile(t.main)
	}
}

// changePlan does what the product does to plans, and gives the commit's message.
func (t *team) changePlan(f *feature) string {
	pending, done := "", ""
	for _, id := range slices.Sorted(maps.Keys(f.plan)) {
		if bytes.Contains([]byte(f.plan[id]), []byte(`"done_at"`)) {
			done = id
		} else if t.rand.IntN(4) == 0 {
			pending = id
		}
	}
	what, id := "done", pending
	switch {
	case len(f.plan) < t.size.tasks || pending == "":
		what, id = "added", t.addTask(f)
	case done != "" && t.rand.IntN(2) == 0:
		what, id = "accepted", done
		delete(f.plan, done)
		f.own[done] = ""
	default:
		f.plan[id] = taskLine(id, len(id), "", fmt.Sprintf(`"d", "done_at": "%012x"`, t.rand.Uint64()>>16))
		f.own[id] = f.plan[id]
	}
	return fmt.Sprintf("ralph: %s %s\n\nRalph-Event: %s %s {\"at\": \"2026-01-02T03:04:05.000Z\"}\nRalph-Branch: %s", what, id, what, id, f.name)
}

func (t *team) addTask(f *feature) string {
	t.tasks++
	id := taskID(t.tasks)
	f.plan[id] = taskLine(id, t.tasks, "", `"p"`)
	f.own[id] = f.plan[id]
	return id
}

// commit begins a commit on a branch; the files follow it.
func (t *team) commit(f *feature, message string, merged int) {
	t.mark++
	t.now += 30 + t.rand.Int64N(600)
	who := fmt.Sprintf("Dev %d <dev%d@example.com> %d +0100", t.mark%7, t.mark%7, t.now)
	fmt.Fprintf(t.out, "commit refs/heads/%s\nmark :%d\nauthor %s\ncommitter %s\ndata %d\n%s\n", f.name, t.mark, who, who, len(message), message)
	if f.head > 0 {
		fmt.Fprintf(t.out, "from :%d\n", f.head)
	}
	if merged > 0 {
		fmt.Fprintf(t.out, "merge :%d\n", merged)
	}
	f.head = t.mark
}

func (t *team) planFile(f *feature) {
	var text bytes.Buffer
	text.WriteString("{\"t\": \"spec\", \"spec\": \"bench.md\"}\n")
	for _, id := range slices.Sorted(maps.Keys(f.plan)) {
		text.WriteString(f.plan[id])
	}
	t.file(planPath, text.String())
}

func (t *team) file(path, text string) {
	fmt.Fprintf(t.out, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
}

// teamFile spreads the files over a root of about thirty names and directories below them.
func teamFile(n int) string {
	if n < 10 {
		return fmt.Sprintf("file%02d.txt", n)
	}
	return fmt.Sprintf("part%02d/module%02d/file%02d.txt", n%20, n/20%10, n/200)
}
