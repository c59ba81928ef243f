package svg

import (
	"strconv"
	"strings"

	"git-ralph/internal/view"
)

// Measures of a picture with an axis of time, in pixels.
const (
	chartWidth  = 960
	chartLeft   = 56
	chartRight  = 24
	chartTop    = 78
	chartHeight = 300
	axisHeight  = 34
	labelHalf   = 48 // half of a time below the axis, in a wide font
)

// Burndown draws a burndown: what is pending, what is done above it, and what was accepted above that; their sum is the scope.
func Burndown(b view.Burndown, o Options) string {
	about := "No task was ever added."
	if n := len(b.Points); n > 0 {
		last := b.Points[n-1]
		about = strconv.Itoa(last.Pending) + " pending, " + strconv.Itoa(last.Done) + " done, " + strconv.Itoa(last.Accepted) + " accepted, of " + countOf(last.Scope(), "task") + "."
	}
	p := o.open("burndown", chartWidth, chartTop+chartHeight+axisHeight, "Burndown", about)
	p.write(`<text class="heading" x="24" y="30">Burndown</text><text class="faint" x="24" y="52">`, text(about), "</text>\n")
	if len(b.Points) == 0 {
		return p.close()
	}
	c := newChart(b)
	c.grid(p)
	p.axis(view.Ticks(b.From, b.Until, 8), c.x, chartTop+chartHeight)
	none := func(view.BurndownPoint) int { return 0 }
	pending := func(b view.BurndownPoint) int { return b.Pending }
	done := func(b view.BurndownPoint) int { return b.Pending + b.Done }
	p.area("ready", c, none, pending)
	p.area("done", c, pending, done)
	p.area("accepted", c, done, view.BurndownPoint.Scope)
	p.curve("line ready", c, pending)
	p.curve("line done dashed", c, done)
	p.curve("line accepted", c, view.BurndownPoint.Scope)
	x := chartWidth - 430
	for _, it := range [...][2]string{{"ready", "pending"}, {"done dashed", "done, to verify"}, {"accepted", "scope, with accepted"}} {
		p.write(`<path class="line `, it[0], `" d="M`, x, ` 26h22"/><text x="`, x+28, `" y="30">`, it[1], "</text>\n")
		x += 28 + 7*len(it[1]) + 14
	}
	return p.close()
}

// A chart has the scales of a burndown.
type chart struct {
	view.Burndown
	top int // of the vertical axis
}

func newChart(b view.Burndown) chart {
	c := chart{b, 1}
	for _, p := range b.Points {
		c.top = max(c.top, p.Scope())
	}
	step := c.step()
	c.top = (c.top + step - 1) / step * step
	return c
}

// step is how far the lines of the grid are apart: 1, 2 or 5, times a power of ten.
func (c chart) step() int {
	for power := 1; ; power *= 10 {
		for _, n := range [...]int{1, 2, 5} {
			if c.top <= 6*n*power {
				return n * power
			}
		}
	}
}

func (c chart) x(t view.Tick) int { return axisX(int64(t.At.Sub(c.From)), int64(c.Until.Sub(c.From))) }

// axisX returns where a part of a whole time is.
func axisX(part, whole int64) int {
	return chartLeft + int(float64(part)/float64(max(whole, 1))*(chartWidth-chartLeft-chartRight))
}

func (c chart) pointX(i int) int { return axisX(int64(i), int64(len(c.Points)-1)) }

func (c chart) y(n int) int { return chartTop + chartHeight - n*chartHeight/c.top }

func (c chart) grid(p *picture) {
	for n := 0; n <= c.top; n += c.step() {
		p.write(`<line class="grid" x1="`, chartLeft, `" y1="`, c.y(n), `" x2="`, chartWidth-chartRight, `" y2="`, c.y(n), `"/><text class="faint end" x="`, chartLeft-8, `" y="`, c.y(n)+4, `">`, n, "</text>\n")
	}
}

// axis writes the marks of an axis of time.
func (p *picture) axis(ticks []view.Tick, x func(view.Tick) int, y int) {
	for _, t := range ticks {
		at := x(t)
		p.write(`<line class="grid" x1="`, at, `" y1="`, y, `" x2="`, at, `" y2="`, y+5, `"/><text class="faint middle" x="`, min(max(at, labelHalf), chartWidth-labelHalf), `" y="`, y+20, `">`, t.Label, "</text>\n")
	}
}

// curve draws one count over time, in steps: tasks come and go at a moment.
func (p *picture) curve(class string, c chart, count func(view.BurndownPoint) int) {
	p.write(`<path class="`, class, `" d="`, c.steps(count, "M", false), "\"/>\n")
}

// area fills what is between two counts.
func (p *picture) area(class string, c chart, low, high func(view.BurndownPoint) int) {
	p.write(`<path class="area `, class, `" d="`, c.steps(high, "M", false), c.steps(low, "L", true), "Z\"/>\n")
}

// steps returns the path of a count, backwards if wanted.
func (c chart) steps(count func(view.BurndownPoint) int, begin string, backwards bool) string {
	var b strings.Builder
	n := len(c.Points)
	last := 0
	for k := range n {
		i := k
		if backwards {
			i = n - 1 - k
		}
		x, y := c.pointX(i), c.y(count(c.Points[i]))
		switch {
		case k == 0:
			b.WriteString(begin + strconv.Itoa(x) + " " + strconv.Itoa(y))
		case y == last && k < n-1 && c.y(count(c.Points[i+sign(backwards)])) == y: // a level line goes on
		case backwards:
			b.WriteString("V" + strconv.Itoa(y) + "H" + strconv.Itoa(x))
		default:
			b.WriteString("H" + strconv.Itoa(x) + "V" + strconv.Itoa(y))
		}
		last = y
	}
	return b.String()
}

func sign(backwards bool) int {
	if backwards {
		return -1
	}
	return 1
}
