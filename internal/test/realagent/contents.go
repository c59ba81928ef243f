//go:build agents

package realagent

import (
	"net/http"
	"slices"
)

// pieceLength is how many characters the model says at once: less than a mark of a report, so that these come in parts.
const pieceLength = 11

// answerContents speaks the interface with :streamGenerateContent. The words come in pieces, broken anywhere.
func (m *Model) answerContents(w http.ResponseWriter, body object) {
	next := m.play(texts(body["contents"], "text"), turns(body["contents"], "model"))
	w.Header().Set("Content-Type", "text/event-stream")
	for piece := range slices.Chunk([]rune(next.words), pieceLength) {
		send(w, "", object{"candidates": []object{{
			"index": 0, "content": object{"role": "model", "parts": []object{{"text": string(piece)}}},
		}}})
	}
	last := []object{{"text": ""}}
	if next.command != "" {
		last = []object{{"functionCall": object{
			"name": "run_shell_command", "args": object{"command": next.command, "description": "work"},
		}}}
	}
	send(w, "", object{
		"candidates":    []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": last}}},
		"usageMetadata": object{"promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050},
	})
}
