package historycmd

import "testing"

// What is kept for one question is no answer to another that is spelled alike.
func TestLogQuestions(t *testing.T) {
	a, fixed := logOptions{filter: logFilter{author: "x task:t-1"}}.question()
	b, _ := logOptions{filter: logFilter{author: "x", task: "t-1 task:"}}.question()
	if a == b || !fixed {
		t.Errorf("%q, %q, %v", a, b, fixed)
	}
}
