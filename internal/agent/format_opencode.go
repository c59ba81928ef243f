package agent

// readOpenCode reads `opencode run --format json`: parts of messages, and what each step used. The reason of the last step is "stop".
func readOpenCode(o node) []Event {
	part := o.at("part").open()
	switch o.text("type") {
	case "text":
		return []Event{{Kind: TextEvent, Text: part.text("text")}}
	case "tool_use":
		return []Event{toolEvent(part.text("tool"), part.at("state", "input").open())}
	case "step_finish":
		tokens := part.at("tokens").open()
		used := tokens.count("input") + tokens.count("cache", "write") + tokens.count("output") + tokens.count("reasoning")
		events := []Event{{Kind: UsageEvent, Usage: Usage{
			Tokens: used, Context: used + tokens.count("cache", "read"), Cost: part.number("cost"),
		}}}
		if part.text("reason") == "stop" {
			events = append(events, Event{Kind: FinalEvent})
		}
		return events
	case "error":
		words := o.text("error", "data", "message")
		if words == "" {
			words = o.text("error", "name")
		}
		return []Event{{Kind: FailureEvent, Text: words}}
	}
	return nil
}
