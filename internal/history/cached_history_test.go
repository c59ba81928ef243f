package history_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/git"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/historytest"
)

const (
	planFile  = "ralph/plan.jsonl"
	movedFile = "plans/work.jsonl"
)

// drawn makes a drawn repository without references.
func drawn(t *testing.T, d historytest.Drawn) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	r.GitIn(d.Stream, "fast-import", "--quiet", "--done", "--date-format=raw")
	return r
}

// place puts HEAD and some branches somewhere, and takes all others away.
func place(r *gittest.Repo, d historytest.Drawn, random *rand.Rand, upTo int) {
	var refs strings.Builder
	for name := range strings.FieldsSeq(r.Git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags")) {
		fmt.Fprintf(&refs, "delete %s\n", name)
	}
	r.GitIn(refs.String(), "update-ref", "--stdin")
	refs.Reset()
	names := [...]string{"refs/heads/main", "refs/heads/feature/x", "refs/remotes/origin/feature/x", "refs/tags/v1", "refs/heads/a"}
	for _, name := range names[:1+random.IntN(len(names))] {
		fmt.Fprintf(&refs, "update %s %s\n", name, d.IDs[random.IntN(upTo)])
	}
	r.GitIn(refs.String(), "update-ref", "--stdin")
	if random.IntN(3) == 0 {
		r.Git("update-ref", "--no-deref", "HEAD", d.IDs[random.IntN(upTo)])
	} else {
		r.Git("symbolic-ref", "HEAD", names[random.IntN(2)])
	}
}

// read reads the history; maker "" keeps nothing.
func read(t *testing.T, r *gittest.Repo, paths []string, maker string) *fold.History {
	t.Helper()
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.Read(t.Context(), history.Options{Repo: repo, Paths: paths, ProgramVersion: maker})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// textOf returns all of a history as text.
func textOf(h *fold.History) string {
	var b strings.Builder
	fmt.Fprintln(&b, h.Warnings, h.Complete)
	moment := func(e *fold.Event) string {
		if e == nil {
			return "-"
		}
		if e.Orphaned {
			return fmt.Sprintf("%s@%.6x orphaned", e.Name, e.Commit)
		}
		return fmt.Sprintf("%s@%.6x", e.Name, e.Commit)
	}
	for _, l := range h.Lives {
		fmt.Fprintln(&b, "life", l.Kind, l.ID, l.CreatedAt, l.Former, l.Record.JSON(), l.Name, l.Spec, l.Status, l.Branch, l.Author, moment(l.Created),
			moment(l.Done), moment(l.Outcome), moment(l.LastRejected), l.DecomposedInto, l.SupersededBy, len(l.Events))
		for _, a := range l.Attempts {
			fmt.Fprintln(&b, "  attempt", moment(a.Done))
			for _, e := range a.Outcomes {
				fmt.Fprintln(&b, "    ended", moment(e))
			}
		}
	}
	for _, e := range h.Events {
		also := make([]string, len(e.Also))
		for i, id := range e.Also {
			also[i] = fmt.Sprintf("%.6x", id)
		}
		fmt.Fprintf(&b, "event %s %+v %v %d %s %s %s %v %v %v\n", moment(e), e.Event, also, e.Time, e.Date, e.Author, e.Branch, e.Branches, e.InHead, e.Orphaned)
	}
	return b.String()
}

// What is kept of a history changes nothing but time: whatever becomes of the
// references in between, the same is textOf as without it.
func TestKeptHistoryIsTheSame(t *testing.T) {
	first, n := setting("RALPH_SEED", 1), setting("RALPH_HISTORIES", 16)
	for seed := uint64(first); seed < uint64(first+n); seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 0))
			d := historytest.Draw(seed, 12+int(seed%40))
			r := drawn(t, d)
			paths := []string{planFile, movedFile}[:1+seed%2] // else the plan is followed to where it moved
			for step := range 8 {
				upTo := len(d.IDs)
				if step < 5 { // as the work goes on
					upTo = max(1, upTo*(step+1)/6)
				}
				place(r, d, random, upTo)
				if diff := cmp.Diff(textOf(read(t, r, paths, "")), textOf(read(t, r, paths, "test"))); diff != "" {
					t.Fatalf("step %d: -anew +kept\n%s", step, diff)
				}
			}
		})
	}
}

func setting(name string, fallback int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return fallback
}

// files are the files of what is kept that have such a name.
func files(t *testing.T, r *gittest.Repo, names string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(r.Dir, ".git/ralph/history", names))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func keepAnswer(t *testing.T, l *history.Reader, question, text string) {
	t.Helper()
	answer := l.NewAnswer(question)
	if answer == nil {
		t.Fatal("the answer is not kept")
	}
	io.WriteString(answer, text)
	if err := answer.Keep(); err != nil {
		t.Fatal(err)
	}
}

// An answer that was kept is given only as long as everything is as it was when
// it was given: references, where plans lie, the program, and the question.
func TestAnswers(t *testing.T) {
	d := historytest.Draw(11, 20)
	r := drawn(t, d)
	last := len(d.IDs) - 1
	r.Git("update-ref", "refs/heads/main", d.IDs[last-1])
	open := func(maker string, paths ...string) *history.Reader {
		repo, err := git.Open(t.Context(), r.Dir, r.Env)
		if err != nil {
			t.Fatal(err)
		}
		l, err := history.Open(t.Context(), history.Options{Repo: repo, Paths: paths, ProgramVersion: maker})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	l := open("test", planFile)
	if l.NewAnswer("what?") != nil {
		t.Error("an answer was to be kept before the history was read")
	}
	if _, err := l.History(); err != nil {
		t.Fatal(err)
	}
	keepAnswer(t, l, "what?", "that")
	if got := open("test", planFile).Answer("what?"); string(got) != "that" {
		t.Errorf("the same question: %q", got)
	}
	for name, got := range map[string][]byte{
		"another question": open("test", planFile).Answer("who?"),
		"another program":  open("tess", planFile).Answer("what?"),
		"another place":    open("test", movedFile).Answer("what?"),
		"a further place":  open("test", planFile, movedFile).Answer("what?"),
	} {
		if got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	file := files(t, r, "*.answer")[0]
	data := contentOf(t, file)
	for i := range data {
		damaged := []byte(string(data))
		damaged[i] ^= 0x10
		write(t, file, damaged)
		if got := open("test", planFile).Answer("what?"); got != nil {
			t.Fatalf("with byte %d changed: %q", i, got)
		}
	}
	write(t, file, data)
	for name, change := range map[string][]string{
		"a commit": {"update-ref", "refs/heads/main", d.IDs[last]}, "a branch": {"update-ref", "refs/heads/b", d.IDs[0]},
		"HEAD": {"symbolic-ref", "HEAD", "refs/heads/b"}, "a tag": {"update-ref", "refs/tags/v1", d.IDs[0]},
		"the main branch": {"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/b"},
	} {
		l := open("test", planFile)
		if _, err := l.History(); err != nil {
			t.Fatal(err)
		}
		keepAnswer(t, l, "what?", "that")
		r.Git(change...)
		if got := open("test", planFile).Answer("what?"); got != nil {
			t.Errorf("after %s: %q", name, got)
		}
	}
}
