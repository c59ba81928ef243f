package install

import "strings"

// attributesForm is the block of a file of attributes.
type attributesForm struct {
	atEnd
	file string
	path string // of the plan: slash-separated, from the worktree's root
}

// AttributesLine returns the line that sets the plan's merge and diff drivers, for a path from the worktree's root.
func AttributesLine(path string) string { return pattern(path) + " merge=ralph diff=ralph" }

func (f attributesForm) lines() []string { return []string{AttributesLine(f.path)} }

// kindOf recognises our lines for other paths too, because ralph.plan may have changed.
func (f attributesForm) kindOf(line string) kind {
	if strings.HasSuffix(line, " merge=ralph diff=ralph") {
		return ours
	}
	return theirs
}

// outside reads the lines for exactly this path. Our line overrides earlier ones with other patterns, such as *.jsonl.
func (f attributesForm) outside(rest string, _ []string) (all bool, others []Clash) {
	values := f.values(rest)
	for _, name := range []string{"merge", "diff"} {
		if v, ok := values[name]; ok && v != "ralph" {
			others = append(others, Clash{File: f.file, Name: f.path + " " + name, Value: v})
		}
	}
	return values["merge"] == "ralph" && values["diff"] == "ralph", others
}

// values returns what lines for exactly this path set the attributes to.
func (f attributesForm) values(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		attributes, ok := f.attributes(strings.TrimSpace(line))
		if !ok {
			continue
		}
		for _, word := range strings.Fields(attributes) {
			note(word, values)
		}
	}
	return values
}

// attributes returns the attributes that a line sets for the plan.
func (f attributesForm) attributes(line string) (string, bool) {
	for _, p := range []string{pattern(f.path), "/" + pattern(f.path)} {
		if rest, ok := strings.CutPrefix(line, p); ok && rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
			return rest, true
		}
	}
	return "", false
}

// note stores in values what a word such as "merge=ralph", "-diff" or "binary" sets the two attributes to.
func note(word string, values map[string]string) {
	name, value, hasValue := strings.Cut(strings.TrimLeft(word, "-!"), "=")
	switch {
	case word == "binary":
		values["merge"], values["diff"] = "unset", "unset"
	case hasValue:
		values[name] = value
	case strings.HasPrefix(word, "-"):
		values[name] = "unset"
	case strings.HasPrefix(word, "!"):
		delete(values, name)
	default:
		values[name] = "set"
	}
}

// pattern writes a path as git's attributes name one file: from the root, without wildcards, in quotes where it holds
// spaces. It holds no control characters.
func pattern(path string) string {
	if !strings.Contains(path, "/") || strings.ContainsAny(path[:1], "#!\"[ ") {
		path = "/" + path // else it would be a name in any directory, a comment or the like
	}
	path = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
	if !strings.Contains(path, " ") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}
