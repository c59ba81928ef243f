package merge

import (
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// state merges the fields of a task's state as one group: a mixture of two states would be invalid (docs/merge.md, "The
// state of a task"). It is nil for other records.
func (r *fieldMerger) state() []jsonl.Member {
	if r.kind != plan.KindTask {
		return nil
	}
	b, x, y := stateOf(r.was), stateOf(r.one), stateOf(r.two)
	lesser, greater := sorted(x, y)
	switch {
	case sameState(x, y):
		return lesser
	case sameState(b, y):
		return x
	case sameState(b, x):
		return y
	}
	winner, other := lesser, greater
	if r.prefers(greater, lesser) {
		winner, other = greater, lesser
	}
	r.discardState(b, winner, other)
	return winner
}

// prefers reports whether a state takes precedence over another one, whatever
// their bytes: done over pending, and pending over done but rejected.
func (r *fieldMerger) prefers(state, other []jsonl.Member) bool {
	if done := r.isDone(state); done != r.isDone(other) {
		return done
	}
	return textOf(state, "s") != "d" && textOf(other, "s") == "d"
}

// isDone reports whether a state is one of a task that is done, and of an
// attempt that nobody rejected.
func (r *fieldMerger) isDone(state []jsonl.Member) bool {
	return textOf(state, "s") == "d" && !r.m.tombstones.reject(r.id, plan.Attempt{ID: textOf(state, "attempt"), DoneAt: textOf(state, "done_at")})
}

// discardState reports the values of the losing state as discarded.
func (r *fieldMerger) discardState(before, winner, other []jsonl.Member) {
	for _, field := range plan.StateFields() {
		v := get(other, field)
		if v == "" || v == "null" || jsonl.Equal(v, get(before, field)) || jsonl.Equal(v, get(winner, field)) {
			continue
		}
		r.m.discard(r.id, field, v, get(winner, field))
	}
}

func textOf(all []jsonl.Member, field string) string {
	s, _ := get(all, field).Str()
	return s
}

func stateOf(all index) []jsonl.Member {
	var state []jsonl.Member
	for _, field := range plan.StateFields() {
		if v := all.get(field); v != "" {
			state = append(state, jsonl.Member{Name: field, Value: v})
		}
	}
	return state
}

func sameState(a, b []jsonl.Member) bool {
	for _, field := range plan.StateFields() {
		if !sameField(plan.KindTask, field, get(a, field), get(b, field)) {
			return false
		}
	}
	return true
}

// sorted returns two states in the order of their bytes.
func sorted(x, y []jsonl.Member) (lesser, greater []jsonl.Member) {
	if jsonl.Build(y).Text() < jsonl.Build(x).Text() {
		return y, x
	}
	return x, y
}

// get returns the value of a member, "" where there is none.
func get(all []jsonl.Member, name string) jsonl.Value { return index{all: all}.get(name) }
