package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"git-ralph/internal/proc"
)

// mergesOfSize is how many merges of each size a rival has to do.
const mergesOfSize = 334

// A rival is a way to merge the files base, ours and theirs of a directory. It leaves the result in merged, or prints it.
type rival struct {
	name   string
	cmd    proc.Cmd
	format func(teamPlan) string
}

// A score counts what came of a rival's merges.
type score struct{ merges, conflicts, lost, doubled, invalid int }

// compareRivals lets all rivals do the same merges, prints a table for docs/merge.md, and holds ours to having done
// nothing wrong.
func compareRivals(ctx context.Context, l *lab) ([]row, error) {
	rivals := []rival{
		{"git, as text", proc.Cmd{Name: "git", Args: []string{"merge-file", "-p", "ours", "base", "theirs"}}, teamPlan.records},
		{"git, `merge=union`", proc.Cmd{Name: "git", Args: []string{"merge-file", "-p", "--union", "ours", "base", "theirs"}}, teamPlan.records},
	}
	if bd, err := l.beads(ctx); err == nil {
		rivals = append(rivals, rival{"`bd merge` " + beadsVersion, proc.Cmd{Name: bd, Args: []string{"merge", "merged", "base", "ours", "theirs"}}, teamPlan.issues})
	} else {
		fmt.Fprintf(os.Stderr, "bench: without beads: %v\n", err)
	}
	rivals = append(rivals, rival{"git ralph", proc.Cmd{Name: l.driver(), Args: []string{"--output", "merged", "base", "ours", "theirs"}}, teamPlan.records})
	fmt.Fprintln(l.out, "| | tasks | merges | conflicts | lost changes | duplicate ids | invalid files |\n|---|---|---|---|---|---|---|")
	var ours score
	for _, r := range rivals {
		for _, tasks := range []int{30, 100, 1000} {
			s, err := l.judge(ctx, r, tasks)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			fmt.Fprintf(l.out, "| %s | %d | %d | %d | %d | %d | %d |\n", r.name, tasks, s.merges, s.conflicts, s.lost, s.doubled, s.invalid)
			if r.name == "git ralph" {
				ours = score{ours.merges + s.merges, ours.conflicts + s.conflicts, ours.lost + s.lost, ours.doubled + s.doubled, ours.invalid + s.invalid}
			}
		}
	}
	return ours.rows(), nil
}

func (s score) rows() []row {
	count := func(what string, n int) row {
		return row{what: fmt.Sprintf("%s in %d team merges", what, s.merges), ours: fmt.Sprint(n), value: float64(n)}
	}
	return []row{count("conflicts", s.conflicts), count("lost changes", s.lost), count("duplicate ids", s.doubled), count("invalid files", s.invalid)}
}

// judge lets a rival do the merges of one size, which are the same for all.
func (l *lab) judge(ctx context.Context, r rival, tasks int) (score, error) {
	chance := rand.New(rand.NewPCG(uint64(tasks), 1))
	dir := filepath.Join(l.dir, "rivals")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return score{}, err
	}
	r.cmd.Dir, r.cmd.Env = dir, l.env
	s := score{merges: mergesOfSize}
	for range s.merges {
		base := newTeamPlan(chance, tasks).worked(chance, tasks/10)
		ours, theirs := base.worked(chance, 2+chance.IntN(9)), base.worked(chance, 2+chance.IntN(9))
		text, reported, conflict, err := r.merge(ctx, base, ours, theirs)
		if err != nil {
			return score{}, err
		}
		if conflict {
			s.conflicts++ // what is between markers is not lost, and not merged either
			continue
		}
		m := read(text, reported)
		s.lost += m.lost(base, ours) + m.lost(base, theirs)
		s.doubled += m.doubled
		if !m.valid {
			s.invalid++
		}
	}
	return s, nil
}

// merge does one merge and gives the file, what was said, and whether it has conflict markers.
func (r rival) merge(ctx context.Context, base, ours, theirs teamPlan) (text, reported string, conflict bool, err error) {
	for name, p := range map[string]teamPlan{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(r.cmd.Dir, name), []byte(r.format(p)), 0o600); err != nil {
			return "", "", false, err
		}
	}
	_ = os.Remove(filepath.Join(r.cmd.Dir, "merged"))
	res, err := proc.Run(ctx, r.cmd)
	if proc.ExitCode(err) > 0 {
		return "", "", true, nil
	}
	if err != nil {
		return "", "", false, err
	}
	file, readErr := os.ReadFile(filepath.Join(r.cmd.Dir, "merged"))
	if readErr != nil { // it prints
		return string(res.Stdout), string(res.Stderr), false, nil
	}
	return string(file), string(res.Stdout) + string(res.Stderr), false, nil
}
