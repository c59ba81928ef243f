package debugissue

import (
	"maps"
	"slices"
	"time"

	"git-ralph/internal/debuglog"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// In an issue's "meta", plan.MetaDebug is {"signature": "…", "seen": {"CLONE-COUNT": "LAST", …}}. Each clone counts for itself, and the
// count is part of the name, so that a merge takes what either side counted and is never in conflict: of several counts of one clone the
// highest is the newest.
const (
	signatureMember = "signature"
	seenMember      = "seen"
)

// A mark says how often a failure happened in a clone, and when for the last time.
type mark struct {
	Clone string
	Count int
	Last  time.Time
}

// marks are by clone.
type marks map[string]mark

const timeFormat = "2006-01-02T15:04:05.000Z"

func (m marks) add(other mark) (changed bool) {
	if other.Count <= m[other.Clone].Count {
		return false
	}
	m[other.Clone] = other
	return true
}

// signatureOf returns the signature that an issue is of; "" for other issues.
func signatureOf(issue plan.Record) string {
	meta := issue.Meta()
	v, _ := meta.Get(plan.MetaDebug)
	object, err := jsonl.ParseObject(string(v))
	if err != nil {
		return ""
	}
	signature, _ := object.Get(signatureMember)
	text, _ := signature.Str()
	return text
}

// marksOf returns what an issue counted.
func marksOf(issue plan.Record) marks {
	all := marks{}
	meta := issue.Meta()
	v, _ := meta.Get(plan.MetaDebug)
	debug, err := jsonl.ParseObject(string(v))
	if err != nil {
		return all
	}
	seen, _ := debug.Get(seenMember)
	object, err := jsonl.ParseObject(string(seen))
	if err != nil {
		return all
	}
	for _, m := range object.Members() {
		text, _ := m.Value.Str()
		if one, ok := parseMark(m.Name, text); ok {
			all.add(one)
		}
	}
	return all
}

// metaOf returns the member of "meta" that holds marks.
func metaOf(signature string, all marks) jsonl.Member {
	var seen []jsonl.Member
	for _, clone := range slices.Sorted(maps.Keys(all)) {
		m := all[clone]
		seen = append(seen, jsonl.Member{Name: m.name(), Value: jsonl.Quote(m.last())})
	}
	return jsonl.Member{Name: plan.MetaDebug, Value: jsonl.Value(jsonl.Build([]jsonl.Member{
		{Name: signatureMember, Value: jsonl.Quote(signature)}, {Name: seenMember, Value: jsonl.Value(jsonl.Build(seen).Text())},
	}).Text())}
}

// counted returns the "meta" of the first of the issues of a failure with what all of them and the log counted.
func counted(issues []plan.Record, f *debuglog.Failure, own mark) (meta []jsonl.Member, changed bool) {
	all := marksOf(issues[0])
	for _, other := range issues[1:] {
		for _, m := range marksOf(other) {
			changed = all.add(m) || changed
		}
	}
	changed = all.add(own) || changed
	return []jsonl.Member{metaOf(f.Signature, all)}, changed
}

// Count returns how often the failure of an issue happened, in all clones that are known, and when for the last time. ok is false
// for an issue that is of none.
func Count(issue plan.Record) (count int, last time.Time, ok bool) {
	all := marksOf(issue)
	count, last = all.sum()
	return count, last, len(all) > 0
}
