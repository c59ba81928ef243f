//go:build agents

package realagent

import "net/http"

// answerContents speaks the interface with :streamGenerateContent. It is a stream of one piece.
func (m *Model) answerContents(w http.ResponseWriter, body object) {
	next := m.play(texts(body["contents"], "text"), turns(body["contents"], "model"))
	parts := []object{{"text": next.words}}
	if next.command != "" {
		parts = append(parts, object{"functionCall": object{
			"name": "run_shell_command", "args": object{"command": next.command, "description": "work"},
		}})
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send(w, "", object{
		"candidates":    []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": parts}}},
		"usageMetadata": object{"promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050},
	})
}
