package jsonl

import (
	"strings"
	"testing"
)

// docs/plan-format.md: white space, the order of members and escapes carry no meaning; the spelling of a number does.
func TestEqual(t *testing.T) {
	deep := strings.Repeat("[", MaxCompareDepth+1) + "%" + strings.Repeat("]", MaxCompareDepth+1)
	shallow := deep[1 : len(deep)-1]
	tests := []struct {
		a, b Value
		want bool
	}{
		{`"a"`, `"\u0061"`, true},
		{`"/"`, `"\/"`, true},
		{`"\u000a"`, `"\n"`, true},
		{`"\\n"`, `"\n"`, false},
		{`"a"`, `"b"`, false},
		{`1.0`, `1`, false},
		{`1`, `"1"`, false},
		{`null`, `"null"`, false},
		{`null`, ``, false},
		{``, ``, true},
		{`[1,2]`, `[ 1, 2 ]`, true},
		{`[1, 2]`, `[2, 1]`, false},
		{`[]`, `{}`, false},
		{`[[], ""]`, `["", []]`, false},
		{`{"a": 1, "b": [2]}`, `{"\u0062":[2],"a":1}`, true},
		{`{"a": 1}`, `{"a": 1, "b": null}`, false},
		{`"\ud83d\ude00"`, `"😀"`, true},
		{`"\ufffd"`, "\"\ufffd\"", true},
		{`"\ud800"`, `"\uD800"`, true},
		{`"\ud800"`, `"\ud801"`, false},
		{`"\ud800"`, `"\ufffd"`, false},
		{`"\ud800"`, `"\\ud800"`, false},
		{`{"\ud800": 1}`, `{"\udc00": 1}`, false},
		{Value(strings.Replace(shallow, "%", `"a"`, 1)), Value(strings.Replace(shallow, "%", `"\u0061"`, 1)), true},
		{Value(strings.Replace(deep, "%", `"a"`, 1)), Value(strings.Replace(deep, "%", `"\u0061"`, 1)), false},
	}
	for _, tt := range tests {
		if got, back := Equal(tt.a, tt.b), Equal(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("Equal(%s, %s) = %v, %v the other way round, want %v", tt.a, tt.b, got, back, tt.want)
		}
	}
}
