//go:build agents

package realagent

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// answerResponses speaks the interface with /v1/responses, as a stream.
func (m *Model) answerResponses(w http.ResponseWriter, body object) {
	turn := turns(body["input"], "assistant")
	next := m.play(texts(body["input"], "text", "output"), turn)
	items := []object{{
		"type": "message", "id": fmt.Sprint("msg_", turn), "role": "assistant", "status": "completed",
		"content": []object{{"type": "output_text", "text": next.words, "annotations": []object{}}},
	}}
	if next.command != "" {
		name, arguments := shellCall(body["tools"], next.command)
		items = append(items, object{
			"type": "function_call", "id": fmt.Sprint("fc_", turn), "call_id": fmt.Sprint("call_", turn), "name": name, "arguments": arguments, "status": "completed",
		})
	}
	response := object{"id": "resp_1", "object": "response", "status": "in_progress", "model": body["model"], "output": []object{}}
	w.Header().Set("Content-Type", "text/event-stream")
	send(w, "response.created", object{"type": "response.created", "response": response})
	for i, item := range items {
		send(w, "response.output_item.added", object{"type": "response.output_item.added", "output_index": i, "item": item})
		send(w, "response.output_item.done", object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	send(w, "response.completed", object{"type": "response.completed", "response": object{
		"id": "resp_1", "object": "response", "status": "completed", "model": body["model"], "output": items,
		"usage": object{
			"input_tokens": 1000, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 50,
			"output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 1050,
		},
	}})
}

// shellCall returns a call of the tool that runs commands. Its name and form differ from version to version.
func shellCall(tools any, command string) (name, arguments string) {
	form := map[string]object{
		"exec_command":  {"cmd": command},
		"shell_command": {"command": command},
		"shell":         {"command": []string{"sh", "-c", command}},
	}
	list, _ := tools.([]any)
	for _, e := range list {
		tool, _ := e.(object)
		if arguments, known := form[text(tool["name"])]; known {
			data, _ := json.Marshal(arguments)
			return text(tool["name"]), string(data)
		}
	}
	return "shell", "{}"
}

func text(value any) string {
	s, _ := value.(string)
	return s
}
