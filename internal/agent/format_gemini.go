package agent

// readGemini reads `gemini --output-format stream-json`: messages in pieces, tools, and one result at the end.
func readGemini(o node) []Event {
	switch o.text("type") {
	case "message":
		if o.text("role") == "assistant" {
			return []Event{{Kind: TextEvent, Text: o.text("content"), Part: o.isTrue("delta")}}
		}
	case "tool_use":
		return []Event{toolEvent(o.text("tool_name"), o.at("parameters").open())}
	case "error":
		return []Event{{Kind: FailureEvent, Text: o.text("message")}}
	case "result":
		stats, words := o.at("stats").open(), o.text("error", "message")
		used := stats.count("input_tokens") - stats.count("cached") + stats.count("output_tokens")
		return []Event{
			{Kind: UsageEvent, Usage: Usage{Tokens: used, Total: true}},
			{Kind: FinalEvent, Text: words, Failed: o.text("status") != "success"},
		}
	}
	return nil
}
