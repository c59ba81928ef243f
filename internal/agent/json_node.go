package agent

import (
	"strconv"

	"git-ralph/internal/jsonl"
)

// A node is a value in a JSON text. A missing member is null: agents change their output from release to release, and a missing
// number must not stop a run.
type node struct {
	jsonl.Value
	object jsonl.Object // the same, where it is open
}

// open parses an object once for all of its members: a line may be long.
func (n node) open() node {
	if n.object.Text() == "" {
		n.object = n.Object()
	}
	return n
}

// at follows the names of members.
func (n node) at(names ...string) node {
	for _, name := range names {
		value, found := n.open().object.Get(name)
		if !found {
			return node{Value: "null"}
		}
		n = node{Value: value}
	}
	return n
}

func (n node) text(names ...string) string {
	text, _ := n.at(names...).Str()
	return text
}

// maxNumber is more than any run can use, and small enough that sums do not overflow.
const maxNumber = 1e12

// number returns a number of tokens, dollars or the like. An impossible value counts as 0: it must not become part of a sum, nor
// of an event, as JSON cannot represent infinity.
func (n node) number(names ...string) float64 {
	number, _ := strconv.ParseFloat(string(n.at(names...).Value), 64)
	if !(number >= 0 && number <= maxNumber) { // NaN is neither
		return 0
	}
	return number
}

func (n node) count(names ...string) int { return int(n.number(names...)) }

func (n node) isTrue(names ...string) bool { return n.at(names...).Value == "true" }

// elements are those of an array, open.
func (n node) elements() []node {
	var list []node
	if n.Kind() == jsonl.Array {
		for v := range n.All() {
			list = append(list, node{Value: v}.open())
		}
	}
	return list
}
