package board

import (
	"encoding/hex"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/view"
)

// A past is how far back the user looks.
type past struct {
	moments []moment // the oldest first
	at      int      // how many moments before now; 0: now
	data    *view.Data
	reading int // the moment that is being read; 0: none
	failed  error
}

// A moment is a commit of HEAD's history that changed the plan.
type moment struct {
	commit git.Hash
	hex    string
	time   time.Time
	what   string
}

// momentsOf returns the commits that made the plan what it is.
func momentsOf(h *fold.History) []moment {
	all := []moment{}
	counts := map[git.Hash]int{}
	for _, e := range h.Events {
		if !e.InHead {
			continue
		}
		if counts[e.Commit]++; counts[e.Commit] > 1 {
			if last := &all[len(all)-1]; last.commit == e.Commit {
				last.what = fmt.Sprintf("%d events", counts[e.Commit])
			}
			continue
		}
		what := e.Word() + " " + e.ID
		if e.Life != nil {
			what += " " + e.Life.Name
		}
		all = append(all, moment{commit: e.Commit, hex: hex.EncodeToString(e.Commit[:h.IDSize()]), time: time.Unix(e.Time, 0), what: what})
	}
	return all
}

// set takes the moments of a history that was read. Whoever looks back stays at the same commit.
func (p *past) set(moments []moment) {
	if p.at > 0 {
		for i, one := range moments {
			if one.commit == p.moment().commit {
				p.at = len(moments) - i
			}
		}
		p.at = min(p.at, len(moments))
	}
	p.moments = moments
}

// moment returns the moment that is shown.
func (p *past) moment() moment { return p.moments[len(p.moments)-p.at] }

// goBack moves the slider by a number of moments: back, or where it is negative forth.
func (m *model) goBack(by int) tea.Cmd { return m.goTo(m.past.at + by) }

// goTo moves the slider; 0 is now.
func (m *model) goTo(at int) tea.Cmd {
	p := &m.past
	if len(p.moments) == 0 {
		m.note = note{text: "the history is still being read"}
		if !m.loading {
			m.note.text = "there is no history yet"
		}
		return nil
	}
	if p.at = min(max(at, 0), len(p.moments)); p.at == 0 {
		p.data, p.failed = nil, nil
		return m.show(m.present)
	}
	return m.readPast()
}

// A pastMsg is the plan of a commit.
type pastMsg struct {
	at    moment
	same  bool // it is the present plan, and was not read
	data  *view.Data
	cards view.Board
	err   error
}

// readPast reads the plan where the slider is. Commits that it was moved over meanwhile are not read.
func (m *model) readPast() tea.Cmd {
	if m.past.reading > 0 {
		return nil
	}
	m.past.reading = m.past.at
	ctx, read, at, history, newest := m.ctx, m.read, m.past.moment(), m.data.History, m.past.at == 1
	return func() tea.Msg {
		if newest {
			if changed, err := read.HasUncommitted(ctx); err == nil && !changed {
				return pastMsg{at: at, same: true}
			}
		}
		data, err := read.ReadAt(ctx, at.hex, history)
		if err != nil {
			return pastMsg{at: at, err: err}
		}
		return pastMsg{at: at, data: data, cards: data.Board()}
	}
}

// pastWasRead shows a plan of the past, unless the slider is elsewhere by now.
func (m *model) pastWasRead(msg pastMsg) tea.Cmd {
	p := &m.past
	p.reading = 0
	if !m.inPast() {
		return nil
	}
	if p.moment().commit != msg.at.commit {
		return m.readPast()
	}
	if msg.same {
		return m.skipNewest()
	}
	if p.failed = msg.err; msg.err == nil {
		p.data = msg.data
		return m.show(msg.cards)
	}
	return nil
}

// skipNewest goes past the newest commit, whose plan is the present one: to the commit before it, or to now.
func (m *model) skipNewest() tea.Cmd {
	switch p := &m.past; {
	case p.data != nil:
		return m.goTo(0)
	case len(p.moments) > 1:
		return m.goTo(2)
	}
	m.note = note{text: "there is no older plan"}
	return m.goTo(0)
}
