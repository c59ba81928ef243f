package svg

import (
	"slices"
	"strconv"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// Measures of a timeline's picture, in pixels.
const (
	laneLeft    = 330 // where the time begins; the names of lanes are before it
	laneTop     = 118
	laneHeight  = 24
	stripHeight = 34 // of the counts above the lanes
	laneColumns = 33 // of an id that no name is after
)

// Timeline draws a timeline: above how much happened, below it a lane for each task or person.
func Timeline(t view.Timeline, o Options) string {
	title := "Timeline by " + string(t.By)
	about := "Nothing happened."
	if t.Events > 0 {
		about = countOf(t.Events, "event") + " in " + countOf(len(t.Lanes)+t.Hidden, "lane")
		if t.Hidden > 0 {
			about += ", the newest " + strconv.Itoa(len(t.Lanes)) + " of which are shown"
		}
		about += ", from " + t.From.Format("2006-01-02 15:04") + " to " + t.Until.Format("2006-01-02 15:04") + "."
	}
	bottom := laneTop + len(t.Lanes)*laneHeight
	p := o.open("timeline", chartWidth, bottom+axisHeight, title, about)
	p.write(`<text class="heading" x="24" y="30">`, title, `</text><text class="faint" x="24" y="52">`, text(about), "</text>\n")
	if t.Events == 0 {
		return p.close()
	}
	for _, tick := range view.Ticks(t.From, t.Until, 6) {
		x := bucketX(t, tick)
		p.write(`<line class="grid" x1="`, x, `" y1="`, laneTop-stripHeight, `" x2="`, x, `" y2="`, bottom+5, `"/><text class="faint middle" x="`, min(x, chartWidth-labelHalf), `" y="`, bottom+20, `">`, tick.Label, "</text>\n")
	}
	if t.By == view.ByTask {
		p.signs()
	}
	p.strip(t)
	for i := range t.Lanes {
		p.lane(&t.Lanes[i], t.By, laneTop+i*laneHeight)
	}
	return p.close()
}

// signs says what the signs of a task's lane mean.
func (p *picture) signs() {
	x := chartWidth - chartRight
	for _, look := range slices.Backward(Looks()) {
		x -= 7*len(look.Title) + 4
		p.write(`<path class="icon `, look.Class, `" transform="translate(`, x-12, ` 26)" d="`, look.Path, `"/><text class="faint" x="`, x, `" y="30">`, look.Title, "</text>\n")
		x -= 12 + 14
	}
}

// bucketWidth is how wide a bucket is: the lanes are as wide as all of them.
const bucketWidth = float64(chartWidth-chartRight-laneLeft) / view.TimelineBuckets

func laneX(bucket int) int { return laneLeft + int(float64(bucket)*bucketWidth) }

func bucketX(t view.Timeline, tick view.Tick) int {
	return laneLeft + int(float64(tick.At.Sub(t.From))/float64(t.Until.Sub(t.From))*float64(chartWidth-chartRight-laneLeft))
}

// strip draws how many events there are in each bucket.
func (p *picture) strip(t view.Timeline) {
	highest := 1
	for _, n := range t.Counts {
		highest = max(highest, n)
	}
	p.write(`<text class="faint end" x="`, laneLeft-10, `" y="`, laneTop-8, `">events, at most `, highest, "</text>\n", `<path class="area accepted" d="`)
	for i, n := range t.Counts {
		if n > 0 {
			height := max(2, n*stripHeight/highest)
			p.write("M", laneX(i), " ", laneTop-4, "v", -height, "h", max(2, laneX(i+1)-laneX(i)-1), "v", height, "z")
		}
	}
	p.write("\"/>\n")
}

// lane draws a lane: its name, when a task was pending and done, and what happened.
func (p *picture) lane(l *view.Lane, by view.LaneBy, y int) {
	middle := y + laneHeight/2
	about := l.ID
	if l.Status != "" {
		about += " · " + string(l.Status)
	}
	p.write(`<g class="lane" data-id="`, text(l.ID), `"><title>`, text(about+": "+l.Name), "</title>\n")
	if l.Status != "" {
		p.icon(l.Status, 32, middle)
	}
	id, name := l.ID, view.OneLine(l.Name)
	if id == "" {
		id = "not known"
	}
	columns := laneColumns
	if name != "" {
		columns = 10
	}
	id = displaywidth.TruncateString(mask.Printable(id), columns, "…")
	p.write(`<text class="id" x="46" y="`, middle+4, `">`, text(id), "</text>")
	if name != "" {
		p.label("name", 124, laneLeft-12, middle+4, name, view.RightToLeft(name))
	}
	p.write(`<line class="grid" x1="`, laneLeft, `" y1="`, y+laneHeight, `" x2="`, chartWidth-chartRight, `" y2="`, y+laneHeight, "\"/>\n")
	for _, s := range l.Spans {
		p.write(`<rect class="area `, classOf(s.Status), `" x="`, laneX(s.From), `" y="`, middle-5, `" width="`, max(2, laneX(s.Until)-laneX(s.From)), `" height="10"/>`)
	}
	if by == view.ByPerson {
		p.bars(l, y+laneHeight)
	} else {
		p.marks(l, middle)
	}
	p.write("</g>\n")
}

// bars draws how much a person did in each bucket.
func (p *picture) bars(l *view.Lane, bottom int) {
	highest := 1
	for _, m := range l.Marks {
		highest = max(highest, m.Count)
	}
	p.write(`<path class="area bars ready" d="`)
	for _, m := range l.Marks {
		height := max(2, m.Count*(laneHeight-4)/highest)
		p.write("M", laneX(m.Bucket), " ", bottom, "v", -height, "h", max(2, laneX(m.Bucket+1)-laneX(m.Bucket)-1), "v", height, "z")
	}
	p.write(`"><title>`, text(countOf(l.Events, "event")+", at most "+strconv.Itoa(highest)), "</title></path>\n")
}

// marks draws what happened to a task, an issue or an item.
func (p *picture) marks(l *view.Lane, middle int) {
	for _, m := range l.Marks {
		p.mark(m, (laneX(m.Bucket)+laneX(m.Bucket+1))/2, middle)
	}
}

// mark draws what happened in a bucket, with the number of events where there are several.
func (p *picture) mark(m view.Mark, x, y int) {
	about := string(m.What) + " · " + m.At.Format("2006-01-02 15:04")
	if m.Count > 1 {
		about += " · " + countOf(m.Count, "event")
	}
	look := LookOf(m.What)
	p.write(`<path class="icon `, look.Class, `" transform="translate(`, x, " ", y, `)" d="`, look.Path, `"><title>`, text(about), "</title></path>\n")
}

// A Look is how events of some kinds are marked: with a sign, not a colour alone.
type Look struct {
	Title  string
	Class  string // that has the colour
	Path   string // around 0, 0, from -5 to 5
	Events []plan.EventName
}

// Looks returns the looks of all events. The last one is also that of events that no look names.
func Looks() []Look {
	return []Look{
		{"added", "ready", "M-4 0H4M0 -4V4", []plan.EventName{plan.EventAdded, plan.EventIssueAdded, plan.EventItemAdded, plan.EventReopened}},
		{"done", "done", iconPath(view.Done), []plan.EventName{plan.EventDone}},
		{"accepted", "accepted", iconPath(view.Accepted), []plan.EventName{plan.EventAccepted}},
		{"closed", "accepted", iconPath(view.Closed), []plan.EventName{plan.EventIssueDone}},
		{"rejected", "bad", iconPath(view.Rejected), []plan.EventName{plan.EventRejected, plan.EventKilled}},
		{"cancelled", "accepted", iconPath(view.Decomposed), []plan.EventName{plan.EventCancelled, plan.EventItemRemoved, plan.EventDecomposed}},
		{"moved", "claimed", iconPath(view.Claimed), []plan.EventName{plan.EventItemMoved}},
		{"edited", "blocked", "M0 -3L3 0L0 3L-3 0Z", nil},
	}
}

// LookOf returns the look of an event.
func LookOf(name plan.EventName) Look {
	all := Looks()
	for _, one := range all {
		if slices.Contains(one.Events, name) {
			return one
		}
	}
	return all[len(all)-1]
}
