package export

import (
	"fmt"
	"strings"
	"time"

	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// Report returns a report as a document in Markdown. Times are those of the location of r.Until.
func Report(title string, r view.Report) string {
	d := reportWriter{zone: r.Until.Location()}
	d.printf("# Report on the %s\n\n", inline(strings.ToLower(title[:1])+title[1:]))
	since := "From the beginning"
	if !r.From.IsZero() {
		since = "From " + d.time(r.From)
	}
	d.printf("%s to %s.\n", since, d.time(r.Until))
	d.summary(r)
	d.forPersons(r.ForPersons)
	d.tasks(r.Tasks)
	d.people(r.People)
	d.runs(r.Runs)
	return d.b.String()
}

type reportWriter struct {
	b    strings.Builder
	zone *time.Location
}

func (d *reportWriter) printf(format string, values ...any) { fmt.Fprintf(&d.b, format, values...) }

// time writes a time as people read it; "?" where it is not known.
func (d *reportWriter) time(t time.Time) string {
	if timeText(t) == "" {
		return "?"
	}
	return t.In(d.zone).Format("2006-01-02 15:04 -0700")
}

func (d *reportWriter) summary(r view.Report) {
	d.printf("\n## Summary\n\n")
	t := r.Total
	d.printf("- %s\n", list([]count{
		{t.Done, "done"},
		{t.Accepted, "accepted"},
		{t.Rejected, "rejected"},
		{t.Cancelled, "cancelled"},
		{t.Added, "added"},
		{t.Edited, "edited"},
		{t.Opened, "issues opened"},
		{t.Closed, "issues closed"},
	}, "nothing happened to the tasks"))
	if t.Accepted > 0 {
		d.printf("- %d of %d acceptances have receipts of checks\n", t.Proved, t.Accepted)
	}
	if r.Usage.Iterations > 0 {
		d.printf("- agents: %s\n", usage(r.Usage))
	}
	var now []count
	for _, status := range view.Columns() {
		if status != view.Accepted {
			now = append(now, count{r.Now[status], string(status)})
		}
	}
	d.printf("- now: %s\n", list(now, "nothing is left"))
}

// A count is a number of something.
type count struct {
	n    int
	what string
}

// list lists the counts that are not 0.
func list(all []count, nothing string) string {
	var texts []string
	for _, c := range all {
		if c.n > 0 {
			what := c.what
			if c.n == 1 {
				what = strings.Replace(what, "issues", "issue", 1)
			}
			texts = append(texts, fmt.Sprintf("%d %s", c.n, what))
		}
	}
	if texts == nil {
		return nothing
	}
	return strings.Join(texts, ", ")
}

// usage says what iterations took. What no agent reported is left out.
func usage(u view.Usage) string {
	text := fmt.Sprintf("%d iterations, %s", u.Iterations, u.Took.Round(time.Second))
	if u.Iterations == 1 {
		text = fmt.Sprintf("1 iteration, %s", u.Took.Round(time.Second))
	}
	if u.Tokens > 0 {
		text += fmt.Sprintf(", %d tokens", u.Tokens)
	}
	if u.Cost > 0 {
		text += fmt.Sprintf(", %.2f US dollars", u.Cost)
	}
	return text
}

func (d *reportWriter) forPersons(cards []view.Card) {
	if len(cards) == 0 {
		return
	}
	d.printf("\n## Waits for a person\n\n")
	for i := range cards {
		d.printf("- %s\n", entry(&Row{Card: cards[i]}))
	}
}

// reportGroups are the sections of tasks: what is decided first.
var reportGroups = [...]plan.EventName{
	plan.EventAccepted, plan.EventDone, plan.EventRejected, plan.EventKilled, plan.EventCancelled, plan.EventDecomposed, plan.EventReopened,
	plan.EventItemMoved, plan.EventIssueDone, plan.EventIssueAdded, plan.EventItemAdded, plan.EventItemRemoved, plan.EventAdded, plan.EventEdited,
}

func (d *reportWriter) tasks(all []view.Happened) {
	byWhat := map[plan.EventName][]view.Happened{}
	for _, h := range all {
		byWhat[h.What] = append(byWhat[h.What], h)
	}
	for _, what := range reportGroups {
		if len(byWhat[what]) == 0 {
			continue
		}
		title := strings.ReplaceAll(string(what), "-", " ")
		if title == "issue done" {
			title = "issue closed"
		}
		d.printf("\n## %s (%d)\n\n", heading(view.Status(title)), len(byWhat[what]))
		for _, h := range byWhat[what] {
			d.task(h)
		}
	}
}

func (d *reportWriter) task(h view.Happened) {
	d.printf("- **%s** %s", inline(h.ID), inline(view.Called(h.Name)))
	if h.Reason != "" && h.What != plan.EventEdited {
		d.printf(": %s", inline(h.Reason))
	}
	if h.By != "" {
		d.printf(" · by %s", inline(h.By))
	}
	d.printf(" · %s", d.time(h.At))
	if h.Proved {
		d.printf(" · proved by checks")
	}
	if h.Rejected > 0 && h.What != plan.EventRejected {
		d.printf(" · rejected %d× before", h.Rejected)
	}
	if h.Usage.Iterations > 0 {
		d.printf(" · %s", usage(h.Usage))
	}
	d.printf("\n")
}

func (d *reportWriter) people(all []view.Person) {
	if len(all) == 0 {
		return
	}
	d.printf("\n## People\n\n| who | added | edited | done | accepted | rejected | cancelled | issues opened | issues closed |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, p := range all {
		who := inline(p.Address)
		if who == "" {
			who = "?"
		}
		d.printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", who, p.Added, p.Edited, p.Done, p.Accepted, p.Rejected, p.Cancelled, p.Opened, p.Closed)
	}
}

func (d *reportWriter) runs(all []view.Run) {
	if len(all) == 0 {
		return
	}
	d.printf("\n## Runs and cost\n\n| run | agent | began | iterations | time | tokens | US dollars | end |\n|---|---|---|--:|--:|--:|--:|---|\n")
	for _, r := range all {
		u := view.UsageOf([]view.Run{r}, func(view.Iteration) bool { return true })
		why := r.Why
		if r.PID != 0 {
			why = "under way"
		}
		d.printf("| %s | %s | %s | %d | %s | %s | %s | %s |\n", inline(r.Name), inline(r.Agent), d.time(r.Began), u.Iterations, u.Took.Round(time.Second),
			known(u.Tokens > 0, fmt.Sprint(u.Tokens)), known(u.Cost > 0, fmt.Sprintf("%.2f", u.Cost)), inline(why))
	}
}

// known returns a text, "" for what no agent reported.
func known(is bool, text string) string {
	if is {
		return text
	}
	return ""
}
