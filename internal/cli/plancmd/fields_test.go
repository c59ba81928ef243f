package plancmd

import (
	"testing"

	"git-ralph/internal/jsonl"
)

// TestFillIn guards: flags fill in what JSON leaves out, members of "meta" one by
// one, and take nothing away from it.
func TestFillIn(t *testing.T) {
	for _, it := range []struct{ flags, input, want string }{
		{`{"a": "1"}`, `{}`, `{"a": "1"}`},
		{`{"a": "1"}`, `{"a": "own"}`, `{"a": "own"}`},
		{`{"a": "1"}`, `{"a": null, "b": null}`, `{"a": "1", "b": null}`},
		{`{"meta": {"k": "v"}}`, `{"name": "x"}`, `{"name": "x", "meta": {"k": "v"}}`},
		{`{"meta": {"k": "v", "own": "v"}}`, `{"meta": {"own": 1.0}}`, `{"meta": {"own": 1.0, "k": "v"}}`},
		{`{"meta": {"k": "v"}}`, `{"meta": {"k": null}}`, `{"meta": {"k": null}}`},
		{`{"meta": {"k": "v"}}`, `{"meta": null}`, `{"meta": {"k": "v"}}`},
		{`{"meta": {"k": "v"}}`, `{"meta": {}}`, `{"meta": {"k": "v"}}`},
		{`{"meta": {"k": "v"}}`, `{"meta": 7}`, `{"meta": 7}`}, // refused when it is added
		{`{"meta": {"meta": "v"}}`, `{"meta": {"meta": {"own": 1}}}`, `{"meta": {"meta": {"own": 1}}}`},
	} {
		flags, err := jsonl.ParseObject(it.flags)
		if err != nil {
			t.Fatal(err)
		}
		input, err := jsonl.ParseObject(it.input)
		if err != nil {
			t.Fatal(err)
		}
		if got := members(flags.Members()).fillIn(input).Text(); got != it.want {
			t.Errorf("%s under %s: %s, want %s", it.flags, it.input, got, it.want)
		}
	}
}
