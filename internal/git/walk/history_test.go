package walk_test

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

// walkPaths are the paths of the generated histories, the second with bytes above 127.
var walkPaths = []string{"ralph/plan.jsonl", "pläne/neu.jsonl"}

// randomHistory is a stream for git fast-import: commits with up to four parents, roots among them, dates that run ahead,
// back, or stand still, and everything that may happen to the two paths.
func randomHistory(seed uint64, commits int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	var tips []int
	date := 1700000000
	for mark := 1; mark <= commits; mark++ {
		date += r.IntN(4)*1000 - 500*r.IntN(3)
		fmt.Fprintf(&b, "commit refs/heads/c%d\nmark :%d\ncommitter A U Thor <author@example.com> %d +0000\n", mark, mark, date)
		data(&b, fmt.Sprintf("commit %d\n\n%s", mark, strings.Repeat("It was needed. ", r.IntN(20))))
		parents := drawParents(r, mark, tips)
		for i, parent := range parents {
			fmt.Fprintf(&b, "%s :%d\n", []string{"from", "merge", "merge", "merge"}[i], parent)
		}
		if len(parents) == 0 {
			for i := range 40 {
				file(&b, "100644", fmt.Sprintf("src/part%d/file%d", i%7, i), strconv.Itoa(i))
			}
		}
		happen(&b, r, mark, date)
		for _, parent := range parents {
			if i := slices.Index(tips, parent); i >= 0 {
				tips = slices.Delete(tips, i, i+1)
				fmt.Fprintf(&b, "reset refs/heads/c%d\nfrom %040d\n\n", parent, 0)
			}
		}
		tips = append(tips, mark)
	}
	fmt.Fprintf(&b, "reset refs/heads/main\nfrom :%d\n\nreset refs/tags/light\nfrom :%d\n\n", commits, commits/2)
	fmt.Fprintf(&b, "tag heavy\nfrom :%d\ntagger A U Thor <author@example.com> %d +0000\n", commits/3+1, date)
	data(&b, "a tag\n")
	return b.String()
}

func drawParents(r *rand.Rand, mark int, tips []int) (parents []int) {
	if mark == 1 || r.IntN(25) == 0 && mark < 30 {
		return nil
	}
	for range 1 + r.IntN(4)*r.IntN(2)*r.IntN(2) {
		parent := 1 + r.IntN(mark-1)
		switch draw := r.IntN(8); {
		case draw < 5 && len(parents) == 0:
			parent = mark - 1
		case draw < 7:
			parent = tips[r.IntN(len(tips))]
		}
		if !slices.Contains(parents, parent) {
			parents = append(parents, parent)
		}
	}
	return parents
}

// happen writes what a commit changes.
func happen(b *strings.Builder, r *rand.Rand, mark, date int) {
	path := walkPaths[min(r.IntN(4), 1)]
	text := fmt.Sprintf("plan of commit %d\n%s", mark, strings.Repeat(fmt.Sprintf("task %d\n", date), r.IntN(50)))
	switch r.IntN(16) {
	case 0, 1, 2, 3:
		file(b, "100644", path, text)
	case 4:
		fmt.Fprintf(b, "D %s\n", path)
	case 5:
		file(b, "120000", path, "target")
	case 6:
		fmt.Fprintf(b, "D ralph\n")
		file(b, "100644", "ralph", "in the way")
	case 7:
		fmt.Fprintf(b, "M 160000 %040d %s\n", 7, path)
	case 8:
		file(b, "100644", path+"/inside", "a directory in its place")
	case 9:
	default:
		file(b, "100644", fmt.Sprintf("src/part%d/file%d", r.IntN(7), r.IntN(40)), text)
	}
}

func file(b *strings.Builder, mode, path, text string) {
	fmt.Fprintf(b, "M %s inline %s\n", mode, path)
	data(b, text)
}

func data(b *strings.Builder, text string) { fmt.Fprintf(b, "data %d\n%s\n", len(text), text) }

// commitFact is what git says about one commit.
type commitFact struct {
	id      string
	time    int64
	parents []string
}

// wantGraph asks git about each commit by itself and puts them in order the slow way.
func wantGraph(t *testing.T, r *gittest.Repo, paths []string) *walk.Graph {
	t.Helper()
	var facts []commitFact
	for line := range strings.Lines(r.Git("rev-list", "--branches", "--remotes", "--tags", "HEAD", "--parents", "--timestamp")) {
		words := strings.Fields(line)
		seconds, _ := strconv.ParseInt(words[0], 10, 64)
		facts = append(facts, commitFact{words[1], seconds, words[2:]})
	}
	facts = inOrder(facts)
	g := &walk.Graph{IDSize: len(facts[0].id) / 2}
	for _, f := range facts {
		c := walk.Commit{ID: hash(f.id), Time: f.time, From: int32(len(g.Links))}
		for _, parent := range f.parents {
			g.Links = append(g.Links, int32(slices.IndexFunc(facts, func(p commitFact) bool { return p.id == parent })))
		}
		c.To = int32(len(g.Links))
		for i, path := range paths {
			words := strings.Fields(r.Git("ls-tree", f.id, "--", path))
			if c.Plan.IsZero() && len(words) > 0 && words[1] == "blob" {
				c.Plan, c.Path = hash(words[2]), uint8(i)
			}
		}
		g.Commits = append(g.Commits, c)
	}
	return g
}

// inOrder takes, again and again, the newest of the commits that no other one left has for a parent.
func inOrder(facts []commitFact) (order []commitFact) {
	left := slices.Clone(facts)
	slices.SortFunc(left, func(a, b commitFact) int {
		return cmp.Or(-cmp.Compare(a.time, b.time), cmp.Compare(a.id, b.id))
	})
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(f commitFact) bool {
			return !slices.ContainsFunc(left, func(child commitFact) bool { return slices.Contains(child.parents, f.id) })
		})
		order = append(order, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return order
}

func hash(text string) (h git.Hash) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) > len(h) {
		panic("no id: " + text)
	}
	copy(h[:], b)
	return h
}

// allTips returns the ids of all tips.
func allTips(t *testing.T, w walk.Walker) (ids []git.Hash) {
	t.Helper()
	tips, err := walk.Tips(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, tip := range tips {
		ids = append(ids, tip.ID)
	}
	return ids
}
