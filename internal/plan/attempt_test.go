package plan

import (
	"testing"

	"git-ralph/internal/jsonl"
)

// docs/merge.md: attempts are distinguished by "attempt"; where one side lacks it, by "done_at", which may be abbreviated.
func TestSameAttempt(t *testing.T) {
	tests := []struct {
		a, b     Attempt
		same     bool
		rejected bool // a, by a tombstone that names b
	}{
		{Attempt{"k1", "abc"}, Attempt{"k1", "def"}, true, true},
		{Attempt{"k1", "abc"}, Attempt{"k2", "abc"}, false, false},
		{Attempt{"k1", "abc"}, Attempt{"", "abcdef"}, true, true},
		{Attempt{"", "abcdef"}, Attempt{"k1", "abc"}, true, true},
		{Attempt{"", "abc"}, Attempt{"", "abd"}, false, false},
		{Attempt{"k1", ""}, Attempt{"", "abc"}, false, false},
		{Attempt{"k1", ""}, Attempt{}, true, false},
		{Attempt{}, Attempt{}, true, false},
		{Attempt{"k1", "abc"}, Attempt{}, false, false},
	}
	for _, tt := range tests {
		tombstone := tombstoneOf(Record{}.with(jsonl.TextMember("id", "t-a"), jsonl.TextMember("done_at", tt.b.DoneAt), jsonl.TextMember("attempt", tt.b.ID)), "why")
		if SameAttempt(tt.a, tt.b) != tt.same || SameAttempt(tt.b, tt.a) != tt.same || Rejected(tt.a, tombstone) != tt.rejected {
			t.Errorf("%+v, %+v: same %v, the other way round %v, rejected %v",
				tt.a, tt.b, SameAttempt(tt.a, tt.b), SameAttempt(tt.b, tt.a), Rejected(tt.a, tombstone))
		}
	}
}

// The round of a task follows from which attempts were rejected, not from where the tombstones stand in the file.
func TestRounds(t *testing.T) {
	const task, one, two = `{"t": "task", "id": "t-1", "name": "x", "s": "p"}` + "\n",
		`{"t": "reject", "id": "t-1", "attempt": "aaaa", "reason": "r"}` + "\n", `{"t": "reject", "id": "t-1", "attempt": "bbbb", "reason": "r"}` + "\n"
	for text, want := range map[string]Round{
		task: {true, ""}, task + two: {true, "bbbb"}, task + one + two: {true, "aaaa+bbbb"}, two + task + one + one: {true, "aaaa+bbbb"},
		`{"t": "task", "id": "t-1", "name": "x", "s": "d", "done_at": "abcabcabcabc"}` + "\n": {false, ""},
	} {
		p, problems := DecodeBytes([]byte(text))
		if got := p.Rounds()["t-1"]; got != want || len(problems.Errors()) > 0 {
			t.Errorf("%s: got %v, want %v (%v)", text, got, want, problems)
		}
	}
}
