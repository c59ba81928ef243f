package cli

import (
	"regexp"
	"strings"
	"testing"

	"git-ralph/internal/agenthook"
	"git-ralph/internal/agentkit"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// tools are those that a skill may name: of Claude Code 2.1.330, which the other agents map to their own.
const tools = " Read Write Edit Glob Grep Bash Task WebSearch WebFetch "

// TestShippedTexts guards: every skill is short, has the frontmatter that agents read, names tools and commands that there are, and
// nothing of the models that were given up. The interactive ones run in the session and leave decisions to the user.
func TestShippedTexts(t *testing.T) {
	names := agentkit.Skills()
	if len(names) != 7 {
		t.Errorf("%d skills: %v", len(names), names)
	}
	for _, name := range names {
		text := agentkit.Skill(name)
		_, rest, _ := strings.Cut(text, "---\n")
		front, body, found := strings.Cut(rest, "\n---\n")
		if lines := strings.Count(text, "\n"); !found || lines < 20 || lines > 60 {
			t.Errorf("%s: %d lines", name, lines)
		}
		if !strings.HasPrefix(front, "name: "+name+"\ndescription: ") || !strings.Contains(front, "\nargument-hint: ") {
			t.Errorf("%s: its frontmatter is\n%s", name, front)
		}
		checkTools(t, name, front)
		for _, word := range []string{"bough", "Linear", "ralph_hero__", "RALPH_COMMAND", "context: fork", "allowed_tools"} {
			if strings.Contains(text, word) {
				t.Errorf("%s: has %q", name, word)
			}
		}
		checkCommands(t, name, body)
		if interactive := name != "ralph-workplan"; interactive && (!strings.Contains(body, "ask") || !strings.Contains(front, "model: opus")) {
			t.Errorf("%s does not ask", name)
		}
	}
}

func checkTools(t *testing.T, name, front string) {
	t.Helper()
	_, list, _ := strings.Cut(front, "allowed-tools: ")
	list, _, _ = strings.Cut(list, "\n")
	for tool := range strings.SplitSeq(list, ", ") {
		tool, _, _ = strings.Cut(tool, "(")
		if !strings.Contains(tools, " "+tool+" ") {
			t.Errorf("%s: there is no tool %q", name, tool)
		}
	}
}

// checkCommands parses every command of git ralph in a text.
func checkCommands(t *testing.T, name, body string) {
	t.Helper()
	commands := regexp.MustCompile("(?m)`(git ralph [^`\n]*)`|^ {4,}(git ralph .*)$").FindAllStringSubmatch(body, -1)
	if len(commands) == 0 {
		t.Errorf("%s names no command", name)
	}
	for _, m := range commands {
		words := strings.Fields(m[1] + m[2])[2:]
		if line, err := cmdline.ParseLine(NewApp(&term.Env{}), words); err != nil || len(line.Path) == 0 {
			t.Errorf("%s: %s: %v", name, m[0], err)
		}
	}
}

// TestRoleGatesGiveNoAdvice guards: what a role gate prints is one line, a fact.
func TestRoleGatesGiveNoAdvice(t *testing.T) {
	for _, role := range []string{"builder", "lead"} {
		text := agenthook.Decide(agenthook.Situation{Event: agenthook.Stop, Role: role, Tasks: 2}).Block
		if text == "" || strings.Contains(text, "\n") || regexp.MustCompile(`(?i)\b(consider|should|please|try|run|claim|must)\b|git ralph`).MatchString(text) {
			t.Errorf("%s: %q", role, text)
		}
	}
}
