package debugissue

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/debuglog"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Label is on every issue that this package adds.
const Label = "debug-auto"

// A Request says what the issues are to agree with.
type Request struct {
	Collected *debuglog.Collection
	Closed    func(id string) time.Time // when the issue of an id was closed for the last time; zero: it never was
	Now       time.Time
}

// Update adds an issue for each signature that has none, and counts in the others what happened since. An issue that was closed is
// opened again where its failure has come back since then, unless a pending task was made of it. Doing it twice is the same as once.
func Update(p *plan.Plan, r Request) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		issues, tasks := bySignature(p), pendingTasks(p)
		var added []jsonl.Object
		var duplicates []string
		edits := map[string][]jsonl.Member{}
		for _, f := range Sorted(r.Collected.Failures) {
			id := plan.IDPrefix(plan.KindIssue) + f.ID
			own := ownMark(r.Collected, f)
			found := issues[f.Signature]
			if len(found) == 0 {
				found = issues[id] // somebody removed its meta
			}
			if len(found) > 0 {
				if meta, changed := counted(found, f, own); changed {
					edits[found[0].ID()] = meta
				}
				for _, other := range found[1:] { // a merge brought them together
					duplicates = append(duplicates, other.ID())
				}
				continue
			}
			if !tasks[id] && f.Last.Unix() > r.Closed(id).Unix() {
				added = append(added, newIssue(id, f, own))
			}
		}
		return changed(p, added, edits, duplicates, r.Now)
	})
}

func changed(p *plan.Plan, added []jsonl.Object, edits map[string][]jsonl.Member, duplicates []string, now time.Time) (plan.Change, error) {
	all, err := p.AddDerivedIssues(added, now)
	if err != nil {
		return all, err
	}
	edited, err := p.SetIssueMeta(edits)
	if err != nil {
		return all, err
	}
	all.Join(edited)
	closed, err := p.CloseIssues(duplicates)
	all.Join(closed)
	return all, err
}

// Sorted returns failures in the order of their ids.
func Sorted(failures map[string]*debuglog.Failure) []*debuglog.Failure {
	return slices.SortedFunc(maps.Values(failures), func(a, b *debuglog.Failure) int { return strings.Compare(a.ID, b.ID) })
}

// bySignature returns the issues of each signature, the oldest first, and the others by id.
func bySignature(p *plan.Plan) map[string][]plan.Record {
	all := map[string][]plan.Record{}
	for _, r := range p.Records() {
		if r.Kind() != plan.KindIssue {
			continue
		}
		name := cmp.Or(signatureOf(r), r.ID())
		all[name] = append(all[name], r)
	}
	for _, issues := range all {
		slices.SortStableFunc(issues, func(a, b plan.Record) int {
			return cmp.Or(strings.Compare(a.CreatedAt(), b.CreatedAt()), strings.Compare(a.ID(), b.ID()))
		})
	}
	return all
}

// pendingTasks returns the ids of issues that pending tasks were made of.
func pendingTasks(p *plan.Plan) map[string]bool {
	all := map[string]bool{}
	for _, r := range p.Records() {
		if from := r.Text("created_from"); from != "" && r.Kind() == plan.KindTask && r.Pending() {
			all[from] = true
		}
	}
	return all
}

func newIssue(id string, f *debuglog.Failure, own mark) jsonl.Object {
	return jsonl.Build([]jsonl.Member{
		{Name: "id", Value: jsonl.Quote(id)},
		{Name: "desc", Value: jsonl.Quote(Describe(f.Signature))},
		{Name: "labels", Value: jsonl.List([]string{Label})},
		{Name: "meta", Value: jsonl.Value(jsonl.Build([]jsonl.Member{metaOf(f.Signature, marks{own.Clone: own})}).Text())},
	})
}

// Describe returns a signature in words.
func Describe(signature string) string {
	parts := strings.SplitN(signature, ":", 4)
	if len(parts) < 4 {
		return signature
	}
	text := parts[0] + " " + parts[1] + " fails: " + parts[2]
	if parts[3] != "" {
		text += ": " + parts[3]
	}
	return text
}
