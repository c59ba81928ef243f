package runcmd

import (
	"fmt"
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/team"
)

// teamReport returns the report of a team's run, as Markdown.
func teamReport(title string, s team.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", title, sentenceOf(s.Summary))
	fmt.Fprintf(&b, "%d landed, %d returned, %d rejected, %d accepted.\n\n", s.Landed, s.Returned, s.Rejected, s.Accepted)
	b.WriteString("| worker | starts | iterations | finished | time | tokens | cost |\n|---|---|---|---|---|---|---|\n")
	for _, w := range s.Workers {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s | %d | $%.2f |\n", w.Name, w.Starts, w.Iterations, w.Finished, took(w.Took), w.Tokens, w.Cost)
	}
	b.WriteString("\n| task | name | workers | landed | returned | rejected | accepted | time | tokens | cost |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, t := range s.Tasks {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d | %s | %d | $%.2f |\n", cellText(t.ID), cellText(term.FirstLineOf(t.Name)), strings.Join(t.Workers, ", "),
			t.Landed, t.Returned, t.Rejected, t.Accepted, took(t.Took), t.Tokens, t.Cost)
	}
	return b.String()
}

// cellText returns text that stays within its cell of a table in Markdown.
func cellText(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'").Replace(term.Printable(text))
}
