package agent

import "fmt"

// How the built-in agents report what they do. Each function reads one line.

// readClaude reads `claude --output-format stream-json`: system, assistant and user messages, and one result at the end.
// A subagent's message has a parent, and a context of its own.
func readClaude(o node) []Event {
	switch o.text("type") {
	case "assistant":
		return claudeMessage(o)
	case "system":
		if o.text("subtype") == "api_retry" {
			wait := int(o.number("retry_delay_ms") / 1000)
			return []Event{{Kind: Failure, Text: fmt.Sprintf("%s, status %d: retry in %d seconds", o.text("error"), o.count("error_status"), wait)}}
		}
	case "rate_limit_event":
		if info := o.at("rate_limit_info"); info.text("status") == "rejected" {
			return []Event{{Kind: Failure, Text: "rate limit|" + string(info.at("resetsAt").Value)}}
		}
	case "result":
		usage := o.at("usage").open()
		return []Event{
			{Kind: Usage, Usage: Spending{Tokens: claudeTokens(usage), Cost: o.number("total_cost_usd"), Total: true}},
			{Kind: Final, Text: o.text("result"), Failed: o.isTrue("is_error") || o.text("subtype") != "success"},
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
				events = append(events, Event{Kind: Text, Text: part.text("text")})
			}
		case "tool_use":
			events = append(events, toolEvent(part.text("name"), part.at("input").open()))
		}
	}
	if words := o.text("error"); words != "" {
		events = append(events, Event{Kind: Failure, Text: words})
	}
	usage := message.at("usage").open()
	spent := Spending{Message: message.text("id"), Tokens: claudeTokens(usage)}
	if own {
		spent.Context = spent.Tokens + usage.count("cache_read_input_tokens")
	}
	return append(events, Event{Kind: Usage, Usage: spent})
}

func claudeTokens(usage node) int {
	return usage.count("input_tokens") + usage.count("cache_creation_input_tokens") + usage.count("output_tokens")
}

// readCodex reads `codex exec --json`: items that start and complete, and the end of the turn.
func readCodex(o node) []Event {
	item := o.at("item").open()
	switch o.text("type") {
	case "item.started":
		if what := item.text("type"); what != "agent_message" && what != "reasoning" {
			return []Event{toolEvent(what, item)}
		}
	case "item.completed":
		if item.text("type") == "agent_message" {
			return []Event{{Kind: Text, Text: item.text("text")}}
		}
	case "token_count":
		last := o.at("info", "last_token_usage").open()
		return []Event{{Kind: Usage, Usage: Spending{Tokens: codexTokens(last), Context: last.count("total_tokens")}}}
	case "turn.completed":
		return []Event{
			{Kind: Usage, Usage: Spending{Tokens: codexTokens(o.at("usage").open()), Total: true}},
			{Kind: Final},
		}
	case "turn.failed":
		words := o.text("error", "message")
		return []Event{{Kind: Failure, Text: words}, {Kind: Final, Text: words, Failed: true}}
	case "error":
		return []Event{{Kind: Failure, Text: o.text("message")}}
	}
	return nil
}

func codexTokens(usage node) int {
	return usage.count("input_tokens") - usage.count("cached_input_tokens") + usage.count("output_tokens")
}

// readGemini reads `gemini --output-format stream-json`: messages in pieces, tools, and one result at the end.
func readGemini(o node) []Event {
	switch o.text("type") {
	case "message":
		if o.text("role") == "assistant" {
			return []Event{{Kind: Text, Text: o.text("content"), Part: o.isTrue("delta")}}
		}
	case "tool_use":
		return []Event{toolEvent(o.text("tool_name"), o.at("parameters").open())}
	case "error":
		return []Event{{Kind: Failure, Text: o.text("message")}}
	case "result":
		stats, words := o.at("stats").open(), o.text("error", "message")
		used := stats.count("input_tokens") - stats.count("cached") + stats.count("output_tokens")
		return []Event{
			{Kind: Usage, Usage: Spending{Tokens: used, Total: true}},
			{Kind: Final, Text: words, Failed: o.text("status") != "success"},
		}
	}
	return nil
}

// readOpenCode reads `opencode run --format json`: parts of messages, and what each step used. The reason of the last step is "stop".
func readOpenCode(o node) []Event {
	part := o.at("part").open()
	switch o.text("type") {
	case "text":
		return []Event{{Kind: Text, Text: part.text("text")}}
	case "tool_use":
		return []Event{toolEvent(part.text("tool"), part.at("state", "input").open())}
	case "step_finish":
		tokens := part.at("tokens").open()
		used := tokens.count("input") + tokens.count("cache", "write") + tokens.count("output") + tokens.count("reasoning")
		events := []Event{{Kind: Usage, Usage: Spending{
			Tokens: used, Context: used + tokens.count("cache", "read"), Cost: part.number("cost"),
		}}}
		if part.text("reason") == "stop" {
			events = append(events, Event{Kind: Final})
		}
		return events
	case "error":
		words := o.text("error", "data", "message")
		if words == "" {
			words = o.text("error", "name")
		}
		return []Event{{Kind: Failure, Text: words}}
	}
	return nil
}

// ReportsContext reports whether an agent's output holds how full its context is.
func (f Format) ReportsContext() bool { return f == Claude || f == OpenCode }

// ReportsCost reports whether an agent's output holds what it costs.
func (f Format) ReportsCost() bool { return f == Claude || f == OpenCode }
