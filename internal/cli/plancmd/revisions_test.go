package plancmd

import "testing"

// diff reads its arguments as git does.
func TestRevisions(t *testing.T) {
	tests := []struct {
		args          []string
		before, after string
		ok            bool
	}{
		{nil, "HEAD", "", true},
		{[]string{"main"}, "main", "", true},
		{[]string{"a", "b"}, "a", "b", true},
		{[]string{"a..b"}, "a", "b", true},
		{[]string{"a.."}, "a", "HEAD", true},
		{[]string{"..b"}, "HEAD", "b", true},
		{[]string{"v1.2.3"}, "v1.2.3", "", true},
		{[]string{"a...b"}, "", "", false},
		{[]string{"a..b", "c"}, "", "", false},
		{[]string{"a", "b", "c"}, "", "", false},
	}
	for _, tt := range tests {
		before, after, ok := revisions(tt.args)
		if ok != tt.ok || ok && (before != tt.before || after != tt.after) {
			t.Errorf("%q: %q, %q, %v", tt.args, before, after, ok)
		}
	}
}
