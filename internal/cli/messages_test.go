package cli

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// A messageCase is a command line, and all that it prints on standard error.
type messageCase struct {
	line string
	code int
	want string
}

// TestMessages guards: a message says what is invalid, the value, and what is accepted or what to do.
func TestMessages(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow, `{"t": "issue", "id": "i-1a2b", "spec": "coverage.md", "desc": "Found"}`)
	r.WriteFile("ralph/specs/coverage.md", "spec\n")
	env := terminalEnv(r)
	env.Colour, env.Environ, env.Random = false, append(env.Environ, "GIT_PAGER=cat"), rand.IntN
	checkMessages(t, env, []messageCase{
		// Commands and flags.
		{"rm t-1a2b", cmdline.ExitUsage, "error: unknown command \"rm\"\nhint: did you mean `git ralph task cancel`?"},
		{"ls", cmdline.ExitUsage, "error: unknown command \"ls\"\nhint: did you mean `git ralph task list`?"},
		{"task rm t-1a2b", cmdline.ExitUsage, "error: unknown command \"rm\" of git ralph task\nhint: did you mean `git ralph task cancel`?"},
		{"issue close i-1a2b", cmdline.ExitUsage, "error: unknown command \"close\" of git ralph issue\nhint: did you mean `git ralph issue done`?"},
		{"nxt", cmdline.ExitUsage, "error: unknown command \"nxt\"\nhint: did you mean `git ralph next`?"},
		{"frobnicate", cmdline.ExitUsage, "error: unknown command \"frobnicate\"\nhint: `git ralph help` lists the commands"},
		{"task add x --prio high", cmdline.ExitUsage, "error: unknown flag --prio of git ralph task add\nhint: did you mean --priority?"},
		{"build -max-cost 3", cmdline.ExitUsage, "error: invalid flag -max-cost: a long flag begins with two hyphens\nhint: did you mean --max-cost?"},
		{"task done -message=x", cmdline.ExitUsage, "error: invalid flag -message: a long flag begins with two hyphens\nhint: did you mean --message?"},
		{"log --limit x", cmdline.ExitUsage, "error: invalid number \"x\" for --limit: want a whole number\nhint: `git ralph help log` shows how it is used"},
		{"query --json=maybe", cmdline.ExitUsage, "error: invalid value \"maybe\" for --json: want true or false\nhint: `git ralph help query` shows how it is used"},
		// Amounts and durations.
		{"build --max-cost 3x", cmdline.ExitUsage, "error: invalid amount \"3x\": want a number of dollars, such as 2.50\nhint: `git ralph help build` shows how it is used"},
		{"build --max-cost -3", cmdline.ExitUsage, "error: invalid amount \"-3\": want a number of dollars, such as 2.50\nhint: `git ralph help build` shows how it is used"},
		{"build --max-cost NaN", cmdline.ExitUsage, "error: invalid amount \"NaN\": want a number of dollars, such as 2.50\nhint: `git ralph help build` shows how it is used"},
		{"build --max-time 3x", cmdline.ExitUsage, "error: invalid duration \"3x\": want one such as 90m or 8h\nhint: `git ralph help build` shows how it is used"},
		{"build --max-iterations -1", cmdline.ExitUsage, "error: invalid number -1 for --max-iterations: want 0 or more\nhint: `git ralph help build` shows how it is used"},
		{"build --stage VERFIY", cmdline.ExitUsage, "error: invalid stage \"VERFIY\": want BUILD, DECOMPOSE, VERIFY or INVESTIGATE\nhint: `git ralph help build` shows how it is used"},
		{"logs 0", cmdline.ExitUsage, "error: no such iteration: 0; iterations are numbered from 1\nhint: `git ralph help logs` shows how it is used"},
		{"logs --json", cmdline.ExitUsage, "error: --json needs --list; --raw prints a log as the agent did\nhint: `git ralph help logs` shows how it is used"},
		{"prime --json", cmdline.ExitUsage, "error: unknown flag --json of git ralph prime\nhint: `git ralph help prime` shows how it is used"},
		{"logs one", cmdline.ExitUsage, "error: invalid iteration \"one\": want its number\nhint: `git ralph help logs` shows how it is used"},
		// Ids and values.
		{"task add x --dep t-zzzz", cmdline.ExitFailed, "error: field \"deps\" names \"t-zzzz\": no such task or issue in the plan\nhint: `git ralph task list` and `git ralph issue list` show the ids there are"},
		{"task show t-zzzz", cmdline.ExitFailed, "error: no such task in the plan: t-zzzz\nhint: `git ralph task list` shows the ids there are"},
		{"issue done i-zzzz", cmdline.ExitFailed, "error: no such issue in the plan: i-zzzz\nhint: `git ralph issue list` shows the ids there are"},
		{"show t-zzzz", cmdline.ExitFailed, "error: no such task, issue or item: t-zzzz\nhint: `git ralph log --all` shows all that there were"},
		{"task add x --priority urgent", cmdline.ExitUsage, "error: field \"priority\" is \"urgent\", expected one of high, medium, low\nhint: `git ralph help task add` shows how it is used"},
		{"task edit t-1a2b {\"done_at\":1}", cmdline.ExitFailed, "error: field \"done_at\" cannot be edited; use `task done`"},
		{"task edit t-1a2b {\"s\":\"d\"}", cmdline.ExitFailed, "error: field \"s\" cannot be edited; use `task done`"},
		{"task edit t-1a2b {\"kill\":\"x\"}", cmdline.ExitFailed, "error: field \"kill\" cannot be edited; use `task kill`"},
		{"task edit t-1a2b --name x", cmdline.ExitNothing, "error: t-1a2b already has that value"},
		{"log --grep nowhere", cmdline.ExitDone, "hint: no matching events"},
		{"task list --search nowhere", cmdline.ExitDone, "hint: no matching tasks"},
		// Empty ids.
		{"task reject @ bad", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help task reject` shows how it is used"},
		{"restore @", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help restore` shows how it is used"},
		{"task done @", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help task done` shows how it is used"},
		{"task edit @ --name y", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help task edit` shows how it is used"},
		{"issue done @", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help issue done` shows how it is used"},
		{"show @", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help show` shows how it is used"},
		{"log @", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help log` shows how it is used"},
		{"task kill @ timeout", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help task kill` shows how it is used"},
		{"task decompose @ x", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help task decompose` shows how it is used"},
		{"task cancel @", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help task cancel` shows how it is used"},
		{"task accept @", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help task accept` shows how it is used"},
		{"task show @", cmdline.ExitUsage, "error: the id is empty: want one such as t-1a2b\nhint: `git ralph help task show` shows how it is used"},
		// Members of JSON whose names are nearly known.
		{"task add {\"name\":\"x\",\"dep\":[]} --dry-run", cmdline.ExitDone, "warning: field \"dep\" is not known and is kept as it is; did you mean \"deps\"?"},
		{"task add [{\"name\":\"x\",\"accept\":\"./run.sh\",\"note\":\"y\"},{\"name\":\"z\",\"accept\":\"./run.sh\",\"prio\":\"low\"}] --dry-run", cmdline.ExitDone, "warning: task 1: field \"note\" is not known and is kept as it is; did you mean \"notes\"?\nwarning: task 2: field \"prio\" is not known and is kept as it is; did you mean \"priority\"?"},
		{"issue add {\"desc\":\"y\",\"label\":[]} --dry-run", cmdline.ExitDone, "warning: field \"label\" is not known and is kept as it is; did you mean \"labels\"?"},
		{"task edit t-1a2b {\"prioritty\":\"low\"} --dry-run", cmdline.ExitDone, "warning: field \"prioritty\" is not known and is kept as it is; did you mean \"priority\"?"},
		{"task add {\"name\":\"x\",\"estimate\":3} --dry-run", cmdline.ExitDone, ""},
	})
}

// checkMessages runs command lines, in which @ stands for an empty argument.
func checkMessages(t *testing.T, env *term.Env, cases []messageCase) {
	t.Helper()
	for _, it := range cases {
		args := strings.Fields(it.line)
		for i, arg := range args {
			args[i] = strings.ReplaceAll(arg, "@", "")
		}
		_, errs, code := runIn(t, env, args...)
		want := ""
		for line := range strings.Lines(it.want) {
			want += "git-ralph: " + strings.TrimSpace(line) + "\n"
		}
		if code != it.code || errs != want {
			t.Errorf("%s: exit code %d, want %d\n%swant\n%s", it.line, code, it.code, errs, want)
		}
	}
}

// TestMessagesOfPlaces guards: what is wrong with a repository or its plan is named, with what helps.
func TestMessagesOfPlaces(t *testing.T) {
	bare := gittest.NewRepo(t, "--bare")
	env := terminalEnv(bare)
	checkMessages(t, env, []messageCase{
		{"status", cmdline.ExitFailed, "error: this repository is bare and has no commit: there is no plan to read\nhint: push a branch that holds a plan to it"},
		{"init", cmdline.ExitFailed, "error: this repository is bare: it has no worktree with a plan to change\nhint: run it in a worktree: `git worktree add` makes one"},
		{"task add x", cmdline.ExitFailed, "error: this repository is bare: it has no worktree with a plan to change\nhint: run it in a worktree: `git worktree add` makes one"},
	})

	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	env = terminalEnv(r)
	checkMessages(t, env, []messageCase{
		{"build --stage VERIFY", cmdline.ExitNothing, "error: nothing to do: the plan is in BUILD, not in VERIFY"},
	})
	r.WriteFile("ralph/plan.jsonl", specRow+"\ngarbage\n")
	checkMessages(t, env, []messageCase{
		{"status", cmdline.ExitInvalid, "error: ralph/plan.jsonl:2:1: invalid JSON: unexpected 'g', expected an object\nhint: correct the line; `git ralph doctor --fix` repairs what it can and names the last valid plan"},
	})
	r.WriteFile("ralph/plan.jsonl", specRow+"\n"+openRow+"\n"+openRow+"\n")
	checkMessages(t, env, []messageCase{
		{"task done", cmdline.ExitInvalid, "error: ralph/plan.jsonl:3:21: id is used twice: task t-1a2b is also on line 2, expected each id once\nhint: `git ralph resolve --all` makes a valid plan of it"},
	})
	r.WriteFile("ralph/plan.jsonl", "<<<<<<< HEAD\n"+openRow+"\n=======\n>>>>>>> x\n")
	if _, errs, code := runIn(t, env, "status"); code != cmdline.ExitInvalid || !strings.HasSuffix(errs, "git-ralph: hint: `git ralph resolve --all` makes a valid plan of it\n") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestMessageOfReadOnlyDirectory guards: a directory in which nothing can be written is named.
func TestMessageOfReadOnlyDirectory(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("everything can be written by this user")
	}
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	dir := r.Dir + "/ralph"
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755) //nolint:errcheck // it is removed with the test
	checkMessages(t, terminalEnv(r), []messageCase{
		{"task done", cmdline.ExitFailed, "error: cannot write in the directory ralph: permission denied\nhint: nothing was changed; make it writable, or run git ralph as the user who owns it"},
	})
}
