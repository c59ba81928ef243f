package report

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// The marks around the block.
const (
	begin = "[RALPH_OUTPUT]"
	// End closes the block.
	End = "[/RALPH_OUTPUT]"
)

// Find returns the last complete block of an agent's output. Blocks of the prompt, which some agents print first, do not
// count. The errors are ErrNone, ErrExample if there are only blocks of the prompt, and ErrUnusable for a block that cannot
// be read.
func Find(output, prompt string) (Report, error) {
	examples, _ := blocks(prompt)
	all, open := blocks(output)
	own := slices.DeleteFunc(slices.Clone(all), func(b string) bool {
		return slices.ContainsFunc(examples, func(example string) bool { return equal(example, b) })
	})
	switch {
	case len(own) > 0:
		return parse(own[len(own)-1])
	case open:
		return Report{}, unusable("the block has no %s", End)
	case len(all) > 0:
		return Report{}, ErrExample
	}
	return Report{}, ErrNone
}

func parse(block string) (Report, error) {
	from, to := strings.IndexByte(block, '{'), strings.LastIndexByte(block, '}') // agents often put a fence around JSON
	if from < 0 || to < from {
		return Report{}, unusable("the block holds no JSON object")
	}
	object, err := jsonl.ParseObject(block[from : to+1])
	if err != nil {
		return Report{}, unusable("the block holds invalid JSON: %v", err)
	}
	return Report{object}, nil
}

// blocks returns what is between the marks, and whether a last block is not closed.
func blocks(text string) (found []string, open bool) {
	for {
		before, after, begun := strings.Cut(text, begin)
		if !begun {
			return found, false
		}
		block, rest, closed := strings.Cut(after, End)
		if !closed {
			return found, true
		}
		if at := strings.LastIndex(block, begin); at >= 0 { // the block before was cut off
			before, block = block[:at], block[at+len(begin):]
		}
		found = append(found, strings.TrimSpace(unquoted(block, before)))
		text = rest
	}
}

// unquoted returns a block without the prefix of its lines if they are quoted, such as "> ": the text before its opening
// mark.
func unquoted(block, before string) string {
	return strings.ReplaceAll(block, "\n"+before[strings.LastIndexByte(before, '\n')+1:], "\n")
}

// equal reports whether two blocks mean the same: agents change the spaces of JSON that they print. Anything but JSON is
// compared by its words.
func equal(a, b string) bool {
	one, err := parse(a)
	other, errOther := parse(b)
	if err != nil || errOther != nil {
		return slices.Equal(strings.Fields(a), strings.Fields(b))
	}
	return jsonl.EqualObjects(one.object, other.object)
}
