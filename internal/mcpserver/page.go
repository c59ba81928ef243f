package mcpserver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/jsonl"
)

// Sizes of a reply.
const (
	maxReply     = 16 << 10 // bytes of a result
	defaultLimit = 10       // elements of a list
	maxLimit     = 50
)

// A listing is a list of which one page is returned.
type listing struct {
	member string   // of the command's result; "" where the result is the list
	key    []string // the members by which elements differ
	limit  int
	after  cursor
}

// A cursor is the place in a list after the elements that the caller has. Nothing is kept between calls, so it holds the last element:
// the list may have changed since.
type cursor struct {
	count int    // elements before the place
	last  string // the key of the last of them
}

// listed returns the listing for the input of a tool.
func listed(limit int, after, member string, key ...string) (*listing, error) {
	l := &listing{member: member, key: key, limit: limit}
	switch {
	case limit == 0:
		l.limit = defaultLimit
	case limit < 0 || limit > maxLimit:
		return nil, &cmdline.UsageError{Text: fmt.Sprintf("invalid limit %d: want 1 to %d", limit, maxLimit)}
	}
	if after == "" {
		return l, nil
	}
	count, last, found := strings.Cut(after, ".")
	n, err := strconv.Atoi(count)
	if err != nil || !found || n < 0 || n > maxOffset {
		return nil, &cmdline.UsageError{Text: fmt.Sprintf("invalid cursor %q: want one that a reply had", cut(after, 100))}
	}
	l.after = cursor{n, last}
	return l, nil
}

// maxOffset keeps sums of numbers of elements in range.
const maxOffset = 1 << 30

// wanted is how many elements the command has to list: the page, what is before it, and one that says that there are more.
func (l *listing) wanted() string { return strconv.Itoa(l.after.count + l.limit + 1) }

// page returns the page of a command's result, and the cursor of the next one, "" after the last.
func (l *listing) page(result jsonl.Value) (page, next string) {
	if l.member != "" {
		result, _ = result.Object().Get(l.member)
	}
	all := slices.Collect(result.All())
	start := l.start(all)
	end, used := start, 0
	var texts []string
	for end < min(start+l.limit, len(all)) {
		text := fit(all[end], maxReply/4)
		if used += len(text) + 1; used > maxReply && end > start {
			break
		}
		texts = append(texts, text)
		end++
	}
	if end < len(all) {
		next = fmt.Sprintf("%d.%s", end, l.keyOf(all[end-1]))
	}
	return "[" + strings.Join(texts, ",") + "]", next
}

// start returns the index of the first element of the page: after the last one that the caller has, or, where that is not in the list
// any more, after as many as the caller has.
func (l *listing) start(all []jsonl.Value) int {
	if l.after.last == "" {
		return min(l.after.count, len(all))
	}
	for i := min(l.after.count, len(all)) - 1; i >= 0; i-- {
		if l.keyOf(all[i]) == l.after.last {
			return i + 1
		}
	}
	if at := slices.IndexFunc(all, func(v jsonl.Value) bool { return l.keyOf(v) == l.after.last }); at >= 0 {
		return at + 1
	}
	return min(l.after.count, len(all))
}

func (l *listing) keyOf(element jsonl.Value) string {
	var parts []string
	o := element.Object()
	for _, name := range l.key {
		value, _ := o.Get(name)
		text, _ := value.Str()
		parts = append(parts, cut(text, 64))
	}
	return strings.Join(parts, "/")
}
