package mirror

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Expected returns what an item and its issue agree on once the issue was sent all of it, in a form for Merger.Sending; "" where they have agreed
// on nothing yet.
func (s Sender) Expected(item plan.Record) string {
	b := baseOf(item)
	if !b.there {
		return ""
	}
	gone := slices.DeleteFunc(slices.Clone(b.labels), func(l string) bool { return slices.Contains(item.Texts("labels"), l) })
	done := s.Sent(item, Sending{Item: item, RemoveLabels: gone}, item.Number(), "", func(string) bool { return false })
	v, _ := done.Meta().Get(metaBase)
	return string(v)
}

// after returns a base with what the issue now has because it was sent that, though nobody recorded it: without this, whoever takes such a change back
// in the plan would get it again from the issue.
func (b base) after(sending string, now base) base {
	sent := baseOf(plan.MakeRecord(plan.KindItem, []jsonl.Member{{Name: "meta", Value: jsonl.Value(jsonl.Build([]jsonl.Member{{Name: metaBase, Value: jsonl.Value(sending)}}).Text())}}))
	if sending == "" || !sent.there {
		return b
	}
	for _, f := range []struct {
		own       *string
		sent, now string
	}{{&b.name, sent.name, now.name}, {&b.text, sent.text, now.text}, {&b.state, sent.state, now.state}, {&b.estimate, sent.estimate, now.estimate}} {
		if f.sent == f.now {
			*f.own = f.now
		}
	}
	var labels []string
	for _, label := range union(nil, b.labels, now.labels) {
		is, was := slices.Contains(now.labels, label), slices.Contains(b.labels, label)
		if wanted := slices.Contains(sent.labels, label); is == wanted && is || is != wanted && was {
			labels = append(labels, label)
		}
	}
	b.labels = labels
	return b
}
