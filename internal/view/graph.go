package view

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/plan"
	"git-ralph/internal/view/layout"
)

// A Graph is what waits for what, laid out. Lengths are those of a picture, in pixels.
type Graph struct {
	Nodes         []GraphNode // the oldest first
	Edges         []GraphEdge // by where they begin
	Width, Height int
	Hidden        int // records of the plan that the options leave out
}

// A GraphNode is a task, an issue or an item.
type GraphNode struct {
	*Card
	Lines         []string // its name, in one line or two, printable and cut
	Layer         int      // one more than that of what it waits for, or than the layer of a part of that
	X, Y          int      // the upper left corner
	Width, Height int
}

// A GraphEdge leads from what is waited for to what waits.
type GraphEdge struct {
	From, To int            // indexes of nodes
	Open     bool           // the second still waits for the first
	Reversed bool           // it closes a cycle, and leads to the left: its points begin at To
	Points   []layout.Point // see layout.Edge
}

// GraphOptions select what a graph shows. The zero value shows the tasks of the plan, and the issues and items that something waits
// for, or that wait.
type GraphOptions struct {
	Task   string // the id of a record: it, and what it waits for and what waits for it, however many steps away
	Filter Filter
	Spec   string // only tasks of it
	Open   bool   // only what is not done
	Left   bool   // tasks that have left the plan too, which the history has
	Reduce bool   // without the edges that longer paths imply
}

// The sizes of a graph's picture, in pixels.
const (
	nodeWidth  = 240
	nodeHeight = 46 // with one line of a name
	lineHeight = 15
	nameRoom   = nodeWidth - 24 // of a line of a name
)

// Graph returns the graph of a plan.
func (d *Data) Graph(o GraphOptions) Graph {
	s := newGraphSource(d, o)
	g := Graph{Hidden: s.hidden}
	shape := layout.Graph{Heights: make([]int, len(s.cards)), Edges: s.edges}
	if o.Reduce {
		shape.Edges = layout.Reduce(len(s.cards), s.edges)
	}
	for i, card := range s.cards {
		lines := nameLines(Called(card.Name()))
		g.Nodes = append(g.Nodes, GraphNode{Card: card, Lines: lines, Width: nodeWidth, Height: nodeHeight + (len(lines)-1)*lineHeight})
		shape.Heights[i] = g.Nodes[i].Height
	}
	l := layout.Of(shape, layout.Spacing{NodeWidth: nodeWidth, NodeGap: 14, LayerGap: 56, PartGap: 48})
	g.Width, g.Height = l.Width, l.Height
	for i, at := range l.Nodes {
		g.Nodes[i].X, g.Nodes[i].Y, g.Nodes[i].Layer = at.X, at.Y, at.Layer
	}
	g.Edges = make([]GraphEdge, len(l.Edges))
	for i, e := range l.Edges {
		from, to := s.cards[e.From], s.cards[e.To]
		g.Edges[i] = GraphEdge{e.From, e.To, slices.Contains(to.BlockedBy, from.ID()), e.Reversed, e.Points}
	}
	return g
}

// nameLines returns a name in lines that fit into a node: as many words as the first one has room for, and the rest.
func nameLines(name string) []string {
	name = OneLine(name)
	if TextWidth(name) <= nameRoom {
		return []string{name}
	}
	first := strings.TrimSuffix(CutText(name, nameRoom), "…")
	if at := strings.LastIndexByte(first, ' '); at > len(first)/2 && name[len(first)] != ' ' {
		first = first[:at]
	}
	return []string{first, CutText(strings.TrimSpace(name[len(first):]), nameRoom)}
}

// A graphSource has what a graph is made of.
type graphSource struct {
	cards  []*Card
	edges  [][2]int // from what is waited for
	hidden int
}

func newGraphSource(d *Data, o GraphOptions) graphSource {
	s := graphSource{cards: d.graphCards(o)}
	slices.SortFunc(s.cards, func(a, b *Card) int {
		if c := cmp.Compare(a.CreatedAt(), b.CreatedAt()); c != 0 { // each of these is read from the record
			return c
		}
		return cmp.Or(cmp.Compare(a.ID(), b.ID()), cmp.Compare(a.JSON(), b.JSON()))
	})
	s.connect()
	keep := make([]bool, len(s.cards))
	near := s.near(o.Task)
	linked := make([]bool, len(s.cards))
	for _, e := range s.edges {
		linked[e[0]], linked[e[1]] = true, true
	}
	for i, card := range s.cards {
		relevant := card.Kind() == plan.KindTask || linked[i] || card.ID() == o.Task
		keep[i] = relevant && (near == nil || near[i]) && o.matches(card)
		if relevant && !keep[i] {
			s.hidden++
		}
	}
	s.restrict(keep)
	return s
}

// matches reports whether a card is wanted, apart from where it is in the graph.
func (o GraphOptions) matches(c *Card) bool {
	return o.Filter.Matches(c) && (o.Spec == "" || c.Spec() == o.Spec) && !(o.Open && c.isOver())
}

// isOver reports whether nothing is left to do but to verify it.
func (c *Card) isOver() bool { return c.Status != Ready && c.Status != Blocked && c.Status != Claimed }

// graphCards returns the cards of all that a graph may show.
func (d *Data) graphCards(o GraphOptions) (all []*Card) {
	there := map[string]bool{}
	for _, card := range d.Cards() {
		there[card.ID()] = true
		all = append(all, &card)
	}
	if !o.Left {
		return all
	}
	for _, card := range d.Left() {
		if card.Kind() == plan.KindTask && !there[card.ID()] {
			all = append(all, &card)
		}
	}
	return all
}

// connect finds the edges. What blocks a task without being named by it, as an item that holds it does, counts as well.
func (s *graphSource) connect() {
	at := make(map[string]int, len(s.cards))
	for i, card := range s.cards {
		at[card.ID()] = i
	}
	for i, card := range s.cards {
		for _, ids := range [...][]string{card.WaitsFor(), card.BlockedBy} {
			for _, id := range ids {
				if from, found := at[id]; found {
					s.edges = append(s.edges, [2]int{from, i})
				}
			}
		}
	}
}

// near returns which cards a card waits for and which wait for it, through others too, with itself; nil without an id.
func (s *graphSource) near(id string) []bool {
	if id == "" {
		return nil
	}
	near := make([]bool, len(s.cards))
	for side := range 2 {
		next := make([][]int, len(s.cards))
		for _, e := range s.edges {
			next[e[side]] = append(next[e[side]], e[1-side])
		}
		seen := make([]bool, len(s.cards))
		var open []int
		for i, card := range s.cards {
			if card.ID() == id {
				seen[i], open = true, append(open, i)
			}
		}
		for len(open) > 0 {
			i := open[len(open)-1]
			open, near[i] = open[:len(open)-1], true
			for _, to := range next[i] {
				if !seen[to] {
					seen[to], open = true, append(open, to)
				}
			}
		}
	}
	return near
}

// restrict leaves out the other cards, and their edges.
func (s *graphSource) restrict(keep []bool) {
	place := make([]int, len(s.cards))
	var cards []*Card
	for i, card := range s.cards {
		if place[i] = len(cards); keep[i] {
			cards = append(cards, card)
		}
	}
	var edges [][2]int
	for _, e := range s.edges {
		if keep[e[0]] && keep[e[1]] {
			edges = append(edges, [2]int{place[e[0]], place[e[1]]})
		}
	}
	s.cards, s.edges = cards, edges
}

// Counts returns how many nodes have each status, in the order of a life.
func (g Graph) Counts() []StatusCount {
	counts := map[Status]int{}
	for _, n := range g.Nodes {
		counts[n.Status]++
	}
	var all []StatusCount
	for _, status := range slices.Concat(Columns(), Ended()) {
		if counts[status] > 0 {
			all = append(all, StatusCount{status, counts[status]})
		}
	}
	return all
}

// A StatusCount says how many have a status.
type StatusCount struct {
	Status Status
	Count  int
}
