package agent

// A Kind is what an Event is about.
type Kind int

// The kinds of events.
const (
	TextEvent    Kind = iota // the agent printed text
	ToolEvent                // it uses a tool
	UsageEvent               // tokens and cost
	FinalEvent               // its work is over
	FailureEvent             // it met an error, which may be one that passes
)

// An Event is one thing that happened by an agent's output.
type Event struct {
	Kind   Kind
	Text   string // the text; the tool's name and what it is used on; the result; the error
	Usage  Usage
	Failed bool // of Final: without success
	Part   bool // of Text: the next one continues it, within a word or not
}

// Usage is what was used, as an agent reports it.
type Usage struct {
	Message string  // what it was used for; a later number for the same message replaces the earlier one
	Tokens  int     // sent and received, without what came from a cache
	Context int     // tokens in the context after it; 0 where that is not reported
	Cost    float64 // in US dollars
	Total   bool    // the numbers are those of the whole run
}

// A Progress is what is known of an agent's run so far.
type Progress struct {
	Tokens       int
	Context      int
	Cost         float64
	Tool         string // in use, or used last
	Final        bool   // its last event was seen
	Failed       bool   // by its own account
	ServiceLimit string // a message about a rate limit or overload, "" where there was none since it last got on
}
