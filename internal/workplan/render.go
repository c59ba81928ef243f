package workplan

import (
	"fmt"
	"strings"
	"unicode"

	"git-ralph/internal/jsonl"
)

// Render writes a new workplan. Names that have line breaks are written on one line.
func Render(f File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nid: %s\ntitle: %s\nstatus: %s\n", scalar(f.ID), scalar(f.Title), f.Status)
	if f.Workstream != "" {
		fmt.Fprintf(&b, "state_hub_workstream_id: %s\n", scalar(f.Workstream))
	}
	b.WriteString("---\n")
	for _, t := range f.Tasks {
		fmt.Fprintf(&b, "\n## Task: %s\n\n```task\nid: %s\nstatus: %s\n", heading(t.Name), scalar(t.ID), t.Status)
		if t.Priority != "" {
			fmt.Fprintf(&b, "priority: %s\n", t.Priority)
		}
		if t.HubTask != "" {
			fmt.Fprintf(&b, "state_hub_task_id: %s\n", scalar(t.HubTask))
		}
		b.WriteString("```\n")
	}
	return b.String()
}

// scalar writes a YAML value: plain where it is plainly a text, else in double quotes, as JSON.
func scalar(text string) string {
	plain := text != "" && (unicode.IsLetter(rune(text[0])) && text[0] < 0x80)
	for _, r := range text {
		plain = plain && (r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune(" -_.", r))
	}
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		plain = false
	}
	if plain && !strings.HasSuffix(text, " ") {
		return text
	}
	var b strings.Builder
	for _, r := range string(jsonl.Quote(text)) {
		switch {
		case r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r) // YAML does not accept it, or takes it for a line break
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// heading writes the text of a heading, which is one line. A "#" at its end would be taken for the end of the heading.
func heading(name string) string {
	text := strings.Join(strings.Fields(name), " ")
	if strings.HasSuffix(text, "#") {
		text += " #"
	}
	return text
}

// Slug returns a title as a part of a file's name: lower-case words between hyphens.
func Slug(title string) string {
	const maxLength = 40 // in characters: a file's name has at most 255 bytes
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var slug []rune
	for _, w := range words {
		switch word := []rune(w); {
		case len(slug) == 0:
			slug = word[:min(len(word), maxLength)]
		case len(slug)+1+len(word) > maxLength:
			return string(slug)
		default:
			slug = append(append(slug, '-'), word...)
		}
	}
	return string(slug)
}

// TaskID suggests the id of the nth task of a workplan, counted from 1.
func TaskID(workplan string, n int) string { return fmt.Sprintf("%s-T%02d", workplan, n) }
