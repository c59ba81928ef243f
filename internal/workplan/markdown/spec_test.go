package markdown

import (
	"strings"
	"testing"
)

const specExample = `---
id: WP-0001
title: "Build a thing"
status: active
---

Optional free-text description of the workplan scope and goals.

## Task: Do the first thing

!!!task
id: T-01
status: todo
priority: high
!!!

## Task: Do the second thing

!!!task
id: T-02
status: todo
priority: medium
!!!
`

// The examples of the specification, and what is left of them where a renderer took fences and headings for its own.
func TestSpecification(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"as it was meant", specExample, "WP-0001 | Build a thing | active\nT-01 | Do the first thing | todo | high | \nT-02 | Do the second thing | todo | medium | "},
		{
			"as it is shown: the first fence and the second heading lost their marks",
			strings.Replace(specExample, "!!!\n\n## Task: Do the second thing\n\n!!!task\n", "\nTask: Do the second thing\n\n", 1),
			`w.md:18:1: the field "id" is there twice: want it once
w.md:19:1: the field "status" is there twice: want it once
w.md:20:1: the field "priority" is there twice: want it once`,
		},
		{
			"as it is shown, in whole",
			strings.TrimSuffix(strings.Replace(specExample, "!!!\n\n## Task: Do the second thing\n\n!!!task\n", "\nTask: Do the second thing\n\n", 1), "!!!\n"),
			"w.md:11:1: the fence never closes: want a line \"```\" below it",
		},
		{
			"without the second task's fence alone, it is prose",
			strings.Replace(specExample, "!!!task\nid: T-02\nstatus: todo\npriority: medium\n!!!\n", "id: T-02\nstatus: todo\n", 1),
			"WP-0001 | Build a thing | active\nT-01 | Do the first thing | todo | high | ",
		},
		{"an outer fence", "!!!!markdown\n" + specExample + "!!!!\n", "w.md:1:1: no frontmatter: want a first line \"---\""},
		{
			"a hub binding", "---\nid: M\ntitle: M\nstatus: active\nstate_hub_workstream_id: 1\n---\n!!!task\nid: MRKD-WP-0003-T01\nstatus: todo\npriority: high\nstate_hub_task_id: 51e1b53e-a62f-496b-892d-615513c35d67\n!!!\n",
			"M | M | active | 1\nMRKD-WP-0003-T01 | MRKD-WP-0003-T01 | todo | high | 51e1b53e-a62f-496b-892d-615513c35d67",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse("w.md", []byte(strings.ReplaceAll(tt.src, "!", "`")))
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = describe(f)
			}
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
