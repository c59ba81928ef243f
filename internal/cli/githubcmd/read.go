package githubcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/github/mirror"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/sha256"
)

// A reading is issues that were read.
type reading struct {
	issues []mirror.Issue
	named  map[int]bool // become items even where they are closed
	add    bool         // open ones become items
	mark   string       // what was changed before this time is read now; "": not all was read
}

// read reads the issues that the command line selects.
func (s *session) read(ctx context.Context, p *plan.Plan) (reading, error) {
	switch o := s.options; {
	case len(o.Items) > 0:
		return s.readNamed(ctx, p)
	case o.Query != "":
		found, err := s.remote.Search(ctx, o.Query)
		if err != nil {
			return reading{}, err
		}
		r := reading{issues: found, named: map[int]bool{}}
		for _, i := range found {
			r.named[i.Number] = true
		}
		return s.withItems(ctx, p, r)
	case len(o.Labels) > 0:
		found, err := s.remote.Issues(ctx, o.Labels, "")
		if err != nil {
			return reading{}, err
		}
		return s.withItems(ctx, p, reading{issues: found, add: true})
	}
	since := s.lastMark(ctx)
	began := s.env.Now().Add(-clockError).UTC().Format(time.RFC3339)
	found, err := s.remote.Issues(ctx, nil, since)
	if err != nil {
		return reading{}, err
	}
	r := reading{issues: found, add: true, mark: since}
	for _, i := range found {
		r.mark = max(r.mark, i.Updated)
	}
	if r.mark = min(r.mark, began); since == "" {
		s.warnMissing(p, found)
	}
	return r, nil
}

// clockError is how much clocks may differ, and longer than pages are read for: what changes meanwhile is read again.
const clockError = 10 * time.Minute

// readNamed reads the issues of the items, or with the numbers, of the command line.
func (s *session) readNamed(ctx context.Context, p *plan.Plan) (reading, error) {
	r := reading{named: map[int]bool{}}
	var numbers []int
	for _, name := range s.options.Items {
		n := plan.ParseItemNumber(name)
		if n == 0 {
			id, err := p.ResolveID(plan.KindItem, name)
			if err != nil {
				return r, err
			}
			item, _ := p.Item(id)
			if n = item.Number(); n == 0 {
				continue // push makes its issue
			}
		}
		numbers = append(numbers, n)
		r.named[n] = true
	}
	issues, missing, err := s.remote.Numbers(ctx, numbers)
	for _, n := range missing {
		s.failed = true
		s.warn(fmt.Sprintf("#%d is not an issue of %s/%s: it does not exist, was moved, or is a pull request", n, s.target.Owner, s.target.Repo))
	}
	r.issues = issues
	return r, err
}

// withItems adds the issues of items that a selection does not have.
func (s *session) withItems(ctx context.Context, p *plan.Plan, r reading) (reading, error) {
	var numbers []int
	for n := range mirror.Numbers(p.Of(plan.KindItem)) {
		if !slices.ContainsFunc(r.issues, func(i mirror.Issue) bool { return i.Number == n }) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	more, missing, err := s.remote.Numbers(ctx, numbers)
	s.warnAbout(missing)
	r.issues = append(r.issues, more...)
	return r, err
}

func (s *session) warnMissing(p *plan.Plan, found []mirror.Issue) {
	there := map[int]bool{}
	for _, i := range found {
		there[i.Number] = true
	}
	var missing []int
	for n := range mirror.Numbers(p.Of(plan.KindItem)) {
		if !there[n] {
			missing = append(missing, n)
		}
	}
	slices.Sort(missing)
	s.warnAbout(missing)
}

func (s *session) warnAbout(missing []int) {
	for _, n := range missing {
		s.warn(fmt.Sprintf("GH-%d is not an issue of %s/%s any more: the item stays as it is", n, s.target.Owner, s.target.Repo))
	}
}

// A mark says until when a commit has what was changed at GitHub.
type mark struct {
	Since  string `json:"since"`
	Commit string `json:"commit"`
}

func (s *session) markName() string {
	return "mark-" + sha256.Hex(s.target.Web())[:16] + ".json"
}

// lastMark returns the time since which issues are to be read; "": all. What another branch has read counts only where it was merged. Fields of
// a project change without their issue, so with one all issues are read.
func (s *session) lastMark(ctx context.Context) string {
	var m mark
	text, err := os.ReadFile(filepath.Join(s.dir, s.markName()))
	if err != nil || json.Unmarshal(text, &m) != nil || s.repo.Project {
		return ""
	}
	head, err := s.store.Repo().Head(ctx)
	if err != nil {
		return ""
	}
	reader := s.store.Repo().Reader(ctx)
	defer reader.Close()
	if before, err := reader.IsAncestor(m.Commit, head); err != nil || !before {
		return ""
	}
	return m.Since
}

// keepMark keeps until when HEAD has what was changed. Losing it costs a few requests.
func (s *session) keepMark(ctx context.Context, since string) {
	head, err := s.store.Repo().Head(ctx)
	if since == "" || err != nil || head == "" || s.options.DryRun {
		return
	}
	text, err := json.Marshal(mark{since, head})
	if err == nil {
		safefile.WriteCached(s.dir, s.markName(), text, 0o600) //nolint:errcheck // see above
	}
}

// textNamed returns what a hash is of, where this clone has read it.
func (s *session) textNamed(hash string) (string, bool) {
	if hash == "" {
		return "", true
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "texts", hash))
	return string(text), err == nil && mirror.Hash(string(text)) == hash
}

// keepTexts keeps descriptions of items that both sides have: a later merge by words needs them. Without them it records a conflict.
func (s *session) keepTexts(items []plan.Record) {
	dir := filepath.Join(s.dir, "texts")
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	for _, item := range items {
		text := item.Text("desc")
		if name := mirror.Hash(text); name != "" && !cmdline.IsBlank(text) {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				safefile.WriteCached(dir, name, []byte(text), 0o600) //nolint:errcheck // see above
			}
		}
	}
}

// oldest returns since when issues are read to find those that were made for some items: a day before the first of these.
func oldest(items []plan.Record) string {
	first := ""
	for i, item := range items {
		created := item.CreatedAt()
		if at, err := time.Parse(time.RFC3339, strings.TrimSpace(created)); err == nil {
			created = at.Add(-24 * time.Hour).UTC().Format(time.RFC3339)
		} else {
			return ""
		}
		if i == 0 || created < first {
			first = created
		}
	}
	return first
}
