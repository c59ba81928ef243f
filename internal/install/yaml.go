package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/githooks"
)

// yamlForm is the block of a tool's file, at its end.
type yamlForm struct {
	atEnd
	text []string
}

func (f yamlForm) lines() []string                      { return f.text }
func (f yamlForm) whole() bool                          { return true }
func (yamlForm) given(string, []string) (bool, []Clash) { return false, nil }
func (f yamlForm) kindOf(line string) kind {
	if slices.ContainsFunc(f.text, func(own string) bool { return strings.TrimSpace(own) == line }) {
		return ours
	}
	return theirs
}

// arguments tells how many arguments git gives to a hook.
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

// lefthook is a command for each hook. Lefthook puts the hook's arguments in the place of {1} and so on.
func (h hookSet) lefthook() yamlForm {
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
	return yamlForm{text: text}
}

// lefthookFiles are the names that lefthook looks for.
func lefthookFiles() []string {
	return []string{"lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml"}
}

// lefthookLocal gives the file beside lefthook's own that is for one user, by its name.
func lefthookLocal(root string) string {
	for _, name := range lefthookFiles() {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			return strings.Replace(name, "lefthook", "lefthook-local", 1)
		}
	}
	return "lefthook-local.yml"
}

// lefthookFits tells whether a block can stand in the local file: a hook may stand there once.
func (h hookSet) lefthookFits(root string) error {
	local := lefthookLocal(root)
	if _, err := os.Stat(filepath.Join(root, strings.Replace(local, "-local", "", 1))); err != nil {
		return &intoError{Lefthook}
	}
	text, err := read(filepath.Join(root, local))
	rest := cut(text, h.lefthook()).rest()
	for _, name := range h.wanted {
		if err != nil || strings.HasPrefix(rest, name+":") || strings.Contains(rest, "\n"+name+":") {
			return &intoError{Lefthook}
		}
	}
	return nil
}

// preCommitFile is what the pre-commit framework reads.
const preCommitFile = ".pre-commit-config.yaml"

// preCommit is a local repository in the framework's list.
func (h hookSet) preCommit() yamlForm {
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
	return yamlForm{text: text}
}

// preCommitRun is what the framework is to run. It tells what is pushed by the environment alone.
func preCommitRun(name string) string {
	if name == "pre-push" {
		return `echo "HEAD $PRE_COMMIT_TO_REF refs/heads/there 0" | git-ralph hook pre-push`
	}
	return "exec git-ralph hook " + name + ` "$@"`
}

// endsInRepos tells whether the list of repositories is the last thing in a file, with two blanks before each.
func endsInRepos(text string) bool {
	last := ""
	for line := range strings.Lines(text) {
		if line[0] != ' ' && line[0] != '#' && line[0] != '\n' && line[0] != '\r' {
			last = strings.TrimSpace(line)
		}
	}
	return last == "repos:" && (strings.Contains(text, "\n  - repo:") || strings.HasSuffix(strings.TrimSpace(text), "repos:"))
}
