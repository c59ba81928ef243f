package loop

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/proc"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// An UnknownStageError says that the command line or the configuration names a stage that does not exist.
type UnknownStageError struct {
	Stage string
	Where string // "--agent verfy=sh", "ralph.verfy.agent"
	Flag  bool   // on the command line
}

func (e *UnknownStageError) Error() string {
	names := stageNames()
	last := len(names) - 1
	return fmt.Sprintf("unknown stage %q in %s: want %s or %s", e.Stage, e.Where, strings.Join(names[:last], ", "), names[last])
}

// stageNames lists the stages that have an agent, as users write them.
func stageNames() []string {
	var names []string
	for _, stage := range prompt.Stages() {
		names = append(names, strings.ToLower(string(stage)))
	}
	return names
}

// cutStage splits "verify=codex". A command line may contain a "=" too: only the name of a stage is taken for one.
func cutStage(word string) (schedule.Stage, string) {
	if before, after, found := strings.Cut(word, "="); found {
		if stage := schedule.Stage(strings.ToUpper(before)); slices.Contains(prompt.Stages(), stage) {
			return stage, after
		}
	}
	return "", word
}

// A Configuration is git's configuration, with the keys of all settings.
type Configuration interface {
	agent.Settings
	Keys() iter.Seq[string]
}

// checkStages returns an UnknownStageError where the command line or the configuration names a stage that does not exist.
func (f AgentFlags) checkStages(config Configuration, environ []string) error {
	for _, word := range f.Agents {
		if stage := mistypedStage(word); stage != "" && !agent.Defined(config, word) && !isProgram(word, environ) {
			return &UnknownStageError{Stage: stage, Where: "--agent " + word, Flag: true}
		}
	}
	for _, word := range f.Models {
		if stage := mistypedStage(word); stage != "" {
			return &UnknownStageError{Stage: stage, Where: "--model " + word, Flag: true}
		}
	}
	for key := range config.Keys() {
		words := strings.Split(key, ".")
		if len(words) != 3 || words[0] != "ralph" || !slices.Contains([]string{"agent", "model", "timelimit"}, words[2]) {
			continue
		}
		if !slices.Contains(stageNames(), words[1]) {
			return &UnknownStageError{Stage: words[1], Where: key}
		}
	}
	return nil
}

// mistypedStage returns the text before "=" in a value if it can only be meant as a stage and is none, else "".
func mistypedStage(word string) string {
	before, _, found := strings.Cut(word, "=")
	known, _ := cutStage(word)
	if !found || known != "" || strings.ContainsFunc(before, func(c rune) bool { return !isNameRune(c) }) {
		return ""
	}
	return before
}

func isNameRune(c rune) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isProgram reports whether a command line begins with a program on the PATH.
func isProgram(line string, environ []string) bool {
	words, err := proc.SplitWords(line)
	if err != nil || len(words) == 0 {
		return false
	}
	_, err = proc.LookPath(words[0], environ)
	return err == nil
}
