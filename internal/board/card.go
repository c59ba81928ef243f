package board

import (
	"fmt"
	"time"

	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// partsOf returns what the second line of a card says after the id, the most important first.
func (m *model) partsOf(c *view.Card) (parts []span) {
	add := func(text string, s style) { parts = append(parts, span{text, s}) }
	p := m.colours
	if c.Conflict {
		add("conflict", p.bad)
	}
	if c.Person && !c.Conflict {
		add("needs a person", p.warn)
	}
	switch {
	case c.Holder != "":
		text := "@" + firstLine(c.Holder)
		if c.Own {
			text = "@you"
		}
		if c.Landing {
			text += " landing"
		} else if since := m.ago(c.Since); since != "" {
			text += " " + since
		}
		add(text, p.status[view.Claimed])
	case len(c.BlockedBy) == 1:
		add("← "+c.BlockedBy[0], p.faint)
	case len(c.BlockedBy) > 1:
		add(fmt.Sprintf("← %s +%d", c.BlockedBy[0], len(c.BlockedBy)-1), p.faint)
	case c.Status == view.Accepted && !c.At.IsZero():
		add(c.At.In(m.data.Moment.Location()).Format("15:04"), p.faint)
	}
	if c.Rejected > 0 {
		add(fmt.Sprintf("✗%d", c.Rejected), p.bad)
	}
	switch {
	case c.Kind() == plan.KindItem && c.State != "":
		add(c.State, p.faint)
	case c.Kind() == plan.KindIssue:
		add("issue", p.faint)
	case c.State != "":
		add("state "+c.State, p.bad)
	}
	if c.Item != "" && c.Item != c.ID() {
		add(c.Item, p.faint)
	}
	return parts
}

// ago returns how long ago something was, "" where that is not known.
func (m *model) ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return durationText(m.shown().Moment.Sub(t))
}

// durationText is a duration in one unit.
func durationText(d time.Duration) string {
	switch {
	case d < 0:
		return ""
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}
