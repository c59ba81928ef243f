package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/proc"
)

// manyBranches is how many branches land in one command.
const manyBranches = 512

// measureLandings: many branches that are waiting.
func measureLandings(ctx context.Context, l *lab) ([]row, error) {
	var rows []row
	for _, withPlan := range []bool{false, true} {
		r, err := measureManyBranches(ctx, l, withPlan)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// measureManyBranches: branches that change a file each, and with a plan complete a task each; git merges them one by one, with
// our merge driver where there is a plan.
func measureManyBranches(ctx context.Context, l *lab, withPlan bool) (row, error) {
	what, origin := fmt.Sprintf("%d branches land : git merge each", manyBranches), filepath.Join(l.dir, "land-origin")
	if withPlan {
		what = fmt.Sprintf("%d branches with a task : git merge each", manyBranches)
	}
	names, err := l.manyBranches(ctx, origin, withPlan)
	if err != nil {
		return row{}, err
	}
	setting, err := registered()
	if err != nil {
		return row{}, err
	}
	ours, rival := filepath.Join(l.dir, "land-ours"), filepath.Join(l.dir, "land-git")
	env := append([]string{"PATH=" + filepath.Dir(l.bin) + string(filepath.ListSeparator) + os.Getenv("PATH")}, l.env[1:]...)
	a, b, err := l.fewRuns(ctx, contender{
		prepare: func() error { return l.copyOf(ctx, origin, ours, "main") },
		cmd:     proc.Cmd{Name: l.bin, Args: append([]string{"land", "--text", "--into", "main"}, names...), Dir: ours},
	}, contender{
		prepare: func() error { return l.copyOf(ctx, origin, rival, "main") },
		call: func() error {
			for _, name := range names {
				c := proc.Cmd{Name: "git", Args: []string{"-c", "merge.ralph.driver=" + setting, "merge", "-q", "--no-edit", name}, Dir: rival, Env: env}
				if _, err := proc.Run(ctx, c); err != nil {
					return err
				}
			}
			return nil
		},
	})
	if err != nil {
		return row{}, err
	}
	if one, two, err := l.treesOf(ctx, ours, rival); err != nil || one != two {
		return row{}, fmt.Errorf("%s: trees %s and %s, %w", what, one, two, err)
	}
	return row{what: what, ours: millis(a), rival: millis(b), value: float64(a) / float64(b), goal: 0.2}, nil
}

// fewRuns is medians for what takes seconds: the faster of two runs each.
func (l *lab) fewRuns(ctx context.Context, ours, rival contender) (a, b time.Duration, err error) {
	best := []time.Duration{time.Hour, time.Hour}
	for range 2 {
		for i, side := range []contender{ours, rival} {
			took, err := l.time(ctx, side)
			if err != nil {
				return 0, 0, err
			}
			best[i] = min(best[i], took)
		}
	}
	return best[0], best[1], nil
}

// treesOf returns what two repositories have on their main branches.
func (l *lab) treesOf(ctx context.Context, a, b string) (one, two string, err error) {
	if one, err = l.git(ctx, a, nil, "rev-parse", "main^{tree}"); err == nil {
		two, err = l.git(ctx, b, nil, "rev-parse", "main^{tree}")
	}
	return one, two, err
}

// manyBranches makes a repository of 2,000 files and the branches.
func (l *lab) manyBranches(ctx context.Context, dir string, withPlan bool) (names []string, err error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	const files = 2000
	p := newTeamPlan(rand.New(rand.NewPCG(1, 1)), manyBranches)
	var b bytes.Buffer
	fmt.Fprintf(&b, "commit refs/heads/main\nmark :1\ncommitter Bench <bench@example.com> 1700000000 +0000\n")
	writeData(&b, "files\n")
	for n := range files {
		writeFile(&b, fileName(n), fmt.Sprintf("file %d\n", n))
	}
	writeFile(&b, ".gitattributes", planPath+" merge=ralph\n")
	writeFile(&b, planPath, p.records())
	for i := range manyBranches {
		names = append(names, fmt.Sprintf("branch-%03d", i))
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter Bench <bench@example.com> %d +0000\n", names[i], 1700000001+i)
		writeData(&b, "change\n")
		b.WriteString("from :1\n")
		writeFile(&b, fileName(i*3), fmt.Sprintf("file %d, changed\n", i*3))
		if withPlan {
			changed := append(teamPlan(nil), p...)
			changed[i].state = "d"
			writeFile(&b, planPath, changed.records())
		}
	}
	for _, s := range []struct {
		in    string
		input []byte
		args  []string
	}{{l.dir, nil, []string{"init", "-q", dir}}, {dir, b.Bytes(), []string{"fast-import", "--quiet"}}, {dir, nil, []string{"reset", "-q", "--hard", "main"}}} {
		if _, err := l.git(ctx, s.in, s.input, s.args...); err != nil {
			return nil, err
		}
	}
	return names, nil
}
