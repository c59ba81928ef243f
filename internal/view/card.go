package view

import (
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/landed"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// A Status says where a task, an issue or an item is.
type Status string

// The statuses of cards, in the order of a board's columns.
const (
	Ready    Status = "ready"    // nothing keeps it from being worked on
	Blocked  Status = "blocked"  // it waits for others, or for a person
	Claimed  Status = "claimed"  // somebody works on it
	Done     Status = "done"     // and to be verified
	Landed   Status = "landed"   // done, and part of the target branch
	Accepted Status = "accepted" // it has left the plan with success; of an item, its code is merged
)

// The statuses of what has no card: it has left the plan in another way.
const (
	Rejected   Status = "rejected"
	Cancelled  Status = "cancelled"
	Decomposed Status = "decomposed"
	Lost       Status = "lost"
	Closed     Status = "closed"  // an issue
	Removed    Status = "removed" // an item
	Unknown    Status = "unknown" // HEAD's plan cannot be read
)

// A Card is a task, an issue or an item on the board. Its id, name, kind, priority and so on are those of the record.
type Card struct {
	*plan.Record // as it is in the plan, or was when it left
	Status       Status
	BlockedBy    []string // ids of what it waits for

	Holder  string    // who works on it, "" where nobody does: a worker, or the address of a person. It may come from a stranger
	Since   time.Time // when they claimed it; zero where that is not known
	Own     bool      // it is claimed by us
	Landing bool      // it is done on a branch that waits to land

	Rejected int       // how many attempts at it are rejected, by the tombstones of the plan
	Conflict bool      // a merge recorded a conflict in it
	Person   bool      // it waits for a person: to approve it, to answer, to resolve a conflict, or to close an issue
	Approval bool      // an item whose plan waits for a person to approve it
	NoAgent  bool      // it is finished without an agent
	Item     string    // of an item, and of a task of an item: what people call that item, such as GH-42
	State    string    // of an item: its state, as readers see it; of a task in an unknown state, that
	At       time.Time // when it was accepted; zero for others
}

// holderOf returns who has a claim.
func holderOf(h claim.Held) string {
	if h.Bad != "" {
		return "somebody"
	}
	return h.Claim.Holder()
}

// of returns the card of a task, an issue or an item of the plan.
func (c cards) of(r *plan.Record) Card {
	card := Card{Record: r, Conflict: r.Has("conflict")}
	card.Person = card.Conflict
	switch r.Kind() {
	case plan.KindIssue:
		card.Status, card.Person = Ready, card.Person || r.IsForPerson()
	case plan.KindItem:
		c.item(&card)
	default:
		c.task(&card)
	}
	return card
}

func (c cards) task(card *Card) {
	r, id := card.Record, card.ID()
	card.Rejected = c.rejected[id]
	card.NoAgent = !c.data.Schedule.ForAgents(r)
	if t, found := c.tasks[id]; found {
		card.Item, card.Person = t.item, card.Person || t.awaits
	}
	c.setHolder(card)
	switch {
	case r.Done() && c.data.Landed[id] == landed.Yes:
		card.Status = Landed
	case r.Done():
		card.Status = Done
	case !r.Pending():
		card.Status, card.State, card.Person = Blocked, r.Text("s"), true
	default:
		card.BlockedBy = c.data.Schedule.BlockedBy(r)
		card.Status = statusOf(card, len(card.BlockedBy) > 0 || card.Person && !card.Conflict)
	}
}

// statusOf returns the status of what is still to be done.
func statusOf(card *Card, waits bool) Status {
	switch {
	case card.Holder != "":
		return Claimed
	case waits:
		return Blocked
	}
	return Ready
}

// setHolder sets who works on a task. Whoever is known to have ended does not.
func (c cards) setHolder(card *Card) {
	id := card.ID()
	h, held := c.data.Claims[id]
	if !held || c.data.Abandoned[id] {
		return
	}
	card.Holder, card.Own, card.Landing = holderOf(h), c.data.Own[id], h.Claim.State == claim.Landing
	card.Since, _ = time.Parse(time.RFC3339, h.Claim.At)
}

func (c cards) item(card *Card) {
	id := card.ID()
	card.State, card.Item, card.Holder = c.stateOf(card.Record), card.ItemLabel(), c.workers[id]
	switch {
	case card.State == pipeline.Done:
		card.Status = Accepted
		return
	case card.State == pipeline.Canceled:
		card.Status = Cancelled
		return
	}
	for _, other := range card.Texts("blocked_by") {
		if it := c.items[other]; it != nil && !pipeline.Final(c.stateOf(it)) {
			card.BlockedBy = append(card.BlockedBy, other)
		}
	}
	card.Approval = c.awaiting[id]
	needed := card.Approval || strings.EqualFold(card.State, pipeline.HumanNeeded)
	card.Person = card.Person || needed
	card.Status = statusOf(card, needed || len(card.BlockedBy) > 0)
}
