package workplanloop_test

import (
	"testing"

	"git-ralph/internal/workplan"
	"git-ralph/internal/workplanloop"
)

// TestPromised guards: a promise is what ends a line of the agent's own words, and not what it quotes.
func TestPromised(t *testing.T) {
	const tag = workplanloop.Promise
	for text, want := range map[string]bool{
		"":                                        false,
		"HEUREKA":                                 false,
		tag:                                       true,
		"All is done. " + tag:                     true,
		"All is done.\r\n\r\n" + tag + "\r\n":     true,
		"**" + tag + "**.\n\nThe tests pass.\n":   true,
		"  " + tag:                                true,
		"I say " + tag + " once it is done.":      false,
		"It ends with `" + tag + "`":              false,
		"The prompt says \"" + tag + "\"":         false,
		"> " + tag:                                false,
		"  > it said\n  > " + tag:                 false,
		"    " + tag:                              false,
		"\t" + tag:                                false,
		"```\n" + tag + "\n```\n":                 false,
		"```text\n" + tag:                         false,
		"~~~\n```\n" + tag + "\n~~~\n":            false,
		"````\n```\n" + tag + "\n````":            false,
		"```\nclose\n```\nDone: " + tag:           true,
		"```\n``` no end\n" + tag + "\n```\n":     false,
		"`" + tag + "` is what I say now: " + tag: true,
		"promise>HEUREKA</promise>":               false,
		"<promise>heureka</promise>":              false,
	} {
		if got := workplanloop.Promised(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestPromptIsNoPromise guards: an agent that prints its prompt again has promised nothing.
func TestPromptIsNoPromise(t *testing.T) {
	for _, f := range []*workplan.File{plan(workplan.Active, workplan.Todo), plan(workplan.Active, workplan.Done)} {
		for _, text := range []string{loop().Prompt(f, false), workplanloop.RunPrompt("/r/w.md", f, true)} {
			if workplanloop.Promised(text) {
				t.Errorf("%s", text)
			}
		}
	}
}
