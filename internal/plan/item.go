package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// The states of an item that this package sets or compares.
const (
	StateBacklog     = "Backlog"
	StateHumanNeeded = "Human Needed"
)

// escalation is the member of an item's "meta" that says why a person is needed.
const escalation = "escalation"

// itemStates are the states of items, the one that is furthest along last; Human Needed is apart from them.
var itemStates = [...]string{
	StateBacklog, "Research Needed", "Research in Progress", "Ready for Plan", "Plan in Progress", "Plan in Review",
	"In Progress", "In Review", "Done", "Canceled", StateHumanNeeded,
}

// estimates are the sizes of items, from the smallest to the largest.
var estimates = [...]string{"XS", "S", "M", "L", "XL"}

// ItemStates returns the states that an item can be in.
func ItemStates() []string { return slices.Clone(itemStates[:]) }

// Estimates returns the sizes that an item can have.
func Estimates() []string { return slices.Clone(estimates[:]) }

// ItemStateRank returns how far along a state is; the higher of two wins where two sides of a merge moved an item. An
// unknown state has the rank 0, below all others.
func ItemStateRank(state string) int { return slices.Index(itemStates[:], state) + 1 }

// maxItemNumber is the highest number that every JSON program reads exactly.
const maxItemNumber = 1<<53 - 1

// Number returns the number that GitHub gave an item, 0 where it has none.
func (r *Record) Number() int {
	v, _ := r.Get("number")
	f, err := strconv.ParseFloat(string(v), 64)
	if n := int(f); err == nil && f >= 1 && f <= maxItemNumber && float64(n) == f {
		return n
	}
	return 0
}

// ParseItemNumber reads a number as people write it: GH-42, #42 or 42. It returns 0 for any other text.
func ParseItemNumber(text string) int {
	if len(text) > len("GH-") && strings.EqualFold(text[:len("GH-")], "GH-") {
		text = text[len("GH-"):]
	} else {
		text = strings.TrimPrefix(text, "#")
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || text[0] == '+' {
		return 0
	}
	return n
}

// ItemLabel returns how people name an item: GH-42 where it has a number, else its id.
func (r *Record) ItemLabel() string {
	if n := r.Number(); n > 0 {
		return fmt.Sprintf("GH-%d", n)
	}
	return r.ID()
}

// IsOfItem reports whether a task or an issue belongs to an item, as its meta says. Such a record needs no spec.
func (r *Record) IsOfItem() bool {
	v, found := r.Get("meta")
	return found && (r.kind == KindTask || r.kind == KindIssue) && namesItem(v)
}

func isOfItem(o jsonl.Object) bool {
	meta, _ := o.Get("meta")
	return namesItem(meta)
}

// ItemLink returns the "meta" by which a record that comes from a task or an issue belongs to the same item; none where that belongs to
// none.
func (r *Record) ItemLink() []jsonl.Member {
	if !r.IsOfItem() {
		return nil
	}
	item, _ := r.Meta().Get("issue_number")
	return []jsonl.Member{{Name: "meta", Value: jsonl.Value(jsonl.Build([]jsonl.Member{{Name: "issue_number", Value: item}}).Text())}}
}

func namesItem(meta jsonl.Value) bool {
	if meta == "" || meta.Kind() != jsonl.Map {
		return false
	}
	v, found := jsonl.Find(string(meta), "issue_number")
	return found && v.Kind() != jsonl.Null
}

// AddItems adds items, all or none. Only "name" is required. Like tasks of a batch, items may name each other by their "id",
// which then need not be valid.
func (p *Plan) AddItems(objects []jsonl.Object, stamp Stamp) (Change, error) {
	return p.change(func() (Change, error) {
		inputs, err := p.readInputs(KindItem, p.completeLinks(KindItem, objects), stamp)
		if err != nil {
			return Change{}, err
		}
		batch, numbers := batch{targets: p.targets(KindItem, inputs)}, p.itemNumbers()
		begin := p.creationTime(stamp.Now)
		var all Change
		for i, in := range inputs {
			record, err := batch.item(in, begin.Add(time.Duration(i)*time.Millisecond))
			if err == nil {
				err = in.checkItemNumber(record, numbers)
			}
			if err != nil {
				return Change{}, err
			}
			numbers[record.Number()] = record.ID()
			p.add(record)
			all.Join(added(record))
		}
		return all, checkAncestors(p.parents(), inputs...)
	})
}

// item makes the record of an input. A new item is in the backlog, where nothing else is given.
func (b batch) item(in input, created time.Time) (Record, error) {
	if in.text("name") == "" {
		return Record{}, in.wrong("name", "is missing")
	}
	fields := []jsonl.Member{
		jsonl.TextMember("t", string(KindItem)), jsonl.TextMember("id", in.id), jsonl.TextMember("name", in.text("name")), jsonl.TextMember("created_at", FormatTime(created)),
	}
	if in.text("state") == "" {
		fields = append(fields, jsonl.TextMember("state", StateBacklog))
	}
	if parent := in.text("parent"); parent != "" {
		id, err := b.targets.resolve(parent, nil)
		if err != nil {
			return Record{}, b.targets.wrong(in, "parent", err)
		}
		fields = append(fields, jsonl.TextMember("parent", id))
	}
	waits, err := b.targets.deps(in, nil)
	if err != nil {
		return Record{}, err
	}
	return build(KindItem, in.object, append(fields, jsonl.ListMember("blocked_by", waits))...), nil
}

// EditItem is Edit of an item. MoveItem sets its state.
func (p *Plan) EditItem(id string, changes, meta []jsonl.Member) (Change, error) {
	return p.editRecord(KindItem, id, changes, meta)
}

// MoveItem sets the state of an item; which moves are allowed is not decided here. The reason, which may be empty, is part of the event. That of
// a move to Human Needed is kept in the item's "meta" as well, for whoever is to answer it. Members of "meta" may be set along with it.
func (p *Plan) MoveItem(id, state, reason string, now time.Time, meta ...jsonl.Member) (Change, error) {
	return p.change(func() (Change, error) {
		i := p.index(KindItem, id)
		if i < 0 {
			return Change{}, &UnknownIDError{Kind: KindItem, ID: id}
		}
		item := p.records[i]
		before := item.Text("state")
		if before == state {
			return Change{}, &UnchangedError{id}
		}
		moved := item.withResolved(jsonl.TextMember("state", state))
		if state == StateHumanNeeded && reason != "" {
			moved = withMeta(moved, []jsonl.Member{{Name: escalation, Value: jsonl.Value(jsonl.Build(present(
				jsonl.TextMember("reason", reason), jsonl.TextMember("from", before), jsonl.TextMember("at", FormatTime(now)),
			)).Text())}})
		}
		moved = withMeta(moved, meta)
		p.records[i] = moved
		e := event(EventItemMoved, moved, present(jsonl.TextMember("from", before), jsonl.TextMember("to", state), jsonl.TextMember("reason", reason))...)
		return Change{Events: []Event{e}, Records: []Record{moved}}, nil
	})
}

// PutItems puts items into the plan that were made elsewhere, ids and times of creation included: each takes the place of the one with its
// id, or is added. So clones that are given the same items have the same records.
func (p *Plan) PutItems(items []Record) (Change, error) {
	return p.change(func() (Change, error) {
		places := map[string]int{}
		for i := range p.records {
			places[p.records[i].ID()] = i
		}
		var all Change
		for _, item := range items {
			at, found := places[item.ID()]
			switch {
			case item.kind != KindItem || !ValidID(KindItem, item.ID()) || strings.TrimSpace(item.Name()) == "":
				return Change{}, fmt.Errorf("invalid item %s: want an id that begins with %s, and a name", item.ID(), IDPrefix(KindItem))
			case found && p.records[at].kind != KindItem:
				return Change{}, fmt.Errorf("invalid item %s: that is the id of another record", item.ID())
			case !found:
				places[item.ID()] = len(p.records)
				p.add(item)
				all.Join(added(item))
			case p.records[at].text != item.text:
				item.line, item.ending = p.records[at].line, p.records[at].ending
				all.Join(put(p.records[at], item))
				p.records[at] = item
			}
		}
		return all, nil
	})
}

// put is the change that puts an item in the place of another version of it.
func put(before, item Record) Change {
	e := event(EventEdited, item)
	if from, to := before.Text("state"), item.Text("state"); from != to {
		e = event(EventItemMoved, item, present(jsonl.TextMember("from", from), jsonl.TextMember("to", to))...)
	}
	return Change{Events: []Event{e}, Records: []Record{item}}
}
