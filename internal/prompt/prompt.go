package prompt

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/safefile"
)

// Errors of Load and Parse.
var (
	// ErrName: there is no prompt of that name.
	ErrName = errors.New("there is no such prompt")
	// ErrPlaceholder: a prompt has a placeholder that it does not have.
	ErrPlaceholder = errors.New("unknown placeholder")
)

//go:embed texts/*.md
var texts embed.FS

// Directory is where a repository keeps prompts of its own, below its root.
const Directory = "ralph"

// File returns the name of a prompt's file: PROMPT_build.md.
func File(name Name) string { return "PROMPT_" + string(name) + ".md" }

// A Prompt is the prompt of a stage, or of a step that tasks of items do in BUILD.
type Prompt struct {
	Name   Name
	Text   string
	Source string // the file below the root that it was read from; "" for the embedded one
}

// Load reads a prompt: the file in the worktree at root, else the embedded one. The errors are ErrName,
// ErrPlaceholder and those of reading the file; a symbolic link is not followed.
func Load(root string, name Name) (Prompt, error) {
	p, err := BuiltIn(name)
	if err != nil || root == "" {
		return p, err
	}
	place := path.Join(Directory, File(name))
	if err := safefile.Check(root, place); err != nil {
		return Prompt{}, fmt.Errorf("%s: %w", place, err)
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(place)))
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return Prompt{}, err
	}
	p.Text, p.Source = string(data), place
	return p, p.check()
}

// BuiltIn returns an embedded prompt. The error is ErrName.
func BuiltIn(name Name) (Prompt, error) {
	data, err := texts.ReadFile("texts/" + File(name))
	if err != nil {
		return Prompt{}, fmt.Errorf("%w: %q", ErrName, name)
	}
	return Prompt{Name: name, Text: string(data)}, nil
}

// check refuses placeholders that the prompt does not have.
func (p Prompt) check() error {
	known := Placeholders(p.Name)
	for _, name := range p.placeholders() {
		if _, ok := known[name]; !ok {
			names := slices.Sorted(maps.Keys(known))
			return fmt.Errorf("%s: %w {{%s}}: want one of %s", p.Source, ErrPlaceholder, name, strings.Join(names, ", "))
		}
	}
	return nil
}

// placeholders lists the names between {{ and }}. Anything but a name, such as "{{ }}" in an example, is text.
func (p Prompt) placeholders() []string {
	var names []string
	p.walk(func(string) {}, func(name string) { names = append(names, name) })
	return names
}

// walk calls text and placeholder for the parts of the prompt, in their order.
func (p Prompt) walk(text, placeholder func(string)) {
	rest := p.Text
	for {
		before, after, found := strings.Cut(rest, "{{")
		text(before)
		if !found {
			return
		}
		name, behind, closed := strings.Cut(after, "}}")
		if !closed || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" || name == "" {
			text("{{")
			rest = after
			continue
		}
		placeholder(name)
		rest = behind
	}
}

// The placeholders whose values are always in the prompt: an agent must know what checks showed, and what was wrong.
const (
	checks   = "checks"
	feedback = "feedback"
)

// Render replaces placeholders by values. A paragraph that becomes empty is removed. The results of checks, and feedback, are
// added at the end where the prompt has no placeholder for them.
func (p Prompt) Render(values map[string]string) string {
	const gap = "\n\n"
	var b strings.Builder
	empty, rendered := false, map[string]bool{}
	p.walk(
		func(text string) {
			if empty && strings.HasSuffix(b.String(), gap) {
				text = strings.TrimPrefix(text, gap)
			}
			b.WriteString(text)
		},
		func(name string) {
			value := strings.TrimRight(values[name], "\n")
			empty = value == ""
			rendered[name] = true
			b.WriteString(value)
		},
	)
	text := b.String()
	for _, name := range [...]string{checks, feedback} {
		if values[name] != "" && !rendered[name] {
			text = strings.TrimRight(text, "\n") + gap + values[name]
		}
	}
	return text
}

// Eject writes an embedded prompt to the file that Load reads, to be changed there. It returns the file's path;
// written is false if the file exists already, which then stays as it is.
func Eject(root string, name Name) (place string, written bool, err error) {
	p, err := BuiltIn(name)
	if err != nil {
		return "", false, err
	}
	place = path.Join(Directory, File(name))
	if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(place))); err == nil {
		return place, false, nil
	}
	return place, true, safefile.Write(root, place, []byte(p.Text), 0o666)
}
