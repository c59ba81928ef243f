package cmdline

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// A Format is how results are printed; the zero value is the default: text on a
// terminal, else JSON.
type Format string

const (
	FormatText  Format = "text"
	FormatJSON  Format = "json"
	FormatJSONL Format = "jsonl" // one event per line, in log alone
)

// FormatFlags choose the format of a command that prints JSON where standard
// output is not a terminal, or in one of more formats.
func FormatFlags(more ...Format) []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "print JSON, the default where standard output is not a terminal"},
		&cli.BoolFlag{Name: "text", Usage: "print text, the default on a terminal"},
		FormatFlag(append([]Format{FormatText, FormatJSON}, more...)...),
	}
}

// TextFormatFlags are FormatFlags of a command that prints text unless JSON
// is requested.
func TextFormatFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		&cli.BoolFlag{Name: "text", Usage: "print text, the default"},
		FormatFlag(FormatText, FormatJSON),
	}
}

// FormatFrom reads the flags of FormatFlags, which CheckFormat has checked.
func FormatFrom(c *cli.Context) Format {
	switch {
	case c.Bool("json"):
		return FormatJSON
	case c.Bool("text"):
		return FormatText
	}
	return Format(c.String("format"))
}

// Json reports whether results are to be printed as JSON.
func (f Format) Json(env *term.Env) bool { return f == FormatJSON || f == "" && !env.Terminal }

// A formatFlag is the flag --format.
type formatFlag struct {
	textFlag
	accepted []Format
}

// FormatFlag is the flag that names one of the accepted formats.
func FormatFlag(accepted ...Format) cli.Flag {
	f := &formatFlag{accepted: accepted}
	f.StringFlag = &cli.StringFlag{Name: "format", Usage: "print `FORMAT`: " + oneOf(accepted)}
	f.values = func(context.Context, *term.Env, *Line) (all []Candidate) {
		for _, format := range accepted {
			all = append(all, Candidate{Text: string(format)})
		}
		return all
	}
	return f
}

// oneOf lists formats: "text, json or jsonl".
func oneOf(formats []Format) string {
	last := len(formats) - 1
	text := string(formats[0])
	for _, f := range formats[1:last] {
		text += ", " + string(f)
	}
	return text + " or " + string(formats[last])
}

// CheckFormat refuses a format that does not exist, or that the command does not print, and two of them.
func CheckFormat(c *cli.Context) error {
	if findFlag(c.Command.Flags, "text") == nil && findFlag(c.Command.Flags, "format") == nil {
		return nil
	}
	formats := []Format{}
	if c.IsSet("format") {
		formats = append(formats, Format(c.String("format")))
	}
	for _, f := range [...]Format{FormatJSON, FormatText} {
		if c.Bool(string(f)) {
			formats = append(formats, f)
		}
	}
	if flag, ok := findFlag(c.Command.Flags, "format").(*formatFlag); ok {
		for _, f := range formats {
			if !slices.Contains(flag.accepted, f) {
				return Usage(c, "invalid format %q: want %s", f, oneOf(flag.accepted))
			}
		}
	}
	if len(slices.Compact(formats)) > 1 {
		return Usage(c, "two formats: %s and %s; give one of them", formats[0], formats[1])
	}
	return nil
}
