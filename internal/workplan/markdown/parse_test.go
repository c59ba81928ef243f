package markdown

import (
	"errors"
	"strings"
	"testing"

	"git-ralph/internal/workplan"
)

// describe writes what a file says on few lines: the workplan, then a line for each task.
func describe(f *workplan.File) string {
	var b strings.Builder
	b.WriteString(f.ID + " | " + f.Title + " | " + string(f.Status))
	if f.Workstream != "" {
		b.WriteString(" | " + f.Workstream)
	}
	for _, t := range f.Tasks {
		b.WriteString("\n" + t.ID + " | " + t.Name + " | " + string(t.Status))
		if t.Priority != "" || t.HubTask != "" {
			b.WriteString(" | " + t.Priority + " | " + t.HubTask)
		}
	}
	return b.String()
}

const front = "---\nid: W\ntitle: T\nstatus: active\n---\n"

func task(id, status string) string { return "```task\nid: " + id + "\nstatus: " + status + "\n```\n" }

// Each statement about what a workplan is.
func TestParse(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"frontmatter alone", front, "W | T | active"},
		{"done", "---\nid: W\ntitle: T\nstatus: done\n---", "W | T | done"},
		{"paused", "---\nid: W\ntitle: T\nstatus: paused\n---\ntext\n", "W | T | paused"},
		{"workstream", "---\nid: W\ntitle: T\nstatus: done\nstate_hub_workstream_id: 51e1\n---\n", "W | T | done | 51e1"},
		{"null is absent", "---\nid: W\ntitle: T\nstatus: done\nstate_hub_workstream_id:\n---\n", "W | T | done"},
		{"rules with blanks after them", "--- \nid: W\ntitle: T\nstatus: done\n---\t\n", "W | T | done"},
		{"unknown fields, comments, any order", "---\n# c\nowner: [a, b]\nstatus: 'active' # now\ntitle: \"T\"\nid: W\nx: {y: z}\n---\n", "W | T | active"},
		{"a rule within a text", "---\nid: W\nnote: |\n  ---\n  x\ntitle: T\nstatus: done\n---\n", "W | T | done"},
		{"byte-order mark, CRLF", "\ufeff---\r\nid: W\r\ntitle: T\r\nstatus: active\r\n---\r\n\r\n## Task: A\r\n\r\n```task\r\nid: a\r\nstatus: todo\r\n```\r\n", "W | T | active\na | A | todo"},
		{"numbers are ids", "---\nid: 7\ntitle: 8\nstatus: done\n---\n", "7 | 8 | done"},
		{"CJK", "---\nid: 計画\ntitle: 籠の合計 🎉\nstatus: active\n---\n# 見出し\n```task\nid: 一\nstatus: todo # 注\n```\n", "計画 | 籠の合計 🎉 | active\n一 | 見出し | todo"},

		{"task with all fields", front + "```task\nid: a\nstatus: done\npriority: high\nstate_hub_task_id: 9f\n```\n", "W | T | active\na | a | done | high | 9f"},
		{"tildes", front + "~~~task\nid: a\nstatus: todo\n~~~\n", "W | T | active\na | a | todo"},
		{"long fences", front + "``````task\nid: a\nstatus: todo\n```\n``````\n", ""},
		{"long fences around short ones", front + "``````task\nid: a\nstatus: todo\nx: |\n ```\n``````\n", "W | T | active\na | a | todo"},
		{"info string's first word", front + "``` task  {.red} more\nid: a\nstatus: todo\n```\n", "W | T | active\na | a | todo"},
		{"other first words", front + "```tasks\nx\n```\n```Task\nx\n```\n```task{x}\nx\n```\n```yaml task\nx\n```\n```\nx\n```\n", "W | T | active"},
		{"in a list", front + "1. one\n\n   ```task\n   id: a\n   status: todo\n   ```\n2. two\n   - three\n     ```task\n     id: b\n     status: done\n     ```\n", "W | T | active\na | a | todo\nb | b | done"},
		{"in a quote", front + "> ```task\n> id: a\n> status: todo\n> ```\n", "W | T | active\na | a | todo"},
		{"in a list in a quote", front + "> - x\n>\n>   ```task\n>   id: a\n>   status: todo\n>   ```\n", "W | T | active\na | a | todo"},
		{"with tabs", front + "- x\n\n\t```task\n\tid: a\n\tstatus: todo\n\t```\n", "W | T | active\na | a | todo"},
		{"on the line of a list item", front + "- ```task\n  id: a\n  status: todo\n  ```\n", "W | T | active\na | a | todo"},
		{"after a tab of a list item", front + "-\t```task\n\tid: a\n\tstatus: todo\n\t```\n", "W | T | active\na | a | todo"},
		{"in an example of Markdown", front + "````markdown\n" + task("x", "todo") + "````\n", "W | T | active"},
		{"in a comment", front + "<!--\n" + task("x", "todo") + "-->\n", "W | T | active"},
		{"indented code", front + "    ```task\n    id: a\n    ```\n", "W | T | active"},
		{"at the end of the file", front + "```task\nid: a\nstatus: todo\n```", "W | T | active\na | a | todo"},
		{"flow mapping", front + "```task\n{id: a, status: todo}\n```\n", "W | T | active\na | a | todo"},
		{"a document of YAML", front + "```task\n---\nid: a\nstatus: todo\n...\n```\n", "W | T | active\na | a | todo"},
		{"alias", front + "```task\nid: &i a\nstatus: todo\nstate_hub_task_id: *i\n```\n", "W | T | active\na | a | todo |  | a"},

		{"nearest heading", front + "# One\n## Task: Two\ntext\n" + task("a", "todo") + task("b", "todo") + "Three\n=====\n> #### Four ####\n\n" + task("c", "todo"), "W | T | active\na | Two | todo\nb | Two | todo\nc | Four | todo"},
		{"heading in CRLF", front + "## Task:  x y \r\n" + task("a", "todo"), "W | T | active\na | x y | todo"},
		{"heading of two lines", front + "Task: one\ntwo\n---\n" + task("a", "todo"), "W | T | active\na | one two | todo"},
		{"empty heading", front + "## Task:\n" + task("a", "todo"), "W | T | active\na | a | todo"},
		{"heading in code is none", front + "```\n# x\n```\n" + task("a", "todo"), "W | T | active\na | a | todo"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse("w.md", []byte(tt.src))
			if tt.want == "" {
				if err == nil {
					t.Errorf("parsed: %s", describe(f))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(f); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Errors name the file, line, column and what was expected.
func TestParseErrors(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"empty file", "", `w.md:1:1: no frontmatter: want a first line "---"`},
		{"no frontmatter", "# x\n", `w.md:1:1: no frontmatter: want a first line "---"`},
		{"frontmatter after a blank line", "\n---\nid: W\n---\n", `w.md:1:1: no frontmatter: want a first line "---"`},
		{"frontmatter without an end", "\ufeff---\nid: W\n", `w.md:1:1: the frontmatter never ends: want a second line "---"`},
		{"empty frontmatter", "---\n---\n", "w.md:2:1: the frontmatter is empty: want fields such as id and status"},
		{"only a comment", "---\n# c\n---\n", "w.md:2:1: the frontmatter is empty: want fields such as id and status"},
		{"no mapping", "---\n- id\n---\n", "w.md:2:1: the frontmatter is not a mapping: want fields such as id and status"},
		{"no YAML", "---\nid: W\ntitle: a: b\n---\n", "w.md:3:1: the frontmatter is not valid YAML: mapping values are not allowed in this context"},
		{"missing fields", "---\ntitle:\n---\n", "w.md:2:1: missing field \"id\"\nw.md:2:1: missing field \"status\"\nw.md:2:7: the field \"title\" is empty: want a value"},
		{"unknown status", "---\nid: W\ntitle: 日本\nstatus: Done\n---\n", `w.md:4:9: unknown status "Done": want active, done or paused`},
		{"a field twice", "---\nid: W\ntitle: T\nstatus: done\nid: V\n---\n", `w.md:5:1: the field "id" is there twice: want it once`},
		{"no single value", "---\nid: [W]\ntitle: T\nstatus: {}\n---\n", "w.md:2:5: the field \"id\" is not a single value: want one word or text\nw.md:4:9: the field \"status\" is not a single value: want one word or text"},

		{"task without fields", front + "x\n\n```task\n```\n", "w.md:8:1: the task block is empty: want fields such as id and status"},
		{"task is a list", front + "> ```task\n> - id: a\n> ```\n", "w.md:7:3: the task block is not a mapping: want fields such as id and status"},
		{"task is text", front + "```task\njust do it\n```\n", "w.md:7:1: the task block is not a mapping: want fields such as id and status"},
		{"task of two documents", front + "```task\nid: a\nstatus: todo\n---\nid: b\n```\n", "w.md:9:1: the task block has two YAML documents: want one"},
		{"task is no YAML", front + "- ```task\n  id: a\n  status: [todo\n  ```\n", "w.md:7:3: the task block is not valid YAML: did not find expected ',' or ']'"},
		{"task without id and status", front + "```task\nname: x\n```\n", "w.md:6:1: missing field \"id\"\nw.md:6:1: missing field \"status\""},
		{"unknown status of a task", front + "```task\nid: a\nstatus: active\n```\n", `w.md:8:9: unknown status "active": want todo, in_progress or done`},
		{"unknown priority", front + "```task\nid: a\nstatus: todo\npriority: urgent\n```\n", `w.md:9:11: unknown priority "urgent": want high, medium or low`},
		{"two tasks with one id", front + task("a", "todo") + task("b", "todo") + task("a", "done"), `w.md:15:5: two tasks have the id "a": want ids that differ; the first is on line 6`},
		{"task fence never closes", front + "# A\n```task\nid: a\n", "w.md:7:1: the fence never closes: want a line \"```\" below it"},
		{"other fence never closes", front + "~~~~\n" + task("a", "todo") + "~~~\n", `w.md:6:1: the fence never closes: want a line "~~~~" below it`},
		{"fence ends with its quote", front + "> ```task\n> id: a\n> status: todo\n\ntext\n", "w.md:6:3: the fence never closes: want a line \"```\" below it"},
		{"fence after a tab never closes", front + "-\t```task\n\tid: a\n\nx\n", "w.md:6:3: the fence never closes: want a line \"```\" below it"},
		{"fence closed outside of its list", front + "1. ```task\n   id: a\n```\n", "w.md:6:4: the fence never closes: want a line \"```\" below it\nw.md:8:1: the fence never closes: want a line \"```\" below it"},
		{"control characters", front + "```task\nid: \x01\n```\n", "w.md:6:1: the task block is not valid YAML: control characters are not allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse("w.md", []byte(tt.src))
			if err == nil {
				t.Fatalf("parsed: %s", describe(f))
			}
			if _, ok := errors.AsType[*workplan.InvalidError](err); !ok {
				t.Errorf("%T is no *workplan.InvalidError", err)
			}
			if got := err.Error(); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
