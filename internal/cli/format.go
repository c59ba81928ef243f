package cli

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// A format is how results are printed; the zero value is the default: text on a
// terminal, else JSON.
type format string

const (
	formatText  format = "text"
	formatJSON  format = "json"
	formatJSONL format = "jsonl" // one event per line, in log alone
)

// formatFlags choose the format of a command that prints JSON where standard
// output is not a terminal.
func formatFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "print JSON, the default where standard output is not a terminal"},
		&cli.BoolFlag{Name: "text", Usage: "print text, the default on a terminal"},
		&cli.StringFlag{Name: "format", Usage: "print `FORMAT`: text or json"},
	}
}

// textFormatFlags are formatFlags of a command that prints text unless it is
// asked for JSON.
func textFormatFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		&cli.BoolFlag{Name: "text", Usage: "print text, the default"},
		&cli.StringFlag{Name: "format", Usage: "print `FORMAT`: text or json"},
	}
}

// formatFrom reads the flags of formatFlags, which checkFormat has checked.
func formatFrom(c *cli.Context) format {
	switch {
	case c.Bool("json"):
		return formatJSON
	case c.Bool("text"):
		return formatText
	}
	return format(c.String("format"))
}

// json reports whether results are to be printed as JSON.
func (f format) json(env *Env) bool { return f == formatJSON || f == "" && !env.Terminal }

// checkFormat refuses a format that does not exist, and two of them.
func checkFormat(c *cli.Context) error {
	if findFlag(c.Command.Flags, "text") == nil {
		return nil
	}
	given := []format{}
	if c.IsSet("format") {
		given = append(given, format(c.String("format")))
		accepted, want := []format{formatText, formatJSON}, "text or json"
		if c.Command.Name == "log" {
			accepted, want = append(accepted, formatJSONL), "text, json or jsonl"
		}
		if !slices.Contains(accepted, given[0]) {
			return usage(c, "invalid format %q: want %s", given[0], want)
		}
	}
	for _, f := range [...]format{formatJSON, formatText} {
		if c.Bool(string(f)) {
			given = append(given, f)
		}
	}
	if len(slices.Compact(given)) > 1 {
		return usage(c, "two formats: %s and %s; give one of them", given[0], given[1])
	}
	return nil
}
