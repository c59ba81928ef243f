package web

import (
	"time"

	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// A board is the JSON of a board: {"columns": [{"status", "cards"}], "total"}. The total are all cards, also those that the filter leaves out.
type board struct {
	shown view.Board
	total int
}

func newBoard(all *view.Board, f view.Filter) board { return board{all.Filter(f), all.Len()} }

func (b board) write(p *pieces) {
	columns := array[column]{len(b.shown.Columns), func(i int) column { return column(b.shown.Columns[i]) }}
	object{{"columns", columns}, {"total", b.total}}.write(p)
}

type column view.Column

func (c column) write(p *pieces) {
	cards := array[card]{len(c.Cards), func(i int) card { return newCard(c.Cards[i]) }}
	object{{"status", c.Status}, {"cards", cards}}.write(p)
}

// A card is the JSON of a card. What is empty is left out: there may be ten thousand of them.
type card struct {
	ID       string      `json:"id"`
	Kind     plan.Kind   `json:"kind"`
	Name     string      `json:"name"`
	Status   view.Status `json:"status"`
	Spec     string      `json:"spec,omitempty"`
	Priority string      `json:"priority,omitempty"`
	Role     string      `json:"role,omitempty"`
	Labels   []string    `json:"labels,omitempty"`
	Waits    []string    `json:"waits,omitempty"`
	Holder   string      `json:"holder,omitempty"`
	Since    string      `json:"since,omitempty"`
	Own      bool        `json:"own,omitempty"`
	Landing  bool        `json:"landing,omitempty"`
	Rejected int         `json:"rejected,omitempty"`
	Conflict bool        `json:"conflict,omitempty"`
	Person   bool        `json:"person,omitempty"`
	NoAgent  bool        `json:"noAgent,omitempty"`
	Item     string      `json:"item,omitempty"`
	State    string      `json:"state,omitempty"`
	At       string      `json:"at,omitempty"`
}

func newCard(c *view.Card) card {
	one := card{
		ID: c.ID(), Kind: c.Kind(), Name: view.Called(c.Name()), Status: c.Status, Spec: c.Spec(), Priority: c.Priority(), Labels: c.Texts("labels"),
		Waits: c.BlockedBy, Holder: c.Holder, Since: timeText(c.Since), Own: c.Own, Landing: c.Landing, Rejected: c.Rejected, Conflict: c.Conflict,
		Person: c.Person, NoAgent: c.NoAgent, Item: c.Item, State: c.State, At: timeText(c.At),
	}
	if c.Kind() == plan.KindTask && c.Has("role") {
		one.Role = c.Role()
	}
	return one
}

// timeText returns a time as JSON has it, "" for none.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}
