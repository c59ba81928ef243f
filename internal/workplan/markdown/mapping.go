package markdown

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"git-ralph/internal/workplan"
)

// A mapping is the YAML of the frontmatter or of a block.
type mapping struct {
	p    *parser
	f    fragment
	at   int // where it begins, for what is missing
	node *yaml.Node
}

// A value is one field of a mapping.
type value struct {
	found    bool // it is there
	present  bool // and not null
	reported bool // something is wrong with it, and was reported
	text     string
	at       int
	span     workplan.Span
}

// mapping parses a fragment. what names it in messages.
func (p *parser) mapping(f fragment, at int, what string) (mapping, bool) {
	m := mapping{p: p, f: f, at: at}
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(f.text))
	err := dec.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		p.problem(at, "%s is empty: want fields such as id and status", what)
		return m, false
	case err != nil:
		p.invalidYAML(f, at, what, err)
		return m, false
	}
	m.node = doc.Content[0]
	if m.node.Kind != yaml.MappingNode {
		p.problem(f.place(m.node), "%s is not a mapping: want fields such as id and status", what)
		return m, false
	}
	var second yaml.Node
	if err := dec.Decode(&second); err == nil {
		p.problem(f.place(&second), "%s has two YAML documents: want one", what)
		return m, false
	} else if !errors.Is(err, io.EOF) {
		p.invalidYAML(f, at, what, err)
		return m, false
	}
	return m, true
}

// invalidYAML reports an error of the library, whose text is "yaml: line 2: reason".
func (p *parser) invalidYAML(f fragment, at int, what string, err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		number, reason, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			at, text = f.source(f.offset(line, 1)), reason
		}
	}
	p.problem(at, "%s is not valid YAML: %s", what, workplan.Shown(text))
}

// place returns where a node is in the file.
func (f fragment) place(n *yaml.Node) int { return f.source(f.offset(n.Line, n.Column)) }

// required returns a field, and reports one that is missing, null or empty.
func (m mapping) required(name string) value {
	v := m.optional(name)
	switch {
	case v.reported || v.present && v.text != "":
		return v
	case !v.found:
		m.p.problem(m.at, "missing field %q", name)
	default:
		m.p.problem(v.at, "the field %q is empty: want a value", name)
	}
	v.present = false
	return v
}

// optional returns a field, and reports one that is there twice or is no single value. One that is null is not present.
func (m mapping) optional(name string) value {
	var v value
	for i := 0; i+1 < len(m.node.Content); i += 2 {
		key, node := m.node.Content[i], m.node.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Value != name {
			continue
		}
		if v.found {
			m.p.problem(m.f.place(key), "the field %q is there twice: want it once", name)
			v.reported = true
			return v
		}
		v = m.value(name, node)
	}
	return v
}

// value reads a node.
func (m mapping) value(name string, node *yaml.Node) value {
	v := value{found: true, at: m.f.place(node)}
	scalar := node
	if node.Kind == yaml.AliasNode {
		scalar = node.Alias
	}
	if scalar.Kind != yaml.ScalarNode {
		m.p.problem(v.at, "the field %q is not a single value: want one word or text", name)
		v.reported = true
		return v
	}
	if scalar.ShortTag() != "!!null" {
		v.present, v.text = true, scalar.Value
	}
	v.span = m.f.span(node, m.p.src)
	return v
}

// span finds the bytes of a value, and verifies them.
func (f fragment) span(n *yaml.Node, src []byte) workplan.Span {
	fixed := func(why string) workplan.Span { return workplan.Span{Fixed: why} }
	switch {
	case n.Kind == yaml.AliasNode:
		return fixed("it is an alias of another value; write the status itself")
	case n.Anchor != "":
		return fixed("it has an anchor, so other values may be aliases of it; remove the anchor")
	case n.Style&yaml.TaggedStyle != 0:
		return fixed("it has a tag; remove the tag")
	}
	at := f.offset(n.Line, n.Column)
	quote := quoteOf(n.Style)
	if !bytes.HasPrefix(f.text[at:], []byte(quote+n.Value+quote)) {
		return fixed("it has escapes or spans lines; write it as one word")
	}
	start := f.source(at + len(quote))
	end := start + len(n.Value)
	if f.source(at+len(quote)+len(n.Value)-1) != end-1 || string(src[start:end]) != n.Value {
		return fixed("its bytes are not where they were parsed")
	}
	return workplan.Span{Start: start, End: end}
}

// quoteOf returns the quote around a value of a style.
func quoteOf(style yaml.Style) string {
	switch {
	case style&yaml.SingleQuotedStyle != 0:
		return "'"
	case style&yaml.DoubleQuotedStyle != 0:
		return `"`
	}
	return ""
}
