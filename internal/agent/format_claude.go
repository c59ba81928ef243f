package agent

import (
	"fmt"
)

// readClaude reads `claude --output-format stream-json`: system, assistant and user messages, and one result at the end.
// A subagent's message has a parent, and a context of its own.
func readClaude(o node) []Event {
	switch o.text("type") {
	case "assistant":
		return claudeMessage(o)
	case "system":
		if o.text("subtype") == "api_retry" {
			wait := int(o.number("retry_delay_ms") / 1000)
			return []Event{{Kind: FailureEvent, Text: fmt.Sprintf("%s, status %d: retry in %d seconds", o.text("error"), o.count("error_status"), wait)}}
		}
	case "rate_limit_event":
		if info := o.at("rate_limit_info"); info.text("status") == "rejected" {
			return []Event{{Kind: FailureEvent, Text: "rate limit|" + string(info.at("resetsAt").Value)}}
		}
	case "result":
		usage := o.at("usage").open()
		return []Event{
			{Kind: UsageEvent, Usage: Usage{Tokens: claudeTokens(usage), Cost: o.number("total_cost_usd"), Total: true}},
			{Kind: FinalEvent, Text: o.text("result"), Failed: o.isTrue("is_error") || o.text("subtype") != "success"},
		}
	}
	return nil
}

func claudeMessage(o node) []Event {
	var events []Event
	own, message := o.text("parent_tool_use_id") == "", o.at("message").open()
	for _, part := range message.at("content").elements() {
		switch part.text("type") {
		case "text":
			if own {
				events = append(events, Event{Kind: TextEvent, Text: part.text("text")})
			}
		case "tool_use":
			events = append(events, toolEvent(part.text("name"), part.at("input").open()))
		}
	}
	if words := o.text("error"); words != "" {
		events = append(events, Event{Kind: FailureEvent, Text: words})
	}
	usage := message.at("usage").open()
	spent := Usage{Message: message.text("id"), Tokens: claudeTokens(usage)}
	if own {
		spent.Context = spent.Tokens + usage.count("cache_read_input_tokens")
	}
	return append(events, Event{Kind: UsageEvent, Usage: spent})
}

func claudeTokens(usage node) int {
	return usage.count("input_tokens") + usage.count("cache_creation_input_tokens") + usage.count("output_tokens")
}
