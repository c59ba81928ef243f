package viewcmd

import (
	"context"
	"io"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/view"
	"git-ralph/internal/view/text"
)

// The formats of views besides text and JSON.
const (
	formatSVG     cmdline.Format = "svg"
	formatDot     cmdline.Format = "dot"
	formatMermaid cmdline.Format = "mermaid"
)

// textOptions returns what the output can show.
func textOptions(env *term.Env) text.Options {
	o := text.Options{ASCII: env.ASCII()}
	if env.Terminal {
		o.Width = env.Width
	}
	return o
}

// printLines prints lines, through a pager where they are many.
func printLines(ctx context.Context, env *term.Env, lines []text.Line) {
	env.Page(ctx, func(env *term.Env) {
		for _, line := range lines {
			cells := make([]term.Cell, len(line))
			for i, s := range line {
				cells[i] = term.Cell{Text: s.Text, Style: styleOf(s)}
			}
			env.WriteLine(env.Painted(cells))
		}
	})
}

// styleOf returns the style of a span.
func styleOf(s text.Span) term.Style {
	style := statusStyle(s.Status)
	switch {
	case s.Look == text.Faint:
		return term.Faint
	case s.Look == text.Strong && style == term.PlainStyle:
		return term.Strong
	case s.Look == text.Strong:
		return term.Strong + ";" + style
	}
	return style
}

func statusStyle(s view.Status) term.Style {
	switch s {
	case "":
		return term.PlainStyle
	case view.Ready:
		return term.Cyan
	case view.Blocked:
		return term.Yellow
	case view.Claimed:
		return term.Magenta
	case view.Done, view.Landed:
		return term.Green
	case view.Accepted, view.Decomposed, view.Closed, view.Removed:
		return term.Faint
	}
	return term.Red
}

// forms are a view in each format that it has.
type forms struct {
	svg, dot, mermaid func() string
	json              func(term.Sink)
	text              func(text.Options) []text.Line
}

// print prints the view in a format.
func (f forms) print(ctx context.Context, env *term.Env, format cmdline.Format) {
	document := map[cmdline.Format]func() string{formatSVG: f.svg, formatDot: f.dot, formatMermaid: f.mermaid}[format]
	switch {
	case document != nil:
		io.WriteString(env.Out, document())
	case format.Json(env):
		env.WriteJSON(f.json)
	default:
		printLines(ctx, env, f.text(textOptions(env)))
	}
}
