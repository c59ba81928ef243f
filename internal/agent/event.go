package agent

// A Kind is what an Event is about.
type Kind int

// The kinds of events.
const (
	TextEvent    Kind = iota // the agent printed text
	ToolEvent                // it used a tool
	UsageEvent               // it reported tokens and cost
	FinalEvent               // it has finished
	FailureEvent             // it reported an error, which may be temporary
)

// An Event is one thing that an agent reported in its output.
type Event struct {
	Kind   Kind
	Text   string // the text; the tool's name and what it is used on; the result; the error
	Usage  Usage
	Failed bool // of a FinalEvent: the agent did not succeed
	Part   bool // of a TextEvent: the next one may continue the text, even within a word
}

// Usage is what an agent reports to have used.
type Usage struct {
	Message string  // what it was used for; a later number for the same message replaces the earlier one
	Tokens  int     // sent and received, without what came from a cache
	Context int     // tokens in the context after it; 0 where that is not reported
	Cost    float64 // in US dollars
	Total   bool    // the numbers are those of the whole run
}

// A Progress is the state of a running agent, as far as its output shows it.
type Progress struct {
	Tokens       int
	Context      int
	Cost         float64
	Tool         string // the tool used last
	Final        bool   // it reported that it has finished
	Failed       bool   // it reported that it failed
	ServiceLimit string // a message about a rate limit or overload; "" if there was none since the last progress
}
