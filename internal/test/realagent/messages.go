//go:build agents

package realagent

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// answerMessages speaks the interface with /v1/messages, as a stream or at once.
func (m *Model) answerMessages(w http.ResponseWriter, body object) {
	next, turn := move{words: "ok"}, turns(body["messages"], "assistant")
	if body["tools"] != nil { // agents also ask for titles and the like, without tools
		next = m.say(conversationOf(body, turn))
	}
	content, reason := []object{{"type": "text", "text": next.words}}, "end_turn"
	if next.command != "" {
		next.tool, next.input = shellTool(body["tools"]), object{"command": next.command, "description": "work"}
	}
	if next.tool != "" {
		content = append(content, object{"type": "tool_use", "id": fmt.Sprint("toolu_", turn), "name": next.tool, "input": next.input})
		reason = "tool_use"
	}
	message := object{
		"id": fmt.Sprint("msg_", turn), "type": "message", "role": "assistant", "model": body["model"], "content": content,
		"stop_reason": reason, "stop_sequence": nil, "usage": object{"input_tokens": 1000, "output_tokens": 50},
	}
	if body["stream"] != true {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(message) //nolint:errcheck // the agent reports
		return
	}
	streamMessage(w, message, content, reason)
}

// conversationOf returns what the model is asked with.
func conversationOf(body map[string]any, turn int) conversation {
	c := conversation{system: texts(body["system"], "text"), text: texts(body["messages"], "content", "text"), turn: turn}
	if s, ok := body["system"].(string); ok {
		c.system = s
	}
	messages, _ := body["messages"].([]any)
	for _, e := range messages {
		if message, _ := e.(object); message["role"] == "assistant" {
			c.last = ""
		} else {
			c.last += texts(e, "content", "text")
		}
	}
	list, _ := body["tools"].([]any)
	for _, e := range list {
		tool, _ := e.(object)
		c.tools = append(c.tools, text(tool["name"]))
	}
	return c
}

// say decides what to say.
func (m *Model) say(c conversation) move {
	if m.Converse != nil {
		return m.Converse(c)
	}
	return m.play(c.text, c.turn)
}

// shellTool returns the name of the tool that runs commands: agents spell it differently.
func shellTool(tools any) string {
	list, _ := tools.([]any)
	for _, e := range list {
		tool, _ := e.(object)
		if name := text(tool["name"]); strings.EqualFold(name, "bash") {
			return name
		}
	}
	return "Bash"
}

// streamMessage sends a message piece by piece.
func streamMessage(w http.ResponseWriter, message object, content []object, reason string) {
	w.Header().Set("Content-Type", "text/event-stream")
	message["content"], message["stop_reason"] = []object{}, nil
	send(w, "message_start", object{"type": "message_start", "message": message})
	for i, part := range content {
		start, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": part["text"]}
		if part["type"] == "tool_use" {
			input, _ := json.Marshal(part["input"])
			start = object{"type": "tool_use", "id": part["id"], "name": part["name"], "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(input)}
		}
		send(w, "content_block_start", object{"type": "content_block_start", "index": i, "content_block": start})
		send(w, "content_block_delta", object{"type": "content_block_delta", "index": i, "delta": delta})
		send(w, "content_block_stop", object{"type": "content_block_stop", "index": i})
	}
	send(w, "message_delta", object{
		"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": object{"output_tokens": 50},
	})
	send(w, "message_stop", object{"type": "message_stop"})
}
