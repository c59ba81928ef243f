package agent

import (
	"time"

	"git-ralph/internal/jsonl"
)

// A ToolCall is a call of a tool by an agent, as far as its output shows it.
type ToolCall struct {
	Name   string
	On     jsonl.Object  // what it was called with
	Took   time.Duration // 0 where the output does not show the end
	Failed bool
	Error  string // of a call that failed: the message that the agent got
}

// toolCalls finds the calls of tools in the output of an agent, with their results. Nothing else needs the results, so this reads the
// lines once more.
type toolCalls struct {
	format Format
	open   map[string]openCall // by id
	report func(ToolCall)
}

// An openCall has no result yet.
type openCall struct {
	ToolCall
	began time.Time
}

func newToolCalls(format Format, report func(ToolCall)) *toolCalls {
	return &toolCalls{format: format, open: map[string]openCall{}, report: report}
}

// line takes a line of output.
func (c *toolCalls) line(line []byte, now time.Time) {
	object, err := jsonl.ParseObject(string(line))
	if err != nil {
		return
	}
	o := node{jsonl.Value(object.Text()), object}
	switch c.format {
	case Claude:
		for _, part := range o.at("message", "content").elements() {
			switch part.text("type") {
			case "tool_use":
				c.begin(part.text("id"), part.text("name"), part.at("input"), now)
			case "tool_result":
				c.end(part.text("tool_use_id"), part.isTrue("is_error"), textOf(part.at("content")), now)
			}
		}
	case Codex:
		c.codex(o, now)
	case Gemini:
		switch o.text("type") {
		case "tool_use":
			c.begin(o.text("tool_id"), o.text("tool_name"), o.at("parameters"), now)
		case "tool_result":
			c.end(o.text("tool_id"), o.text("status") == "error", o.text("error", "message")+o.text("output"), now)
		}
	case OpenCode: // it prints a call when it has ended
		if part := o.at("part").open(); o.text("type") == "tool_use" {
			state := part.at("state").open()
			began := now.Add(-time.Duration(state.number("time", "end")-state.number("time", "start")) * time.Millisecond)
			c.begin(part.text("callID"), part.text("tool"), state.at("input"), began)
			c.end(part.text("callID"), state.text("status") == "error", state.text("error"), now)
		}
	}
}

// codex takes a line of codex, where tools are among other items.
func (c *toolCalls) codex(o node, now time.Time) {
	item := o.at("item").open()
	id, kind := item.text("id"), item.text("type")
	switch {
	case kind == "agent_message" || kind == "reasoning":
	case o.text("type") == "item.started":
		c.begin(id, kind, item, now)
	case o.text("type") == "item.completed":
		c.end(id, item.text("status") == "failed" || item.count("exit_code") > 0, item.text("aggregated_output")+item.text("error", "message"), now)
	}
}

func (c *toolCalls) begin(id, name string, on node, now time.Time) {
	if name != "" {
		c.open[id] = openCall{ToolCall{Name: name, On: on.open().object}, now}
	}
}

func (c *toolCalls) end(id string, failed bool, message string, now time.Time) {
	call, found := c.open[id]
	if !found {
		return
	}
	delete(c.open, id)
	if call.Took, call.Failed = now.Sub(call.began), failed; failed {
		call.Error = message
	}
	c.report(call.ToolCall)
}

// close reports the calls that have no result.
func (c *toolCalls) close() {
	for _, call := range c.open {
		c.report(call.ToolCall)
	}
	clear(c.open)
}

// textOf returns a text, or that of the parts of a list.
func textOf(n node) string {
	if text, isText := n.Str(); isText {
		return text
	}
	for _, part := range n.elements() {
		if text := part.text("text"); text != "" {
			return text
		}
	}
	return ""
}
