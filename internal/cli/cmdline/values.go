package cmdline

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// A Candidate is a possible completion of the word that is being typed.
type Candidate struct {
	Text, About string
	directive   string // what the shell is to complete by itself, instead of Text
}

// Values returns what may complete the next word of a line: an argument of its command, or the value of a flag.
type Values func(ctx context.Context, env *term.Env, line *Line) []Candidate

// OneOf offers fixed words.
func OneOf(words ...string) Values {
	return func(context.Context, *term.Env, *Line) []Candidate { return Candidates(words) }
}

// Candidates makes candidates without a description.
func Candidates(words []string) []Candidate {
	all := make([]Candidate, len(words))
	for i, word := range words {
		all[i].Text = word
	}
	return all
}

// Either offers everything that any of several would offer.
func Either(each ...Values) Values {
	return func(ctx context.Context, env *term.Env, line *Line) (all []Candidate) {
		for _, values := range each {
			all = append(all, values(ctx, env, line)...)
		}
		return all
	}
}

// Positions offers values by the position of the argument, and nothing after the last.
func Positions(each ...Values) Values {
	return func(ctx context.Context, env *term.Env, line *Line) []Candidate {
		if at := len(line.Args); at < len(each) {
			return each[at](ctx, env, line)
		}
		return nil
	}
}

// Files, directories and revisions are completed by the shell itself. A directive stands on a line of its own; no candidate
// begins with a colon.
func Files(context.Context, *term.Env, *Line) []Candidate { return []Candidate{{directive: ":files"}} }

func Directories(context.Context, *term.Env, *Line) []Candidate {
	return []Candidate{{directive: ":dirs"}}
}

func Revisions(context.Context, *term.Env, *Line) []Candidate {
	return []Candidate{{directive: ":revs"}}
}

// CompletesArgs is the BashComplete of a command: what may be its next argument.
func CompletesArgs(values Values) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		if r, ok := c.Context.Value(argsKey{}).(*argsRequest); ok {
			r.found = values(c.Context, r.env, r.line)
		}
	}
}

// argsKey is the key of an *argsRequest in a context.
type argsKey struct{}

// An argsRequest asks a command, by the context of its BashComplete, for its arguments.
type argsRequest struct {
	env   *term.Env
	line  *Line
	found []Candidate
}

// A textFlag is a flag that has one value.
type textFlag struct {
	*cli.StringFlag
	flagValues
}

// A listFlag is a flag that may be repeated.
type listFlag struct {
	*cli.StringSliceFlag
	flagValues
}

// flagValues are what a flag's values may be.
type flagValues struct {
	values  Values // nil where none are offered
	isEmpty bool   // an empty one has a meaning
}

func (v *flagValues) own() *flagValues { return v }

// valuesOf returns what the values of a flag may be.
func valuesOf(f cli.Flag) flagValues {
	if v, ok := f.(interface{ own() *flagValues }); ok {
		return *v.own()
	}
	return flagValues{}
}

// withOwn returns a flag with flagValues of its own, and these.
func withOwn(f cli.Flag) (cli.Flag, *flagValues) {
	switch flag := f.(type) {
	case *cli.StringFlag:
		f = &textFlag{StringFlag: flag}
	case *cli.StringSliceFlag:
		f = &listFlag{StringSliceFlag: flag}
	}
	if v, ok := f.(interface{ own() *flagValues }); ok {
		return f, v.own()
	}
	return f, &flagValues{} // a flag that is no text: nothing is offered for it
}

// Completes returns a flag whose values can be completed.
func Completes(f cli.Flag, values Values) cli.Flag {
	f, own := withOwn(f)
	own.values = values
	return f
}

// MayBeEmpty returns a flag of which an empty value has a meaning.
func MayBeEmpty(f cli.Flag) cli.Flag {
	f, own := withOwn(f)
	own.isEmpty = true
	return f
}
