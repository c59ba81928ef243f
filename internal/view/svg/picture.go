package svg

import (
	"strconv"
	"strings"
	"unicode"

	"git-ralph/internal/mask"
	"git-ralph/internal/view"
)

// Options say where a picture goes. The zero value is for a file of its own.
type Options struct {
	Page bool // it becomes part of a page, which has Stylesheet: the picture has neither a style nor a background
}

// A picture is an SVG document that is being written.
type picture struct {
	b strings.Builder
	o Options
}

// open begins a document with its title and what it says to those who do not see it.
func (o Options) open(class string, width, height int, title, about string) *picture {
	p := &picture{o: o}
	p.write(`<svg xmlns="http://www.w3.org/2000/svg" class="ralph-view `, class, `" width="`, width, `" height="`, height, `" viewBox="0 0 `, width, ` `, height, `" role="img" aria-label="`, text(title+". "+about), "\">\n<title>", text(title), "</title>\n<desc>", text(about), "</desc>\n")
	if !o.Page {
		p.write("<style>", Stylesheet(), "</style>\n", `<rect class="page" width="`, width, `" height="`, height, "\"/>\n")
	}
	return p
}

func (p *picture) close() string {
	p.b.WriteString("</svg>\n")
	return p.b.String()
}

// write appends texts and whole numbers. Texts are markup: what comes from outside goes through text first.
func (p *picture) write(parts ...any) {
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			p.b.WriteString(part)
		case markup:
			p.b.WriteString(string(part))
		case int:
			p.b.WriteString(strconv.Itoa(part))
		}
	}
}

// A markup is text with what means something in XML replaced.
type markup string

// text makes markup of a text that may come from anybody. Control characters, and those that change the direction of writing, are shown.
func text(s string) markup {
	s = mask.Printable(s)
	if !strings.ContainsAny(s, `<>&"'`) && !strings.ContainsFunc(s, notXML) {
		return markup(s)
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\'':
			b.WriteString("&#39;")
		case notXML(r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(r)
		}
	}
	return markup(b.String())
}

// notXML reports whether XML does not allow a character that is not a control character.
func notXML(r rune) bool { return r == 0xfffe || r == 0xffff }

// label writes a text between two edges, x and right, as much of it as there is room for. What is written from right to left begins at the
// right edge.
func (p *picture) label(class string, x, right, y int, s string, rightToLeft bool) {
	if s == "" {
		return
	}
	p.write(`<text class="`, class, `" y="`, y, `" x="`)
	if rightToLeft {
		p.write(right, `" direction="rtl`)
	} else {
		p.write(x)
	}
	p.write(`">`, text(view.CutText(s, right-x)), "</text>")
}
