package commit_test

import (
	"errors"
	"os"
	"testing"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/test/gittest"
)

// docs/promises.md: author, committer, zone and encoding are as the user's own `git commit` would make them.
func TestIdentityIsGits(t *testing.T) {
	type repo = gittest.Repo
	for name, make := range map[string]func(*repo) *repo{
		"configured": func(r *repo) *repo { return r },
		"role settings": func(r *repo) *repo {
			r.Git("config", "author.name", "An Author")
			r.Git("config", "committer.email", "c@example.com")
			return r
		},
		"environment": func(r *repo) *repo {
			return r.Setenv("GIT_AUTHOR_NAME", "Env Ümlaut").Setenv("GIT_COMMITTER_EMAIL", "env@example.com")
		},
		"crud":        func(r *repo) *repo { r.Git("config", "user.name", " .Crud <x> Name, "); return r },
		"date":        func(r *repo) *repo { return r.Setenv("GIT_AUTHOR_DATE", "2020-02-02T02:02:02 +0300") },
		"zone":        func(r *repo) *repo { return r.Setenv("TZ", "Asia/Kolkata") },
		"odd zone":    func(r *repo) *repo { return r.Setenv("TZ", "<+0330>-3:30") },
		"no zone":     func(r *repo) *repo { return r.Setenv("TZ", "") },
		"encoding":    func(r *repo) *repo { r.Git("config", "i18n.commitEncoding", "ISO-8859-1"); return r },
		"empty email": func(r *repo) *repo { r.Git("config", "user.email", ""); return r },
		"conditional": func(r *repo) *repo {
			r.Git("config", "--global", "includeIf.gitdir:"+r.Dir+"/.path", "work")
			r.WriteFile("../home/work", "[user]\n\temail = at@work\n")
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			r.Commit("first", map[string]string{plan: "old\n"})
			r = make(r)
			if err := change(mustOpen(t, r), plan, "new\n", "ralph: ü"); err != nil {
				t.Fatal(err)
			}
			const format = "%an|%ae|%cn|%ce|%s"
			ours, zone := r.Git("log", "-1", "--format="+format), zones(r)
			r.Git("-c", "i18n.commitEncoding=UTF-8", "commit", "-q", "--allow-empty", "-m", "ralph: ü")
			if theirs := r.Git("log", "-1", "--format="+format); ours != theirs || zone != zones(r) {
				t.Errorf("ours  %s %s\ngit's %s %s", ours, zone, theirs, zones(r))
			}
			r.Fsck()
		})
	}
}

// zones returns the zones of author and committer.
func zones(r *gittest.Repo) string { return r.Git("log", "-1", "--format=%ad %cd", "--date=format:%z") }

// No identity, or a signature that fails: git's own words, and nothing has happened.
func TestCommitRefused(t *testing.T) {
	for name, config := range map[string][]string{
		"no identity":  {"user.useConfigOnly", "true"},
		"no signature": {"commit.gpgSign", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			head := r.Commit("first", map[string]string{plan: "old\n"})
			r.Git("config", config[0], config[1])
			r.Git("config", "gpg.program", "false")
			if name == "no identity" {
				r.Git("config", "--global", "--remove-section", "user")
			}
			before := r.State()
			err := begin(t, r).Prepare([]byte("new\n"), "m")
			if !errors.Is(err, commit.ErrCommitRefused) || len(err.Error()) < 40 {
				t.Errorf("got %v", err)
			}
			if r.Git("rev-parse", "HEAD") != head || r.State() != before {
				t.Error("something changed")
			}
		})
	}
}

func TestSignedWithSSH(t *testing.T) {
	r := gittest.NewRepo(t)
	r.NeedVersion(2, 34)
	if _, err := r.Run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", r.Path("../key")); err != nil {
		t.Skip("needs ssh-keygen")
	}
	r.Commit("first", map[string]string{plan: "old\n"})
	public, err := os.ReadFile(r.Path("../key.pub"))
	if err != nil {
		t.Fatal(err)
	}
	r.WriteFile("../signers", "author@example.com "+string(public))
	for key, value := range map[string]string{
		"commit.gpgSign": "true", "gpg.format": "ssh", "user.signingKey": r.Path("../key.pub"), "gpg.ssh.allowedSignersFile": r.Path("../signers"),
	} {
		r.Git("config", key, value)
	}
	if err := change(mustOpen(t, r), plan, "new\n", "ralph: signed"); err != nil {
		t.Fatal(err)
	}
	r.Git("verify-commit", "HEAD")
}
