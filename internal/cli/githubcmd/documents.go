package githubcmd

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
)

// heal finds documents that items lack by the names of their files, and reports it.
func (s *session) heal(ctx context.Context) error {
	config, err := s.store.Repo().Config(ctx)
	if err != nil || s.store.Repo().Bare() {
		return err
	}
	setting, _ := config.Get(pipeline.ThoughtsSetting)
	dir, err := pipeline.DocumentDirectory(setting)
	if err != nil {
		return err
	}
	found := s.documents(dir)
	if len(found) == 0 {
		return nil
	}
	p, err := s.store.ValidPlan(ctx)
	if err != nil || len(s.healed(p, found)) == 0 {
		return err
	}
	return s.change(ctx, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) { return p.PutItems(s.healed(p, found)) }, func() {})
}

// documents returns the files that are named after items: by number and phase the path of the newest.
func (s *session) documents(dir string) map[int]map[string]string {
	found := map[int]map[string]string{}
	for _, step := range pipeline.DocumentSteps() {
		at := pipeline.DocumentsBelow(dir, step)
		if safefile.Check(s.store.Repo().Root(), path.Join(at, "x")) != nil {
			continue // through a symbolic link, or outside
		}
		entries, _ := os.ReadDir(filepath.Join(s.store.Repo().Root(), filepath.FromSlash(at))) // in the order of their names
		for _, e := range entries {
			number, ok := pipeline.NumberInName(e.Name())
			if !ok || !e.Type().IsRegular() {
				continue
			}
			if found[number] == nil {
				found[number] = map[string]string{}
			}
			found[number][string(step)] = path.Join(at, e.Name())
		}
	}
	return found
}

// healed returns the items that get documents.
func (s *session) healed(p *plan.Plan, found map[int]map[string]string) (items []plan.Record) {
	for _, item := range p.Of(plan.KindItem) {
		v, _ := item.Get("artifacts")
		members := v.Object().Members()
		had := len(members)
		for _, step := range pipeline.DocumentSteps() {
			phase := string(step)
			name := found[item.Number()][phase]
			if _, has := v.Object().Get(phase); !has && name != "" {
				members = append(members, jsonl.Member{Name: phase, Value: jsonl.Quote(name)})
				s.warnOnce(fmt.Sprintf("%s: %s was found by its name, and is its %s document now", item.ItemLabel(), name, phase))
			}
		}
		if len(members) > had {
			own := item.Object().Members()
			kept := own[:0:0]
			for _, m := range own {
				if m.Name != "artifacts" {
					kept = append(kept, m)
				}
			}
			kept = append(kept, jsonl.Member{Name: "artifacts", Value: jsonl.Value(jsonl.Build(members).Text())})
			items = append(items, plan.MakeRecord(plan.KindItem, kept))
		}
	}
	return items
}

func (s *session) warnOnce(text string) {
	for _, w := range s.warnings {
		if w == text {
			return
		}
	}
	s.warn(text)
}

// excerptOf returns the first lines of a document that say something, as it is committed: a plan may name any file of the worktree, and
// one that git does not track was never meant for others.
func (s *session) excerptOf(ctx context.Context, name string) (lines []string) {
	head, err := s.store.Repo().Head(ctx)
	if err != nil || head == "" {
		return nil
	}
	r := s.store.Repo().Reader(ctx)
	defer r.Close() //nolint:errcheck // only reads
	file, err := r.File(head, name)
	if err != nil {
		return nil
	}
	const maxLine, maxLines = 300, 2
	body := strings.ToValidUTF8(string(file.Data), "")
	if rest, found := strings.CutPrefix(body, "---\n"); found {
		_, body, _ = strings.Cut(rest, "\n---\n")
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(strings.TrimLeft(line, "# "))
		if runes := []rune(line); len(runes) > maxLine {
			line = string(runes[:maxLine]) + "…"
		}
		if !cmdline.IsBlank(line) {
			lines = append(lines, line)
		}
		if len(lines) == maxLines {
			break
		}
	}
	return lines
}
