package agent

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
			return []Event{{Kind: TextEvent, Text: item.text("text")}}
		}
	case "token_count":
		last := o.at("info", "last_token_usage").open()
		return []Event{{Kind: UsageEvent, Usage: Usage{Tokens: codexTokens(last), Context: last.count("total_tokens")}}}
	case "turn.completed":
		return []Event{
			{Kind: UsageEvent, Usage: Usage{Tokens: codexTokens(o.at("usage").open()), Total: true}},
			{Kind: FinalEvent},
		}
	case "turn.failed":
		words := o.text("error", "message")
		return []Event{{Kind: FailureEvent, Text: words}, {Kind: FinalEvent, Text: words, Failed: true}}
	case "error":
		return []Event{{Kind: FailureEvent, Text: o.text("message")}}
	}
	return nil
}

func codexTokens(usage node) int {
	return usage.count("input_tokens") - usage.count("cached_input_tokens") + usage.count("output_tokens")
}
