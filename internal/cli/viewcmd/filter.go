package viewcmd

import (
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/view"
)

// readFilter reads the filter of a command line, and refuses what cannot be. Unlike one that somebody is typing, in the board and the page,
// it is whole: a quote must have its second one.
func readFilter(c *cli.Context, text string) (view.Filter, error) {
	f := view.ParseFilter(text)
	if err := f.Err(); err != nil {
		return f, cmdline.Usage(c, "%v", err)
	}
	if strings.Count(text, `"`)%2 == 1 {
		return f, cmdline.Usage(c, `invalid filter %q: want words, or a text between two quotes, such as "two words"`, text)
	}
	return f, nil
}

// hintNothing hints at why nothing is shown: no task is of the spec, no event is of such an author, or nothing matches all conditions.
// An empty spec or author is no condition.
func hintNothing(env *term.Env, d *view.Data, what, spec, author string) {
	specs, authors := namesIn(d)
	isOf := func(address string) bool { return strings.Contains(strings.ToLower(address), strings.ToLower(author)) }
	switch {
	case spec != "" && !slices.Contains(specs, spec):
		env.Hint("no task is of the spec " + spec + thereAre(specs))
	case author != "" && !slices.ContainsFunc(authors, isOf):
		env.Hint("no author's address holds " + author + thereAre(authors))
	default:
		env.Hint("no matching " + what)
	}
}

// namesIn returns the specs of the tasks, and the authors of the events that were read.
func namesIn(d *view.Data) (specs, authors []string) {
	of, by := map[string]bool{}, map[string]bool{}
	for _, card := range d.Cards() {
		of[card.Spec()] = true
	}
	if d.History != nil {
		for _, life := range d.History.Lives {
			of[life.Spec] = true
		}
		for _, e := range d.History.Events {
			by[e.Author] = true
		}
	}
	delete(of, "")
	delete(by, "")
	return slices.Sorted(maps.Keys(of)), slices.Sorted(maps.Keys(by))
}

// maxNames is how many names a hint lists.
const maxNames = 5

// thereAre lists names at the end of a hint.
func thereAre(names []string) string {
	switch {
	case len(names) == 0:
		return ""
	case len(names) > maxNames:
		names = append(slices.Clone(names[:maxNames]), "…")
	}
	return "; there are " + strings.Join(names, ", ")
}
