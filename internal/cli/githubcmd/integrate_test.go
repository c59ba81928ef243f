package githubcmd_test

import (
	"strings"
	"testing"

	"git-ralph/internal/test/githubserver"
)

// planOnMain has the plan on main, where it is not pushed yet, and no target set. It returns its commit.
func (p *puller) planOnMain() string {
	p.Git("config", "--unset", "ralph.target")
	p.Git("config", "ralph.github.pulls", "true")
	p.Git("switch", "-q", "main")
	p.Git("merge", "-q", "plan")
	return strings.TrimSpace(p.Git("rev-parse", "main"))
}

// setting returns a setting of the clone, "" where it is not there.
func (p *puller) setting(key string) string {
	out, _ := p.TryGit("config", "--local", key) //nolint:errcheck // it may not be there
	return strings.TrimSpace(out)
}

// TestIntegrate guards: where the default branch is protected, the plan gets a branch here and at the remote, which is the target, once;
// elsewhere nothing is changed, and a branch that is there is never overwritten.
func TestIntegrate(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	head := p.planOnMain()
	p.must(3, "github", "integrate")
	if p.atOrigin("ralph-integration") != "" || p.setting("ralph.target") != "" {
		t.Error("main is not protected, and yet something was changed")
	}
	p.server.Protected["main"] = &githubserver.Protection{Reviews: 1}
	for _, name := range []string{"main", "a..b", ""} {
		p.must(2, "github", "integrate", name)
	}
	p.must(0, "github", "integrate")
	if p.atOrigin("ralph-integration") != head || p.setting("ralph.target") != "ralph-integration" || p.setting("ralph.github.protected") != "main" {
		t.Errorf("%s, target %q, protected %q", p.atOrigin("ralph-integration"), p.setting("ralph.target"), p.setting("ralph.github.protected"))
	}
	p.must(3, "github", "integrate")
	p.must(3, "github", "integrate", "ralph-integration")

	p.Git("config", "--unset", "ralph.target") // as in another clone, whose main is older
	p.Git("branch", "-q", "-D", "ralph-integration")
	p.Git("reset", "-q", "--hard", "origin/main")
	p.must(0, "github", "integrate")
	if got := strings.TrimSpace(p.Git("rev-parse", "ralph-integration")); got != head || p.setting("ralph.target") != "ralph-integration" {
		t.Errorf("at %s, want %s; target %q", got, head, p.setting("ralph.target"))
	}

	other := p.stranger("main") // at GH-42 of the remote
	if out := p.must(1, "github", "integrate", "GH-42"); p.atOrigin("GH-42") != other || p.setting("ralph.target") != "ralph-integration" {
		t.Errorf("%s\nat %s, target %q", out, p.atOrigin("GH-42"), p.setting("ralph.target"))
	}
}

// TestProtectedTarget guards: what GitHub said is kept, and the plan is not extended for a target that is protected; where nothing is known,
// or pull requests are off, nobody is kept from it.
func TestProtectedTarget(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	p.planOnMain()
	p.server.Protected["main"] = &githubserver.Protection{Reviews: 1}
	p.must(0, "pipeline", "plan", "GH-42")
	p.run(t.Context(), "github", "pull")
	if p.setting("ralph.github.protected") != "main" {
		t.Error("pull has not kept that main is protected")
	}
	if out := p.must(2, "pipeline", "plan", "GH-42"); !strings.Contains(out, "main is protected") || !strings.Contains(out, "git ralph github integrate") {
		t.Error(out)
	}
	delete(p.server.Protected, "main")
	p.must(0, "github", "pr", "advance")
	if got := p.setting("ralph.github.protected"); got != "" {
		t.Errorf("protected %q", got)
	}
	p.Git("config", "ralph.github.protected", "main")
	p.Git("config", "ralph.github.pulls", "false")
	p.must(0, "pipeline", "plan", "GH-42")
}

// TestBaseMovesAlone guards: the target follows the base also while nothing is due, and GitHub is not asked for that.
func TestBaseMovesAlone(t *testing.T) {
	t.Parallel()
	p := newPuller(t)
	p.must(0, "github", "pr", "advance")
	p.must(3, "github", "pr", "advance")
	p.Git("switch", "-q", "--detach", "origin/main")
	p.Commit("of somebody", map[string]string{"new.txt": "of the base\n"})
	p.Git("push", "-q", "origin", "HEAD:main")
	p.Git("switch", "-q", "plan")
	p.server.Requests()
	p.must(0, "github", "pr", "advance")
	if sent := p.server.Requests(); !p.Exists("new.txt") || len(sent) > 0 {
		t.Errorf("sent %q\n%s", sent, p.Git("log", "--oneline", "--graph"))
	}
	p.must(3, "github", "pr", "advance")
}
