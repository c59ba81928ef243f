package markdown

import (
	"bytes"
	"fmt"

	"git-ralph/internal/workplan"
)

// Parse parses a workplan. name is the file's, for messages. The error is a *workplan.InvalidError.
func Parse(name string, src []byte) (*workplan.File, error) {
	p := &parser{src: src, lines: newLines(src)}
	front, body, ok := p.frontmatter()
	if ok {
		p.readFrontmatter(front)
		p.readBlocks(body)
	}
	p.reportConflicts()
	if len(p.problems) > 0 {
		return nil, &workplan.InvalidError{File: name, Problems: p.sorted()}
	}
	return &p.file, nil
}

// A parser collects what a file says, and what is wrong with it.
type parser struct {
	src      []byte
	lines    lines
	file     workplan.File
	problems []problem
}

// A problem is at an offset of the file.
type problem struct {
	at   int
	text string
}

func (p *parser) problem(at int, format string, args ...any) {
	p.problems = append(p.problems, problem{at, fmt.Sprintf(format, args...)})
}

const byteOrderMark = "\ufeff"

// frontmatter returns the YAML between the first two lines "---", and where the rest of the file begins.
func (p *parser) frontmatter() (front fragment, body int, ok bool) {
	start := 0
	if bytes.HasPrefix(p.src, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	at := start
	line := lineAt(p.src, at)
	if !isRule(line) {
		p.problem(start, `no frontmatter: want a first line "---"`)
		return fragment{}, 0, false
	}
	at += len(line)
	begin := at
	for at < len(p.src) {
		line = lineAt(p.src, at)
		if isRule(line) {
			return wholeFragment(p.src, begin, at), at + len(line), true
		}
		at += len(line)
	}
	p.problem(start, `the frontmatter never ends: want a second line "---"`)
	return fragment{}, 0, false
}

// lineAt returns the line that begins at an offset, with its line feed.
func lineAt(src []byte, at int) []byte {
	rest := src[at:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return rest[:i+1]
	}
	return rest
}

// isRule reports whether a line begins or ends the frontmatter.
func isRule(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "---" }

// readFrontmatter reads the fields of the workplan itself.
func (p *parser) readFrontmatter(front fragment) {
	begin := front.begin
	m, ok := p.mapping(front, begin, "the frontmatter")
	if !ok {
		return
	}
	p.file.ID = m.required("id").text
	p.file.Title = m.required("title").text
	status := m.required("status")
	p.file.Status = workplan.Status(oneOf(m, status, "status", workplan.FileStatuses()))
	p.file.StatusAt = status.span
	p.file.Workstream = m.optional("state_hub_workstream_id").text
}

// readBlocks reads the tasks.
func (p *parser) readBlocks(body int) {
	first := map[string]int{} // the line of each id
	for _, b := range p.blocks(body) {
		line, _ := p.lines.position(b.at)
		m, ok := p.mapping(b.text, b.at, "the task block")
		if !ok {
			continue
		}
		id := m.required("id")
		status := m.required("status")
		priority := m.optional("priority")
		t := workplan.Task{
			ID:       id.text,
			Name:     b.heading,
			Status:   workplan.Status(oneOf(m, status, "status", workplan.TaskStatuses())),
			Priority: oneOf(m, priority, "priority", workplan.Priorities()),
			HubTask:  m.optional("state_hub_task_id").text,
			Line:     line,
			StatusAt: status.span,
		}
		if t.Name == "" {
			t.Name = t.ID
		}
		if before, twice := first[t.ID]; twice && t.ID != "" {
			p.problem(id.at, "two tasks have the id %s: want ids that differ; the first is on line %d", workplan.Quoted(t.ID), before)
		}
		first[t.ID] = line
		p.file.Tasks = append(p.file.Tasks, t)
	}
}

// oneOf checks a field that has a fixed set of values. One that is absent was reported where it is required.
func oneOf[S ~string](m mapping, v value, name string, accepted []S) string {
	if !v.present {
		return ""
	}
	for _, it := range accepted {
		if v.text == string(it) {
			return v.text
		}
	}
	m.p.problem(v.at, "unknown %s %s: want %s", name, workplan.Quoted(v.text), workplan.OneOf(accepted))
	return ""
}
