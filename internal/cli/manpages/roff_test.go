package main

import "testing"

// A manual page shows text as it is: troff reads nothing into it.
func TestRoffEscapes(t *testing.T) {
	tests := []struct {
		name  string
		write func(r *roff)
		want  string
	}{
		{"a line", func(r *roff) { r.line(`a\b --c`) }, "a\\eb \\-\\-c\n"},
		{"a dot", func(r *roff) { r.line(".git") }, "\\&.git\n"},
		{"quotes", func(r *roff) { r.macro("SH", `a "b" \`) }, ".SH \"a \\(dqb\\(dq \\e\"\n"},
		{"an item", func(r *roff) { r.item(bold("-C")+" "+italic("DIR"), "'x'") }, ".TP\n\\fB\\-C\\fR \\fIDIR\\fR\n\\(aqx\\(aq\n"},
		{"a synopsis", func(r *roff) { r.synopsis("git ralph edit [flags] ID") }, "\\fBgit\\fR \\fBralph\\fR \\fBedit\\fR [flags] ID\n"},
		{
			"prose", func(r *roff) { r.prose("One.\n\nTwo:\n\n  a\n\n  b\n\nEXIT STATUS\n  0  done\n") },
			"One.\n.PP\nTwo:\n.PP\n.RS \"4\"\n.EX\na\n\nb\n.EE\n.RE\n.SH \"EXIT STATUS\"\n.RS \"4\"\n.EX\n0  done\n.EE\n.RE\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r roff
			if tt.write(&r); r.String() != tt.want {
				t.Errorf("got %q, want %q", r.String(), tt.want)
			}
		})
	}
}
