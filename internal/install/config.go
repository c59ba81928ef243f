package install

import (
	"slices"
	"strings"

	"git-ralph/internal/git/config"
)

// settingsPattern matches the settings that the items are about, for config.Files.Settings.
const settingsPattern = `^((merge|diff)\.ralph|hook\.ralph-.*|ralph\.hooks)\.`

// A setting is one line of the configuration's block.
type setting struct {
	section, part, name, value string   // [section "part"] name = value
	former                     []string // values that other versions wrote, or write in other repositories
	prefix                     string   // what every value of ours begins with; "" for nothing in common
	obsolete                   bool     // known when it is met, and not written
}

func (s setting) key() string { return s.section + "." + s.part + "." + s.name }

func (s setting) heading() string { return "[" + s.section + ` "` + s.part + `"]` }

func (s setting) line(value string) string { return "\t" + s.name + " = " + quote(value) }

// isOurs reports whether we write such a value, or once did.
func (s setting) isOurs(value string) bool {
	return value == s.value || slices.Contains(s.former, value) || s.prefix != "" && strings.HasPrefix(value, s.prefix)
}

// valueIn returns the value of a line that we wrote for the setting, "" for any other line.
func (s setting) valueIn(line string) string {
	for _, value := range append([]string{s.value}, s.former...) {
		if line == strings.TrimSpace(s.line(value)) {
			return value
		}
	}
	start := strings.TrimSuffix(strings.TrimSpace(s.line(s.prefix)), `"`)
	if s.prefix != "" && strings.HasPrefix(line, start) {
		return unquote(strings.TrimPrefix(line, s.name+" = "))
	}
	return ""
}

// textconv shows plans as text. Where the program is gone, or fails, git shows the file as it is, rather than nothing at
// all. Its results are not cached (cachetextconv): git would keep them although a later version prints plans otherwise.
const textconv = `f() { git-ralph textconv "$1" 2>/dev/null || cat "$1"; }; f`

// settings are those of the merge driver. The recursive one names the driver that merges several common ancestors to
// one. Without it git would take the same, and that is the right one: it makes a plan, not a text with markers, which
// no driver could read.
func settings(driver string, former []string) []setting {
	return []setting{
		{section: "merge", part: "ralph", name: "name", value: "plan of git ralph"},
		{section: "merge", part: "ralph", name: "driver", value: driver, former: former},
		{section: "merge", part: "ralph", name: "recursive", value: "ralph"},
		{section: "diff", part: "ralph", name: "textconv", value: textconv, former: []string{"git-ralph textconv"}},
	}
}

// configForm is the block of a configuration file.
type configForm struct {
	atEnd
	file     string
	settings []setting
	found    []config.Setting // in all files, the strongest last
}

func (f configForm) lines() []string {
	var lines []string
	last := ""
	for _, s := range f.settings {
		switch {
		case s.obsolete:
			continue
		case last == "":
			lines = append(lines, s.heading())
		case last != s.heading():
			lines = append(lines, s.heading()+" "+mark)
		}
		last = s.heading()
		lines = append(lines, s.line(s.value))
	}
	return lines
}

func (f configForm) kindOf(line string) kind {
	for _, s := range f.settings {
		if line == s.heading() {
			return heading
		}
	}
	if _, ok := f.read(line); ok {
		return ours
	}
	return theirs
}

// read returns the setting that a line of ours makes.
func (f configForm) read(line string) (config.Setting, bool) {
	for _, s := range f.settings {
		if value := s.valueIn(line); value != "" {
			return config.Setting{File: f.file, Key: s.key(), Value: value}, true
		}
	}
	return config.Setting{}, false
}

// outside looks at what git found, less what our block says.
func (f configForm) outside(_ string, mine []string) (all bool, others []Clash) {
	found := f.without(mine)
	all = true
	for _, s := range f.settings {
		if s.obsolete {
			continue
		}
		last := ""
		for _, g := range found {
			if g.Key != s.key() {
				continue
			}
			if g.File == f.file {
				last = g.Value
			}
			if f.clashes(s, g) {
				others = append(others, Clash{File: g.File, Name: g.Key, Value: g.Value})
			}
		}
		all = all && last == s.value
	}
	return all, others
}

// without returns what git found outside of our block.
func (f configForm) without(block []string) []config.Setting {
	found := slices.Clone(f.found)
	for _, line := range block {
		own, _ := f.read(line)
		if i := slices.Index(found, own); i >= 0 {
			found = slices.Delete(found, i, i+1)
		}
	}
	return found
}

// clashes reports whether a value is one of the user's own. A former one of ours is not; but a driver in this very file
// was chosen by somebody, since what we wrote there stands in the block.
func (f configForm) clashes(s setting, g config.Setting) bool {
	chosen := g.File == f.file && s.name == "driver"
	return g.Value != s.value && (chosen || !s.isOurs(g.Value))
}

// quote writes a value so that git reads it back.
func quote(value string) string {
	if !strings.ContainsAny(value, "\"\\#;\n\t") && strings.TrimSpace(value) == value {
		return value
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(value) + `"`
}

// unquote reads what quote wrote.
func unquote(text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`)
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t").Replace(text)
}
