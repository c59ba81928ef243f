package agent

// A Kind is what an Event is about.
type Kind int

// The kinds of events.
const (
	Text    Kind = iota // the agent printed text
	Tool                // it uses a tool
	Usage               // tokens and cost
	Final               // its work is over
	Failure             // it met an error, which may be one that passes
)

// An Event is one thing that happened by an agent's output.
type Event struct {
	Kind   Kind
	Text   string // the text; the tool's name and what it is used on; the result; the error
	Usage  Spending
	Failed bool // of Final: without success
	Part   bool // of Text: the next one continues it, within a word or not
}

// Spending is what was used, as an agent reports it.
type Spending struct {
	Message string  // what it was used for; a later number for the same message replaces the earlier one
	Tokens  int     // sent and received, without what came from a cache
	Context int     // tokens in the context after it; 0 where that is not reported
	Cost    float64 // in US dollars
	Total   bool    // the numbers are those of the whole run
}

// A Reading is what is known of an agent's run so far.
type Reading struct {
	Tokens  int
	Context int
	Cost    float64
	Tool    string // in use, or used last
	Final   bool   // its last event was seen
	Failed  bool   // by its own account
	Limit   string // a message about a rate limit or overload, "" where there was none since it last got on
}
