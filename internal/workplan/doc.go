// Package workplan holds what a workplan says: a Markdown file with YAML frontmatter, whose tasks are fenced code blocks with
// the info string `task`. It knows the rule of completion, the order of the tasks, and edits a status in place: an edit
// replaces the bytes of one value, and every other byte of the file stays what it was.
//
// Package workplan/markdown parses the file. It is separate, since a Markdown library costs every start of a program
// that links it.
package workplan
