package agentkit

import "strings"

// spawnTemplate is the file that the first message to a worker is made from.
const spawnTemplate = "templates/spawn/worker.md"

// withoutTask is the first line where there is no task yet.
const withoutTask = "Check for your first assignment."

// A Spawn is what the first message to a worker says. All of it may be empty.
type Spawn struct {
	Verb    string // what to do, such as "Research"
	Ref     string // the item, such as "GH-42", or its id where it has no number
	Title   string
	Context string // what else is to be known
	Skill   string // the call of a skill
	Report  string // what is to be reported
}

// Text returns the message: the template with its placeholders filled. A line with an empty placeholder is left out.
func (s Spawn) Text() string {
	fields := [...][2]string{
		{"{TASK_VERB}", s.Verb},
		{"GH-{ISSUE_NUMBER}", s.Ref},
		{"{TITLE}", s.Title},
		{"{TASK_CONTEXT}", s.Context},
		{"{SKILL_INVOCATION}", s.Skill},
		{"{REPORT_FORMAT}", s.Report},
	}
	var pairs []string
	for _, f := range fields {
		pairs = append(pairs, f[0], f[1])
	}
	fill := strings.NewReplacer(pairs...)
	var lines []string
	if s.Verb == "" {
		lines = append(lines, withoutTask)
	}
	for line := range strings.Lines(read(spawnTemplate)) {
		missing := false
		for _, f := range fields {
			missing = missing || f[1] == "" && strings.Contains(line, f[0])
		}
		line = strings.TrimSuffix(line, "\n")
		if last := len(lines) - 1; !missing && (line != "" || last >= 0 && lines[last] != "") {
			lines = append(lines, fill.Replace(line))
		}
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}
