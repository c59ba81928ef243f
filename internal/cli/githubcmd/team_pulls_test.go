//go:build unix

package githubcmd_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/test/githubserver"
)

// pullScenario is an agent that plans an item, approves the plan, and implements it.
const pullScenario = `BUILD t-w-7bf0-plan
  write thoughts/plan.md how
  report {"artifact": "thoughts/plan.md"}
BUILD t-w-7bf0-review
  write thoughts/review.md good
  report {"verdict": "APPROVED", "artifact": "thoughts/review.md"}
BUILD t-w-7bf0-implement
  write lex.txt two
  report {"verdict": "done", "files": ["lex.txt"]}
always VERIFY
  pass
`

// planned is a puller whose item is Ready for Plan, with agents, and checks that have to pass.
func planned(t *testing.T, scenario string) *puller {
	p := newPuller(t)
	p.Git("branch", "-q", "-D", "GH-42")
	p.server.Protected["main"] = &githubserver.Protection{Checks: true}
	p.Repo = p.Setenv("PATH", newUser(t).Getenv("PATH")).Setenv(realClock, "1").Setenv("GIT_RALPH_TEST_GITHUB_PAUSE", "200ms")
	p.WriteFile("../scenario", scenario)
	for key, value := range map[string]string{
		"ralph.github.pulls": "true", "ralph.grace": "200ms", "ralph.warnInstall": "false",
		"ralph.agent": "scripted-agent '" + filepath.Join(filepath.Dir(p.Dir), "scenario") + "'",
	} {
		p.Git("config", key, value)
	}
	p.Commit("item", map[string]string{"ralph/plan.jsonl": `{"t": "item", "id": "w-7bf0", "number": 42, "name": "Lex", "state": "Ready for Plan", "created_at": "2026-01-01T00:00:00.000Z"}` + "\n"})
	p.must(0, "trust", "--yes")
	return p
}

// start starts a program in the repository.
func (p *puller) start(args ...string) (c *exec.Cmd, out *bytes.Buffer) {
	p.t.Helper()
	bin, _, _ := strings.Cut(p.Getenv("PATH"), ":")
	c, out = exec.Command(filepath.Join(bin, "git-ralph"), args...), &bytes.Buffer{}
	c.Dir, c.Env, c.Stdout, c.Stderr = p.Dir, p.Env, out, out
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	return c, out
}

// approve is a person: once a pull request waits, its checks pass. It reports whether one did.
func (p *puller) approve(ended <-chan struct{}) bool {
	for {
		select {
		case <-ended:
			return false
		case <-time.After(100 * time.Millisecond):
		}
		out, _ := p.TryGit("show", "plan:ralph/plan.jsonl") //nolint:errcheck // it is there
		if !strings.Contains(out, "waits: ") {
			continue
		}
		p.server.Do(func() { p.server.Pulls[0].SetChecks(p.atOrigin("GH-42"), "SUCCESS") })
		return true
	}
}

// TestTeamsMergePulls guards: an item goes from Ready for Plan to Done with a team whose roster is auto, and with a hero, and a pull request that
// has to wait for its checks: one pull request, one merge, and Implement is accepted after that.
func TestTeamsMergePulls(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"team run --roster auto GH-42", "hero GH-42"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			p := planned(t, pullScenario)
			c, out := p.start(strings.Fields(command)...)
			ended := make(chan struct{})
			late := time.AfterFunc(time.Minute, func() { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }) //nolint:errcheck // it has ended then
			defer late.Stop()
			go func() { c.Wait(); close(ended) }() //nolint:errcheck // its exit code says it
			waited := p.approve(ended)
			<-ended
			if code := c.ProcessState.ExitCode(); code != 0 || !waited {
				t.Errorf("exit code %d, waited: %v", code, waited)
			}
			p.checkMerged()
			if t.Failed() {
				t.Fatalf("%s\n%s\n%s", out, p.plan(), p.Git("log", "--format=%s%n%b", "plan"))
			}
		})
	}
}

// checkMerged looks at what is left of an item whose pull request was merged.
func (p *puller) checkMerged() {
	p.t.Helper()
	plan, log := p.plan(), p.Git("log", "--format=%B", "plan")
	if len(p.server.Pulls) != 1 || !p.server.Pulls[0].Merged || p.ReadFile("lex.txt") != "two\n" || strings.Contains(plan, `"t": "task"`) ||
		strings.Contains(plan, `"t": "issue"`) || !strings.Contains(plan, `"state": "Done"`) {
		p.t.Errorf("%d pull requests", len(p.server.Pulls))
	}
	if n := strings.Count(log, "Ralph-Event: accepted t-w-7bf0-implement "); n != 1 {
		p.t.Errorf("Implement was accepted %d times", n)
	}
	if out := p.Git("for-each-ref", "refs/ralph/claims"); out != "" {
		p.t.Errorf("claims are left: %s", out)
	}
}
