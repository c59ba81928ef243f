package markdown

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"git-ralph/internal/workplan"
)

// A drawing makes a random workplan, and knows what is in it.
type drawing struct {
	*rand.Rand
	want workplan.File // its spans say only whether a status can be edited
	head string        // the nearest heading
}

func (d *drawing) one(of ...string) string { return of[d.IntN(len(of))] }

// draw makes a file. size is about how many lines it has.
func draw(seed uint64, size int) (string, workplan.File) {
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 16))}
	lines := append([]string{"---" + d.one("", "", " ", "\t")}, d.frontmatter()...)
	lines = append(lines, "---")
	for len(lines) < size {
		lines = append(append(lines, d.part(0)...), "")
	}
	return d.one("", "", byteOrderMark) + d.join(lines), d.want
}

// join writes lines with one kind of line ending, or with both; the last may have none.
func (d *drawing) join(lines []string) string {
	var b strings.Builder
	endings := [][]string{{"\n"}, {"\n"}, {"\r\n"}, {"\n", "\r\n"}}[d.IntN(4)]
	for i, line := range lines {
		b.WriteString(line)
		if i < len(lines)-1 || d.IntN(4) > 0 {
			b.WriteString(d.one(endings...))
		}
	}
	return b.String()
}

func (d *drawing) frontmatter() []string {
	d.want.ID = fmt.Sprintf("%s-WP-%04d", d.one("A", "計画"), d.IntN(10000))
	d.want.Title = d.one("Sum the basket", "籠の合計 🎉", "naïve façade")
	d.want.Status = d.status(workplan.FileStatuses())
	fields := [][]string{{"id: " + d.want.ID + d.comment()}, {"title: " + d.quoted(d.want.Title) + d.comment()}}
	status, at := d.statusField(d.want.Status)
	d.want.StatusAt = at
	return d.shuffled(append(fields, status), "f")
}

// shuffled puts unknown fields between the known ones, in any order.
func (d *drawing) shuffled(fields [][]string, prefix string) []string {
	for i := range d.IntN(4) {
		fields = append(fields, d.unknown(fmt.Sprintf("%s%d", prefix, i)))
	}
	d.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	var lines []string
	for _, f := range fields {
		lines = append(lines, f...)
	}
	return lines
}

func (d *drawing) comment() string { return d.one("", "", " # todo", " # 注 ```", "\t# x") }

// quoted writes a value in one of the three ways.
func (d *drawing) quoted(text string) string {
	quote := d.one("", "", "'", `"`)
	return quote + text + quote
}

func (d *drawing) status(of []workplan.Status) workplan.Status { return of[d.IntN(len(of))] }

// statusField writes a status, now and then in a way in which it cannot be edited.
func (d *drawing) statusField(s workplan.Status) ([]string, workplan.Span) {
	key := d.one("status", "status", `"status"`, "'status'") + d.one("", "", " ") + ":" + d.one(" ", " ", "  ", "\t")
	switch fixed := (workplan.Span{Fixed: "x"}); d.IntN(16) {
	case 0:
		return []string{key + "&s " + string(s)}, fixed
	case 1:
		return []string{key + "!!str " + string(s)}, fixed
	case 2:
		return []string{"other: &o " + string(s), key + "*o"}, fixed
	case 3:
		return []string{key + ">-", "  " + string(s)}, fixed
	case 4:
		return []string{"? status", ": " + d.quoted(string(s))}, workplan.Span{}
	case 5:
		return []string{"status:", " " + d.quoted(string(s))}, workplan.Span{}
	default:
		return []string{key + d.quoted(string(s)) + d.comment()}, workplan.Span{}
	}
}

// unknown makes a field that the program does not know.
func (d *drawing) unknown(name string) []string {
	switch d.IntN(7) {
	case 0:
		return []string{name + ": |", "  status: done", "", "  日本\tx", ""}
	case 1:
		return []string{"# status: todo", name + ": [a, 'b', {status: done}]", ""}
	case 2:
		return []string{name + ": &" + name + " {k: v}", name + "x: *" + name}
	case 3:
		return []string{name + `: "日本 \" status: todo`, `  and more\n"`}
	case 4:
		return []string{name + ":", "- status: todo", "- 一: 二"}
	case 5:
		return []string{name + ": 'it''s, status: todo'", ""}
	default:
		return []string{name + ": " + d.one("1.0", "~", "2026-01-02", "plain text, 日本 {x", "a#b"), d.one("", "# c")}
	}
}

// part makes one block of Markdown.
func (d *drawing) part(depth int) []string {
	switch n := d.IntN(12); {
	case n < 4:
		return d.task()
	case n < 6:
		return d.heading()
	case n == 6:
		return []string{d.one("Some *text* with `code`, 日本語 and [a link](x).", "status: todo", "\\```task", "[ref]: /x 'y'"), d.one("more", "")}
	case n == 7:
		return []string{"````" + d.one("", "md", "tasks"), "```task", "id: no", "status: todo", "```", "````"}
	case n == 8:
		return []string{"<!--", "```task", "id: no", "```", "-->"}
	case n == 9:
		return []string{"    ```task", "    id: no"}
	case depth < 4:
		return d.contained(depth)
	default:
		return []string{"text"}
	}
}

func (d *drawing) heading() []string {
	name := d.one("First", "Do the second thing", "籠", "with # and *stars*")
	d.head = name
	if d.IntN(4) == 0 {
		return []string{"Task: " + name, d.one("---", "=====")}
	}
	return []string{d.one("#", "##", "######") + " " + d.one("Task: ", "Task:", "") + name + d.one("", " ##", "  ")}
}

func (d *drawing) task() []string {
	t := workplan.Task{ID: fmt.Sprintf("T-%03d", len(d.want.Tasks)), Name: d.head, Status: d.status(workplan.TaskStatuses())}
	if t.Name == "" {
		t.Name = t.ID
	}
	fields := [][]string{{"id: " + d.quoted(t.ID) + d.comment()}}
	var status []string
	status, t.StatusAt = d.statusField(t.Status)
	fields = append(fields, status)
	if d.IntN(2) == 0 {
		t.Priority = d.one(workplan.Priorities()...)
		fields = append(fields, []string{"priority: " + d.quoted(t.Priority)})
	}
	if d.IntN(3) == 0 {
		t.HubTask = fmt.Sprintf("51e1b53e-%04d", d.IntN(10000))
		fields = append(fields, []string{"state_hub_task_id: " + d.quoted(t.HubTask)})
	}
	content := d.shuffled(fields, "t")
	if d.IntN(8) == 0 { // a flow mapping
		t.StatusAt = workplan.Span{}
		content = []string{fmt.Sprintf("{x: 日, status: %s, id: %s, priority: %s, state_hub_task_id: %s}",
			d.quoted(string(t.Status)), t.ID, orNull(t.Priority), orNull(t.HubTask))}
	}
	d.want.Tasks = append(d.want.Tasks, t)
	fence := strings.Repeat(d.one("`", "~"), 3+d.IntN(4))
	indent := strings.Repeat(" ", d.IntN(4))
	for i, line := range content {
		content[i] = indent + line
	}
	info := d.one("task", "task", " task ", "task x", "task\t{y}")
	return append(append([]string{indent + fence + info}, content...), fence+d.one("", "`~"[strings.Index("`~", fence[:1]):][:1], "  "))
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return s
}

// contained puts blocks into a quote or a list.
func (d *drawing) contained(depth int) []string {
	var inner []string
	for range 1 + d.IntN(3) {
		inner = append(append(inner, d.part(depth+1)...), "")
	}
	form := [][2]string{{"> ", "> "}, {">", ">"}, {"- ", "  "}, {"*   ", "    "}, {"12. ", "    "}, {"+ ", "  "}, {"-\t", "\t"}}[d.IntN(7)]
	if depth > 0 && form[0] == "-\t" {
		form = [2]string{"-   ", "    "} // goldmark takes the lines after such a marker out of an inner list
	}
	if form[0] == ">" && slices.ContainsFunc(inner, func(line string) bool { return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") }) {
		form = [2]string{"> ", "> "} // a blank after the marker belongs to the marker
	}
	if form[0][0] != '>' && strings.HasPrefix(inner[0], " ") {
		inner = append([]string{"x", ""}, inner...) // blanks after a marker move all of its item
	}
	for i, line := range inner {
		prefix := form[1]
		if i == 0 {
			prefix = form[0]
		}
		inner[i] = prefix + line
		if line == "" && form[1] != ">" && form[1] != "> " {
			inner[i] = ""
		}
	}
	return append(inner, "", "<!-- -->") // else what is indented below would belong to the list
}
