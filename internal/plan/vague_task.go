package plan

import (
	"fmt"
	"strings"
	"unicode"
)

// acceptance advises on criteria that nobody can check.
func (c *checker) acceptance(r Record) {
	message := vague(r.Text("accept"))
	if message == "" {
		return
	}
	c.report(r, "accept", Problem{
		Severity: Advice, Code: CodeVagueAcceptance, Message: message,
		Hint: "name a command to run, or what is to be seen where",
	})
}

// VagueTasks returns a line for each task that the change adds without acceptance criteria that can be checked: such a task
// is easily marked done too early. What tasks of items are to achieve, their step says.
func (c Change) VagueTasks() []string {
	added := map[string]bool{}
	for _, e := range c.Events {
		added[e.ID] = added[e.ID] || e.Name == EventAdded
	}
	var lines []string
	for _, r := range c.Records {
		if why := vague(r.Text("accept")); r.kind == KindTask && added[r.ID()] && why != "" && !r.IsOfItem() {
			lines = append(lines, r.ID()+" "+r.Name()+": "+why)
		}
	}
	return lines
}

// vague says why acceptance criteria cannot be checked, "" where they can.
func vague(accept string) string {
	words := strings.Fields(strings.ToLower(accept))
	if len(words) == 0 {
		return "no acceptance criteria"
	}
	var hollow []string
	for _, word := range words {
		if isConcrete(word) {
			return ""
		}
		if word = strings.TrimFunc(word, unicode.IsPunct); isHollow(word) {
			hollow = append(hollow, fmt.Sprintf("%q", word))
		}
	}
	switch len(hollow) {
	case 0:
		return "acceptance criteria name nothing to run or to see"
	case 1:
		return fmt.Sprintf("acceptance criteria that cannot be checked: %s names nothing to run or to see", hollow[0])
	}
	return fmt.Sprintf("acceptance criteria that cannot be checked: %s name nothing to run or to see", strings.Join(hollow, ", "))
}

// isConcrete reports whether a word can be run, or looked for: code, a path, an
// option, a number, or a word for what programs do that can be seen.
func isConcrete(word string) bool {
	if strings.ContainsAny(word, "`\"'_=<>/\\$#@0123456789()[]{}") || strings.HasPrefix(word, "-") && len(word) > 1 {
		return true
	}
	word = strings.TrimFunc(word, unicode.IsPunct)
	if strings.ContainsAny(word, ".:") {
		return true // a file, a module, a method
	}
	for _, stem := range observable() {
		if strings.HasPrefix(word, stem) {
			return true
		}
	}
	return false
}

// observable returns the beginnings of words for what can be seen to happen.
func observable() []string {
	return []string{
		"absent", "appear", "build", "command", "compil", "contain", "crash", "creat", "delet", "display", "diff", "empty",
		"equal", "error", "exist", "exit", "fail", "file", "grep", "import", "lint", "list", "log", "match", "messag", "miss",
		"output", "panic", "pass", "print", "prompt", "raise", "reject", "remov", "render", "respon", "return", "rout", "run",
		"screen", "show", "status", "stderr", "stdout", "test", "warn", "writ", "zero",
	}
}

// isHollow reports whether a word is a promise without content.
func isHollow(word string) bool {
	switch word {
	case "works", "work", "working", "should", "properly", "correctly", "expected", "etc", "fine", "good", "well",
		"appropriate", "appropriately", "reasonable", "nice", "clean", "done", "complete", "better", "improved", "correct":
		return true
	}
	return false
}
