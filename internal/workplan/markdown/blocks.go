package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	gm "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A block is a task block as Markdown has it.
type block struct {
	at      int    // its opening fence
	heading string // the nearest one above
	text    fragment
}

// blocks returns the task blocks of the document that begins at an offset, and reports fences that never close.
func (p *parser) blocks(body int) []block {
	src := p.src[body:]
	fences := &fenceParser{BlockParser: gm.NewFencedCodeBlockParser(), found: map[ast.Node]*fence{}}
	root := gm.NewParser(
		gm.WithBlockParsers(blockParsers(fences)...),
		gm.WithParagraphTransformers(gm.DefaultParagraphTransformers()...),
	).Parse(text.NewReader(src))

	var list []block
	heading := ""
	walk(root, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Heading:
			heading = headingText(n, src)
		case *ast.FencedCodeBlock:
			it := fences.found[n]
			if at := body + it.at; !it.closed {
				p.problem(at, "the fence never closes: want a line %q below it", fenceOf(p.src[at:]))
			} else if isTask(n, src) {
				list = append(list, block{at, heading, blockText(n, src, body, at)})
			}
		}
	})
	return list
}

// blockParsers are goldmark's, with one that also knows which fences are closed.
func blockParsers(fences gm.BlockParser) []util.PrioritizedValue {
	list := gm.DefaultBlockParsers()
	for i, it := range list {
		if it.Value == gm.NewFencedCodeBlockParser() {
			list[i].Value = fences
		}
	}
	return list
}

// A fence is where a block opens, and whether a fence closes it, not the end of what it is in.
type fence struct {
	at     int
	closed bool
}

// A fenceParser notes the fences that goldmark finds.
type fenceParser struct {
	gm.BlockParser
	found map[ast.Node]*fence
}

// Open parses an opening fence. The offset in the line counts the blanks that stand for a part of a tab.
func (f *fenceParser) Open(parent ast.Node, r text.Reader, c gm.Context) (ast.Node, gm.State) {
	_, line := r.PeekLine()
	n, state := f.BlockParser.Open(parent, r, c)
	if n != nil {
		f.found[n] = &fence{at: line.Start + max(0, c.BlockOffset()-line.Padding)}
	}
	return n, state
}

// Continue parses a line below an opening fence.
func (f *fenceParser) Continue(n ast.Node, r text.Reader, c gm.Context) gm.State {
	state := f.BlockParser.Continue(n, r, c)
	if state&gm.Close != 0 {
		f.found[n].closed = true
	}
	return state
}

// walk calls a function for each block in the order of the document. It is no recursion: quotes nest as deep as a file is long.
func walk(root ast.Node, call func(ast.Node)) {
	for n := root; n != nil; {
		call(n)
		if n.HasChildren() && n.FirstChild().Type() == ast.TypeBlock {
			n = n.FirstChild()
			continue
		}
		for n != nil && n != root && n.NextSibling() == nil {
			n = n.Parent()
		}
		if n == nil || n == root {
			return
		}
		n = n.NextSibling()
	}
}

// headingText returns the text of a heading without a leading "Task:".
func headingText(n *ast.Heading, src []byte) string {
	var parts []string
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		parts = append(parts, strings.TrimSpace(string(src[line.Start:line.Stop])))
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.Join(parts, " "), "Task:"))
}

// isTask reports whether the info string's first word is task.
func isTask(n *ast.FencedCodeBlock, src []byte) bool {
	if n.Info == nil {
		return false
	}
	words := bytes.Fields(src[n.Info.Segment.Start:n.Info.Segment.Stop])
	return len(words) > 0 && string(words[0]) == "task"
}

// fenceOf returns the run of fence characters that a text begins with.
func fenceOf(b []byte) string {
	n := 0
	for n < len(b) && b[n] == b[0] {
		n++
	}
	return string(b[:n])
}

// blockText returns the content of a block.
func blockText(n *ast.FencedCodeBlock, src []byte, body, at int) fragment {
	f := fragment{begin: at}
	for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
		f.add(src[s.Start:s.Stop], s.Padding, body+s.Start)
	}
	return f.finished()
}
