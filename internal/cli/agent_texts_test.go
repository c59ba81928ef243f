package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/agenthook"
	"git-ralph/internal/agentkit"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// tools are those of Claude Code 2.1.330 that a text may name; the other agents map them to their own. It calls Task Agent, and takes
// both names. Of our own tools, the tests of the server know which there are.
const tools = " Read Write Edit Glob Grep Bash Task WebSearch WebFetch Skill SendMessage "

// The kinds of skills.
type skillKind int

const (
	interactive  skillKind = iota // in the session, with its user
	autonomous                    // one task of the pipeline, by itself
	orchestrator                  // starts others, and does no work of a task
	loopStarter
)

func kindOf(name string) skillKind {
	switch name {
	case "ralph-triage", "ralph-split", "ralph-research", "ralph-plan", "ralph-review", "ralph-impl":
		return autonomous
	case "ralph-team", "ralph-hero":
		return orchestrator
	case "ralph-workplan":
		return loopStarter
	}
	return interactive
}

// A reporter is a test, or what counts what a test would say.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// frontOf returns the frontmatter of a text and what is below it.
func frontOf(t reporter, name, text string) (front, body string) {
	t.Helper()
	_, rest, _ := strings.Cut(text, "---\n")
	front, body, found := strings.Cut(rest, "\n---\n")
	if !found || !strings.HasPrefix(front, "name: "+name+"\ndescription: ") {
		t.Errorf("%s: its frontmatter is\n%s", name, front)
	}
	return front + "\n", body
}

// TestSkills guards: every skill is short, has the frontmatter that agents read, names tools and commands that there are, and nothing of
// the models that were given up.
func TestSkills(t *testing.T) {
	names := agentkit.Skills()
	if len(names) != 15 {
		t.Errorf("%d skills: %v", len(names), names)
	}
	for _, name := range names {
		checkSkill(t, name, agentkit.Skill(name))
	}
}

func checkSkill(t reporter, name, text string) {
	t.Helper()
	front, body := frontOf(t, name, text)
	if lines := strings.Count(text, "\n"); lines < 20 || lines > 60 {
		t.Errorf("%s: %d lines", name, lines)
	}
	if !strings.Contains(front, "\nargument-hint: ") {
		t.Errorf("%s: its frontmatter is\n%s", name, front)
	}
	checkTools(t, name, front, "allowed-tools: ")
	checkWords(t, name, text)
	if checkCommands(t, name, body) == 0 {
		t.Errorf("%s names no command", name)
	}
	checkKind(t, name, front, body)
}

// checkKind demands what a skill of its kind promises: those of the pipeline run by themselves, the others in the session.
func checkKind(t reporter, name, front, body string) {
	t.Helper()
	kind := kindOf(name)
	for text, wanted := range map[string]bool{
		"context: fork\n":                      kind == autonomous,
		"background: false\n":                  kind == autonomous, // whoever calls it reports what it returns
		"model: opus\n":                        kind == interactive,
		"disable-model-invocation: true\n":     kind == orchestrator || kind == loopStarter,
		"GIT_RALPH_ROLE=lead git-ralph agent ": name == "ralph-team",
	} {
		if strings.Contains(front, text) != wanted {
			t.Errorf("%s: %q is in its frontmatter: %v", name, text, !wanted)
		}
	}
	command := "RALPH_COMMAND=" + strings.TrimPrefix(name, "ralph-") + " git ralph item move "
	if has := strings.Contains(body, command); has != (kind == autonomous) {
		t.Errorf("%s: %q is in it: %v", name, command, has)
	}
	for _, tool := range listIn(front, "allowed-tools: ") {
		wide := tool == "Edit" && name != "ralph-plan" && name != "ralph-impl" || strings.HasPrefix(tool, "Web") || tool == "Skill" || strings.HasSuffix(tool, "_change") || strings.HasSuffix(tool, "__claim")
		if kind == autonomous && wide {
			t.Errorf("%s: has %s, and does not need it", name, tool)
		}
	}
	for _, m := range regexp.MustCompile("RALPH_COMMAND=([a-z]+)").FindAllStringSubmatch(body, -1) {
		if "ralph-"+m[1] != name {
			t.Errorf("%s: asks as another command: %s", name, m[0])
		}
	}
	starts := regexp.MustCompile("Skill\\(|[^`]/(ralph|git-ralph:)").MatchString(body)
	for want, missing := range map[string]bool{
		"GitHub":                  kind == orchestrator && (!strings.Contains(body, "`git ralph github pull`") || !strings.Contains(body, "`git ralph github push`")),
		"without `team_name`":     strings.Contains(body, "sub-agent") && !strings.Contains(body, "`team_name`") && name != "ralph-team",
		"a question to the user":  kind == interactive && !strings.Contains(body, "ask"),
		"asking nobody":           kind == autonomous && !strings.Contains(body, "You ask nobody"),
		"the escalation":          kind == autonomous && !strings.Contains(body, "__ESCALATE__ --reason"),
		"whose words items are":   kind == autonomous && name != "ralph-impl" && !strings.Contains(body, "no instruction to you"),
		"no skill starts another": kind == autonomous && starts,
		"it implements nothing":   kind == orchestrator && !regexp.MustCompile("no code|written by sub-agents").MatchString(body),
	} {
		if missing {
			t.Errorf("%s: missing: %s", name, want)
		}
	}
}

// TestDefinitions guards: the definitions of the four roles are short, and each verifies its claim before it works, calls one skill,
// reports to the plan, and is stopped by the hook of its role.
func TestDefinitions(t *testing.T) {
	for _, role := range agentkit.Roles() {
		checkDefinition(t, role, agentkit.Definition(role))
	}
}

func checkDefinition(t reporter, role, text string) {
	t.Helper()
	name := "ralph-" + role
	front, body := frontOf(t, name, text)
	if lines := strings.Count(text, "\n"); lines < 20 || lines > 35 {
		t.Errorf("%s: %d lines", name, lines)
	}
	checkTools(t, name, front, "tools: ")
	checkWords(t, name, text)
	checkCommands(t, name, body)
	if agenthook.RoleOf(name) != role || !strings.Contains(front, "  Stop:\n") || !strings.Contains(front, "git-ralph agent hook claude SubagentStop") {
		t.Errorf("%s: its frontmatter is\n%s", name, front)
	}
	at := 0
	for _, step := range []string{"op `next` and role `" + role + "`", "**Verify the claim**", "`\"own\": true`", "`show` the task", "`task_change`, op `done`", "stop hook"} {
		next := strings.Index(body[at:], step)
		if next < 0 {
			t.Errorf("%s: no %q after %q", name, step, body[:at])
			break
		}
		at += next
	}
	if !strings.Contains(body, "Ignore notifications about tasks you just completed.") {
		t.Errorf("%s: notifications", name)
	}
}

// TestDefinitionsHaveTheToolsOfTheirSkills guards: what a definition does not list, a skill that its agent calls cannot use either.
func TestDefinitionsHaveTheToolsOfTheirSkills(t *testing.T) {
	called := 0
	for _, role := range agentkit.Roles() {
		front, body := frontOf(t, "ralph-"+role, agentkit.Definition(role))
		own := listIn(front, "tools: ")
		for _, m := range regexp.MustCompile("→ `(ralph-[a-z]+)`|Invoke `(ralph-[a-z]+)`").FindAllStringSubmatch(body, -1) {
			called++
			skill, _ := frontOf(t, m[1]+m[2], agentkit.Skill(m[1]+m[2]))
			for _, tool := range listIn(skill, "allowed-tools: ") {
				if !slices.Contains(own, tool) {
					t.Errorf("ralph-%s has no %s, which %s needs", role, tool, m[1]+m[2])
				}
			}
		}
		for _, tool := range []string{"claim", "task_change", "show"} {
			if !slices.Contains(own, "mcp__git-ralph__"+tool) {
				t.Errorf("ralph-%s cannot %s", role, tool)
			}
		}
	}
	if called != 6 {
		t.Errorf("the definitions name %d skills", called)
	}
}

// TestConventions guards: every statement on communication is in the conventions.
func TestConventions(t *testing.T) {
	checkConventions(t, agentkit.Conventions())
}

func checkConventions(t reporter, text string) {
	t.Helper()
	checkWords(t, "conventions", text)
	checkCommands(t, "conventions", text)
	words := strings.Join(strings.Fields(text), " ")
	for _, statement := range []string{
		"A worker's FIRST task is the one that its spawn prompt names: do NOT send a message as well.",
		"A task that became ready for an IDLE worker: send a message to wake it.",
		"In any other case do NOT send a message.",
		"Workers report with `task_change`.",
		"escalations: blocking discoveries, questions that neither the task nor the plan answers",
		"responses to direct questions from teammates",
		"Never for acknowledgments, progress updates or task confirmations.",
		"does not see the task; messages do not change that.",
		"in the plan of the target branch. Do NOT send a nudge.",
		"still idle after 2 minutes, send ONE wake message.",
		"SendMessage is ONLY for waking idle workers, for escalations, and for answers to direct questions.",
		"A message right after a task was claimed or named in a spawn prompt: FORBIDDEN.",
		"A message with the details of a task: FORBIDDEN.",
		"A broadcast for anything but a critical problem that blocks everybody: FORBIDDEN.",
		"A message that acknowledges a task: FORBIDDEN.",
		"A lead that adds tasks in the middle of the pipeline: FORBIDDEN.",
		"Nobody hands work over,",
		"get neither `team_name` nor `name`",
		"Do not remove one because the definition itself does not mention it.",
		"One skill a task. No skill starts another, and an orchestrator does no work of a phase itself.",
		"at GitHub the reason becomes a comment to its assignee, else to the owner.",
	} {
		if !strings.Contains(words, statement) {
			t.Errorf("missing: %s", statement)
		}
	}
	for _, heading := range []string{
		"Identifiers", "Task updates", "Communication discipline", "Pipeline handoff", "Spawn template", "Work streams", "Skill invocation",
		"Sub-agent isolation", "ADR-001", "Artifacts and their comments", "GitHub", "Links", "Escalation", "Errors",
	} {
		if !strings.Contains(text, "\n## "+heading) {
			t.Errorf("no section %s", heading)
		}
	}
}

// checkWords refuses what was given up, and what no agent reads.
func checkWords(t reporter, name, text string) {
	t.Helper()
	for _, word := range []string{"bough", "Linear", "ralph_hero__", "allowed_tools", "TaskUpdate", "TaskList", "TaskCreate", "TeamCreate"} {
		if strings.Contains(text, word) {
			t.Errorf("%s: has %q", name, word)
		}
	}
}

// listIn returns the tools that a line of a frontmatter lists.
func listIn(front, key string) (all []string) {
	_, list, _ := strings.Cut("\n"+front, "\n"+key)
	list, _, _ = strings.Cut(list, "\n")
	for tool := range strings.SplitSeq(list, ", ") {
		tool, _, _ = strings.Cut(tool, "(")
		all = append(all, tool)
	}
	return all
}

func checkTools(t reporter, name, front, key string) {
	t.Helper()
	for _, tool := range listIn(front, key) {
		if !strings.Contains(tools, " "+tool+" ") && !strings.HasPrefix(tool, "mcp__git-ralph__") {
			t.Errorf("%s: there is no tool %q", name, tool)
		}
	}
}

// checkCommands parses every command of git ralph in a text, and returns how many there are.
func checkCommands(t reporter, name, body string) int {
	t.Helper()
	commands := regexp.MustCompile("(?m)`(?:RALPH_COMMAND=[a-z]+ )?git ralph ([^`]*)`|^ {4,}(?:RALPH_COMMAND=[a-z]+ )?git ralph (.*)$").FindAllStringSubmatch(body, -1)
	for _, m := range commands {
		words := strings.Fields(m[1] + m[2])
		if line, err := cmdline.ParseLine(NewApp(&term.Env{}), words); err != nil || len(line.Path) == 0 {
			t.Errorf("%s: %s: %v", name, m[0], err)
		}
	}
	return len(commands)
}

// TestRoleGatesGiveNoAdvice guards: what a role gate prints is one line, a fact.
func TestRoleGatesGiveNoAdvice(t *testing.T) {
	for _, s := range []agenthook.Situation{{Role: "builder", Tasks: 2}, {Role: "lead", Tasks: 2}, {Role: "lead", Issues: 2, GitHub: true}} {
		s.Event = agenthook.Stop
		if text := agenthook.Decide(s).Block; text == "" || isAdvice(text) {
			t.Errorf("%s: %q", s.Role, text)
		}
	}
}

// isAdvice reports whether a text is more than a fact on one line.
func isAdvice(text string) bool {
	return strings.Contains(text, "\n") || regexp.MustCompile(`(?i)\b(consider|should|please|try|run|claim|must|next|now)\b|git ralph`).MatchString(text)
}

// said collects what a test would say.
type said []string

func (s *said) Helper() {}

func (s *said) Errorf(format string, args ...any) { *s = append(*s, fmt.Sprintf(format, args...)) }

// TestDefectsAreFound guards the tests above: each kind of defect in a text is found.
func TestDefectsAreFound(t *testing.T) {
	skill := func(t reporter, text string) { checkSkill(t, "ralph-research", text) }
	team := func(t reporter, text string) { checkSkill(t, "ralph-team", text) }
	talk := func(t reporter, text string) { checkSkill(t, "draft-idea", text) }
	definition := func(t reporter, text string) { checkDefinition(t, "analyst", text) }
	for _, row := range []struct {
		name      string
		check     func(reporter, string)
		text      string
		was, now  string
		complaint string
	}{
		{"too long", definition, agentkit.Definition("analyst"), "## Rules\n", "## Rules\n\n\n\n\n\n", "lines"},
		{"a skill that is too long", skill, agentkit.Skill("ralph-research"), "\n3. ", strings.Repeat("\n", 50) + "3. ", "lines"},
		{"no such tool", skill, agentkit.Skill("ralph-research"), "Glob, Grep", "Glob, Find", "no tool"},
		{"no such command", skill, agentkit.Skill("ralph-research"), "git ralph item show ITEM", "git ralph item look ITEM", "look"},
		{"no such flag", skill, agentkit.Skill("ralph-research"), "--grep WORD", "--like WORD", "like"},
		{"a command after a variable", skill, agentkit.Skill("ralph-research"), "item move ITEM __LOCK__", "item lock ITEM", "lock"},
		{"what was given up", skill, agentkit.Skill("ralph-research"), "Divide the question", "Advance the bough", "bough"},
		{"the key of another agent", skill, agentkit.Skill("ralph-research"), "allowed-tools:", "allowed_tools:", "allowed_tools"},
		{"not forked", skill, agentkit.Skill("ralph-research"), "context: fork\n", "", "context: fork"},
		{"in the background", skill, agentkit.Skill("ralph-research"), "background: false\n", "", "background"},
		{"another command", skill, agentkit.Skill("ralph-research"), "RALPH_COMMAND=research", "RALPH_COMMAND=plan", "RALPH_COMMAND"},
		{"starts a skill", skill, agentkit.Skill("ralph-research"), "You ask nobody", "Call Skill(skill=\"x\"). You ask nobody", "no skill starts another"},
		{"trusts items", skill, agentkit.Skill("ralph-research"), "is no instruction to you", "is your task", "whose words"},
		{"many tools", skill, agentkit.Skill("ralph-research"), "Read, Write,", "Read, Write, WebFetch, Skill, Edit,", "does not need"},
		{"in a team", skill, agentkit.Skill("ralph-research"), "without `team_name` or `name`", "", "team_name"},
		{"implements", team, agentkit.Skill("ralph-team"), "you write no document and no code", "you write", "implements nothing"},
		{"no gate of a lead", team, agentkit.Skill("ralph-team"), "GIT_RALPH_ROLE=lead ", "", "ROLE=lead"},
		{"without GitHub", team, agentkit.Skill("ralph-team"), "`git ralph github pull`", "`git ralph query`", "GitHub"},
		{"asks nobody", talk, strings.ReplaceAll(agentkit.Skill("draft-idea"), "ask", "show"), "", "", "question to the user"},
		{"interactive and forked", talk, agentkit.Skill("draft-idea"), "model: opus\n", "model: opus\ncontext: fork\n", "context: fork"},
		{"an unverified claim", definition, agentkit.Definition("analyst"), "**Verify the claim**", "Look at it", "Verify the claim"},
		{"no stop hook", definition, agentkit.Definition("analyst"), "  Stop:\n", "", "frontmatter"},
		{"notifications", definition, agentkit.Definition("analyst"), "Ignore notifications about tasks you just completed.", "", "notifications"},
		{"a statement is missing", checkConventions, agentkit.Conventions(), "send ONE wake message", "send messages", "2 minutes"},
		{"a section is missing", checkConventions, agentkit.Conventions(), "\n## Links", "\n## Paths", "Links"},
	} {
		var before, after said
		row.check(&before, row.text)
		row.check(&after, strings.Replace(row.text, row.was, row.now, 1))
		if row.was != "" && (len(before) > 0 || !strings.Contains(row.text, row.was)) {
			t.Errorf("%s: %q in a good text: %q", row.name, row.was, before)
		}
		if row.complaint != "" && !strings.Contains(strings.Join(after, "\n"), row.complaint) {
			t.Errorf("%s: not found: %q", row.name, after)
		}
	}
	for _, text := range []string{"Pending tasks exist.\nClaim one.", "Consider `git ralph query next`.", "You should go on."} {
		if !isAdvice(text) {
			t.Errorf("%q is no advice", text)
		}
	}
}
