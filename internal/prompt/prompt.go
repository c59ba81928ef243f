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
	"git-ralph/internal/schedule"
)

// Errors of Load and Parse.
var (
	// ErrStage: no prompt belongs to the stage.
	ErrStage = errors.New("no prompt belongs to that stage")
	// ErrPlaceholder: a prompt has a placeholder that its stage does not have.
	ErrPlaceholder = errors.New("unknown placeholder")
)

//go:embed texts/*.md
var texts embed.FS

// Directory is where a repository keeps prompts of its own, below its root.
const Directory = "ralph"

// Stages lists the stages that have a prompt, in the order in which a plan commonly passes through them.
func Stages() []schedule.Stage {
	return []schedule.Stage{schedule.Plan, schedule.Build, schedule.Decompose, schedule.Verify, schedule.Investigate}
}

// File returns the name of a stage's prompt: PROMPT_build.md.
func File(stage schedule.Stage) string { return "PROMPT_" + strings.ToLower(string(stage)) + ".md" }

// A Prompt is the prompt of one stage.
type Prompt struct {
	Stage  schedule.Stage
	Text   string
	Source string // the file below the root that it was read from; "" for the embedded one
}

// Load reads the prompt of a stage: the file in the worktree at root, else the embedded one. The errors are ErrStage,
// ErrPlaceholder and those of reading the file; a symbolic link is not followed.
func Load(root string, stage schedule.Stage) (Prompt, error) {
	p, err := BuiltIn(stage)
	if err != nil || root == "" {
		return p, err
	}
	place := path.Join(Directory, File(stage))
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

// BuiltIn returns the embedded prompt of a stage. The error is ErrStage.
func BuiltIn(stage schedule.Stage) (Prompt, error) {
	data, err := texts.ReadFile("texts/" + File(stage))
	if err != nil {
		return Prompt{}, fmt.Errorf("%w: %q", ErrStage, stage)
	}
	return Prompt{Stage: stage, Text: string(data)}, nil
}

// Placeholders lists the names that may be between {{ and }} in the prompt of a stage, with what replaces each.
func Placeholders(stage schedule.Stage) map[string]string {
	all := map[string]string{
		"stage":     "the stage",
		"spec":      "the spec, as the plan names it",
		"spec_path": "where the spec's file is",
		feedback:    "what was wrong with the former answer; may be empty",
	}
	for name, about := range ownPlaceholders(stage) {
		all[name] = about
	}
	return all
}

func ownPlaceholders(stage schedule.Stage) map[string]string {
	switch stage {
	case schedule.Plan:
		return map[string]string{"spec_text": "the spec's text", "tasks": "the tasks that there are, a line of JSON each"}
	case schedule.Build:
		return map[string]string{
			"rules": "which files hold the repository's own rules; may be empty",
			"id":    "the task's id", "task": "the task as JSON", "rejections": "why it was rejected before, a line each; may be empty",
		}
	case schedule.Decompose:
		return map[string]string{
			"id": "the task's id", "task": "the task as JSON", "kill": "why work on it was stopped", "log": "the end of what the stopped agent printed",
		}
	case schedule.Verify:
		return map[string]string{"spec_text": "the spec's text", "tasks": "the done tasks, a line of JSON each", checks: "what their checks showed; may be empty"}
	case schedule.Investigate:
		return map[string]string{"issues": "the open issues, a line of JSON each", "tasks": "the tasks that there are, a line of JSON each"}
	}
	return nil
}

// check refuses placeholders that the stage does not have.
func (p Prompt) check() error {
	known := Placeholders(p.Stage)
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

// Eject writes the embedded prompt of a stage to the file that Load reads, to be changed there. It returns the file's path;
// written is false if the file exists already, which then stays as it is.
func Eject(root string, stage schedule.Stage) (place string, written bool, err error) {
	p, err := BuiltIn(stage)
	if err != nil {
		return "", false, err
	}
	place = path.Join(Directory, File(stage))
	if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(place))); err == nil {
		return place, false, nil
	}
	return place, true, safefile.Write(root, place, []byte(p.Text), 0o666)
}
