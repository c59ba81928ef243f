package install

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/githooks"
)

// arguments returns how many arguments git passes to a hook.
func arguments(name string) int {
	switch name {
	case "commit-msg", "post-rewrite":
		return 1
	case "pre-push":
		return 2
	case "post-checkout", "prepare-commit-msg":
		return 3
	}
	return 0
}

// A Snippet is text for a file of the user's that has the effect of our hooks.
type Snippet struct {
	File string // its name
	Text string
}

// SnippetFor returns what goes into the file of a tool that is configured by one: lefthook or pre-commit. It is printed, for
// the user to put there; found is false for other tools.
func SnippetFor(ctx context.Context, o Options) (s Snippet, found bool, err error) {
	h, err := o.hooks(ctx, nil)
	if err != nil {
		return Snippet{}, false, err
	}
	h = h.shared()
	switch h.options.Into {
	case Lefthook:
		s = Snippet{lefthookLocal(h.repo().Root()), h.lefthook()}
	case PreCommit:
		s = Snippet{preCommitFile, h.preCommit()}
	}
	return s, s.File != "", nil
}

// calls reports whether a file that the user keeps calls a hook of ours, as the snippets do or in a line of its own.
func calls(text, hook string) bool {
	return strings.Contains(text, "git-ralph hook "+hook) || strings.Contains(text, `"$ralph" hook `+hook)
}

// managerFiles returns the text of the files that configure a tool, as far as they are there.
func (h hookSet) managerFiles(manager Manager) string {
	names := []string{preCommitFile}
	if manager == Lefthook {
		names = slices.Concat(lefthookFiles(), localFiles())
	}
	var b strings.Builder
	for _, name := range names {
		if text, err := read(filepath.Join(h.repo().Root(), name)); err == nil {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// lefthook is a command for each hook. Lefthook puts the hook's arguments in the place of {1} and so on.
func (h hookSet) lefthook() string {
	var text []string
	for _, name := range h.wanted {
		text = append(text, name+":", "  commands:", "    git-ralph:")
		if name == "pre-push" {
			text = append(text, "      use_stdin: true")
		}
		text = append(text, "      run: |")
		if n := arguments(name); n > 0 {
			text = append(text, "        set -- "+strings.Join([]string{"'{1}'", "'{2}'", "'{3}'"}[:n], " "))
		}
		for line := range strings.Lines(githooks.Body(name, h.place)) {
			text = append(text, "        "+strings.TrimRight(strings.ReplaceAll(line, "\t", "  "), "\n"))
		}
	}
	return strings.Join(text, "\n") + "\n"
}

// lefthookFiles are the names that lefthook looks for.
func lefthookFiles() []string {
	return []string{"lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml"}
}

// localFiles are those beside them that are for one user.
func localFiles() []string {
	var names []string
	for _, name := range lefthookFiles() {
		names = append(names, strings.Replace(name, "lefthook", "lefthook-local", 1))
	}
	return names
}

// lefthookLocal returns the file beside lefthook's own that is for one user, by its name.
func lefthookLocal(root string) string {
	for i, name := range lefthookFiles() {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			return localFiles()[i]
		}
	}
	return localFiles()[0]
}

// preCommitFile is what the pre-commit framework reads.
const preCommitFile = ".pre-commit-config.yaml"

// preCommit is a local repository in the framework's list.
func (h hookSet) preCommit() string {
	text := []string{"  - repo: local", "    hooks:"}
	for _, name := range h.wanted {
		text = append(text,
			"      - id: git-ralph-"+name,
			"        name: git ralph",
			"        language: system",
			"        entry: sh -c 'command -v git-ralph >/dev/null || exit 0; "+preCommitRun(name)+"' --",
			"        stages: ["+name+"]",
			"        always_run: true",
		)
		if name != "commit-msg" && name != "prepare-commit-msg" {
			text = append(text, "        pass_filenames: false")
		}
	}
	return strings.Join(text, "\n") + "\n"
}

// preCommitRun is the command for the framework to run, which passes what is pushed in the environment alone.
func preCommitRun(name string) string {
	if name == "pre-push" {
		return `echo "HEAD $PRE_COMMIT_TO_REF refs/heads/there 0" | git-ralph hook pre-push`
	}
	return "exec git-ralph hook " + name + ` "$@"`
}
