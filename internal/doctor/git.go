package doctor

import (
	"context"
	"fmt"
	"os"
	"time"

	"git-ralph/internal/git/commit"
)

// The oldest git that works with us.
const (
	oldestMajor = 2
	oldestMinor = 30
)

// git checks the version of git, and what killed commands left in the repository.
func (p Repository) git(ctx context.Context) ([]Finding, error) {
	repo := p.Store.Repo()
	major, minor, err := repo.Version(ctx)
	if err != nil {
		return nil, err
	}
	version := Finding{Name: "git", Level: Fine, Cause: fmt.Sprintf("version %d.%d", major, minor)}
	if major < oldestMajor || major == oldestMajor && minor < oldestMinor {
		version.Level, version.Repair = Error, fmt.Sprintf("install git %d.%d or later", oldestMajor, oldestMinor)
	}
	findings := []Finding{version}
	if p.Store.Interrupted() {
		findings = append(findings, Finding{
			Name: "interrupted change", Level: Warning, Cause: "a command was killed after it wrote the plan and before it committed it",
			Repair: "the next change of the plan commits it first", Remedy: Recover,
		})
	}
	if commit.LeftFastForward(repo) {
		findings = append(findings, Finding{
			Name: "interrupted landing", Level: Warning, Cause: "a landing was killed while it updated the files of this worktree",
			Repair: "the next landing into this branch ends it, and keeps what you have changed", Remedy: EndLanding,
		})
	}
	lock := repo.IndexPath() + ".lock"
	if info, err := os.Stat(lock); err == nil {
		findings = append(findings, Finding{
			Name: "index.lock", Level: Warning,
			Cause:  fmt.Sprintf("%s exists, %s old", lock, p.Now.Sub(info.ModTime()).Round(time.Second)),
			Repair: "wait for the git command that made it; if none is running, a crash left it behind: remove it",
		})
	}
	return findings, nil
}
