package prompt_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/prompt"
	"git-ralph/internal/safefile"
)

// TestBuiltIn guards: each stage, and each step of items, has a prompt that uses its placeholders alone, shows how to report, and names no
// plan that is not used.
func TestBuiltIn(t *testing.T) {
	for _, stage := range prompt.Names() {
		p, err := prompt.BuiltIn(stage)
		if err != nil {
			t.Fatal(err)
		}
		root := t.TempDir()
		if _, written, err := prompt.Eject(root, stage); err != nil || !written {
			t.Fatal(err)
		}
		ejected, err := prompt.Load(root, stage)
		if err != nil || ejected.Text != p.Text || ejected.Source != "ralph/"+prompt.File(stage) {
			t.Errorf("%s: %v", stage, err)
		}
		if strings.Contains(p.Text, "IMPLEMENTATION_PLAN") || strings.Count(p.Text, "[RALPH_OUTPUT]") != 1 {
			t.Errorf("%s: names a former plan, or has not one block", stage)
		}
		for name := range prompt.Placeholders(stage) {
			if name != "stage" && name != "spec" && name != "id" && !strings.Contains(p.Text, "{{"+name+"}}") {
				t.Errorf("%s does not use {{%s}}", stage, name)
			}
		}
	}
	if _, err := prompt.BuiltIn("complete"); !errors.Is(err, prompt.ErrName) {
		t.Errorf("%v", err)
	}
}

// TestOwnPrompts guards: a repository's prompt is taken, a misspelt placeholder is found before a run, a link is not
// followed, and a file that is there is not overwritten.
func TestOwnPrompts(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "ralph", "PROMPT_build.md")
	write := func(text string) {
		t.Helper()
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("do {{id}}, as in {{ this }} or {{x")
	p, err := prompt.Load(root, "build")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Render(map[string]string{"id": "{{task}}"}); got != "do {{task}}, as in {{ this }} or {{x" {
		t.Errorf("%q", got)
	}
	write("{{taks}}")
	if _, err := prompt.Load(root, "build"); !errors.Is(err, prompt.ErrPlaceholder) || !strings.Contains(err.Error(), "ralph/PROMPT_build.md: unknown placeholder {{taks}}: want one of feedback, id,") {
		t.Errorf("%v", err)
	}
	if _, written, err := prompt.Eject(root, "build"); err != nil || written {
		t.Errorf("overwritten: %v", err)
	}
	os.Remove(path)
	if err := os.Symlink("/etc/passwd", path); err != nil {
		t.Skip("no links here")
	}
	if _, err := prompt.Load(root, "build"); !errors.Is(err, safefile.ErrSymlink) {
		t.Errorf("%v", err)
	}
}

// TestEmptyValues guards: a paragraph that is empty leaves no gap.
func TestEmptyValues(t *testing.T) {
	p := prompt.Prompt{Text: "a\n\n{{x}}\n\n{{y}}\n\nb{{x}} c"}
	if got := p.Render(map[string]string{"y": "why\n"}); got != "a\n\nwhy\n\nb c" {
		t.Errorf("%q", got)
	}
	if got := p.Render(nil); got != "a\n\nb c" {
		t.Errorf("%q", got)
	}
}

// TestFeedbackIsNeverLeftOut guards: a prompt of the repository's without a place for the feedback ends with it, so that an agent
// knows what was wrong, or that git is in the middle of something.
func TestFeedbackIsNeverLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"Do it.\n":                       "Do it.\n\n## Wrong\n",
		"Do it.":                         "Do it.\n\n## Wrong\n",
		"Do it.\n\n{{feedback}}\nNow.\n": "Do it.\n\n## Wrong\nNow.\n",
	} {
		p := prompt.Prompt{Name: "build", Text: text}
		if got := p.Render(map[string]string{"feedback": "## Wrong\n"}); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		both := p.Render(map[string]string{"feedback": "## Wrong\n", "checks": "## Shown\n"})
		if strings.Count(both, "## Wrong") != 1 || !strings.HasSuffix(strings.Replace(both, "\n\n## Wrong\n", "\n", 1), "\n\n## Shown\n") {
			t.Errorf("%q became %q with checks", text, both)
		}
		if got := p.Render(nil); strings.Contains(got, "Wrong") || !strings.HasPrefix(got, "Do it.") {
			t.Errorf("%q became %q without feedback", text, got)
		}
	}
}
