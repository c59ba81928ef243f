package git_test

import (
	"os"
	"slices"
	"testing"

	"git-ralph/internal/git/gittest"
)

// dirty leaves one of everything that a user may have lying about.
func dirty(r *gittest.Repo) {
	r.WriteFile("modified", "changed\n")
	r.WriteFile("staged", "changed\n")
	r.Git("add", "staged")
	r.WriteFile("partly", "changed\n2\n3\n4\n5\n6\n7\n8\n9\n")
	r.Git("add", "partly")
	r.WriteFile("partly", "changed\n2\n3\n4\n5\n6\n7\n8\nchanged too\n")
	r.WriteFile("untracked", "new\n")
	r.WriteFile("intended", "new\n")
	r.Git("add", "-N", "intended")
	r.Remove("deleted")
	r.Git("rm", "-q", "--cached", "unstaged")
}

func userFiles() map[string]string {
	return map[string]string{
		"modified": "x\n", "staged": "x\n", "partly": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "deleted": "x\n", "unstaged": "x\n",
		"clean": "x\n", "ralph-b": "x\n", "ralph.c": "x\n", "deep/er/file": "x\n",
	}
}

// environments are the kinds of repository that a change must work in, each made from a fresh repository with the
// user's files committed.
var environments = []struct {
	name string
	args []string // of git init
	make func(*gittest.Repo) *gittest.Repo
}{
	{"plain", nil, nil},
	{"sha256", []string{"--object-format=sha256"}, nil},
	{"detached", nil, func(r *gittest.Repo) *gittest.Repo { r.Git("checkout", "-q", "--detach"); return r }},
	{"linked worktree", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("worktree", "add", "-q", "-b", "side", "../linked")
		return r.At("../linked")
	}},
	{"worktree config", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("config", "extensions.worktreeConfig", "true")
		r.Git("config", "--worktree", "core.autocrlf", "false")
		return r
	}},
	{"submodule", nil, func(r *gittest.Repo) *gittest.Repo {
		super := r.At("../super")
		r.Git("init", "-q", "-b", "main", super.Dir)
		super.Git("submodule", "--quiet", "add", r.Dir, "sub")
		super.Git("commit", "-q", "-m", "add submodule")
		return super.At("sub")
	}},
	{"split index", nil, func(r *gittest.Repo) *gittest.Repo { r.Git("update-index", "--split-index"); return r }},
	{"index version 4", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("config", "index.version", "4")
		r.Git("update-index", "--index-version", "4")
		return r
	}},
	{"untracked cache", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("update-index", "--force-untracked-cache")
		r.Git("status")
		return r
	}},
	{"cone sparse checkout", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("sparse-checkout", "set", "--cone", "ralph")
		return r
	}},
	{"cone sparse checkout without the plan", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("sparse-checkout", "set", "--cone", "deep")
		return r
	}},
	{"sparse index", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("sparse-checkout", "set", "--cone", "--sparse-index", "ralph")
		return r
	}},
	{"sparse index without the plan", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("sparse-checkout", "set", "--cone", "--sparse-index", "deep")
		return r
	}},
	{"plain sparse checkout without the plan", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("sparse-checkout", "set", "--no-cone", "/*", "!/ralph/")
		return r
	}},
	{"assume unchanged", nil, func(r *gittest.Repo) *gittest.Repo {
		if r.Exists(plan) {
			r.Git("update-index", "--assume-unchanged", plan)
		}
		return r
	}},
	{"hooks path", nil, func(r *gittest.Repo) *gittest.Repo {
		for _, hook := range []string{"pre-commit", "commit-msg", "prepare-commit-msg", "post-commit"} {
			r.WriteFile("../hooks/"+hook, "#!/bin/sh\nexit 1\n")
			if err := os.Chmod(r.Path("../hooks/"+hook), 0o777); err != nil {
				panic(err)
			}
		}
		r.Git("config", "core.hooksPath", r.Path("../hooks"))
		return r
	}},
	{"fsmonitor hook", nil, func(r *gittest.Repo) *gittest.Repo {
		r.WriteFile("../monitor", "#!/bin/sh\nprintf 'token\\0/\\0'\n")
		if err := os.Chmod(r.Path("../monitor"), 0o777); err != nil {
			panic(err)
		}
		r.Git("config", "core.fsmonitor", r.Path("../monitor"))
		r.Git("update-index", "--fsmonitor")
		return r
	}},
	{"everything synced", nil, func(r *gittest.Repo) *gittest.Repo { r.Git("config", "core.fsync", "all"); return r }},
	{"shallow clone", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("clone", "-q", "--depth=1", "file://"+r.Dir, "../shallow")
		return r.At("../shallow")
	}},
	{"partial clone", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("config", "uploadpack.allowFilter", "true")
		r.Git("clone", "-q", "--filter=blob:none", "file://"+r.Dir, "../partial")
		return r.At("../partial")
	}},
	{"shared clone", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("clone", "-q", "--shared", r.Dir, "../borrowed")
		return r.At("../borrowed")
	}},
	{"replaced", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("replace", "HEAD", r.Git("commit-tree", "-m", "replaced", "HEAD^{tree}"))
		return r
	}},
	{"packed", nil, func(r *gittest.Repo) *gittest.Repo { r.Git("gc", "-q"); return r }},
	{"line ends", nil, func(r *gittest.Repo) *gittest.Repo { r.Git("config", "core.autocrlf", "true"); return r }},
	{"filter", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("config", "filter.upper.clean", "tr a-z A-Z")
		r.Git("config", "filter.upper.smudge", "tr A-Z a-z")
		r.WriteFile(".git/info/attributes", "*.jsonl filter=upper\n")
		return r
	}},
	{"shared permissions", []string{"--shared=group"}, nil},
	{"odd names", nil, func(r *gittest.Repo) *gittest.Repo {
		r.Git("worktree", "add", "-q", "-b", "ümläut/ö", "../with space ü")
		return r.At("../with space ü")
	}},
}

// eachEnvironment runs a check in every environment. What our goroutines do differs by where objects and index are read
// from, so that a short run, under the race detector, is content with a few.
func eachEnvironment(t *testing.T, planThere bool, check func(t *testing.T, r *gittest.Repo)) {
	concurrent := []string{"plain", "packed", "split index", "linked worktree", "filter"}
	for _, env := range environments {
		if testing.Short() && !slices.Contains(concurrent, env.name) {
			continue
		}
		t.Run(env.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t, env.args...)
			files := userFiles()
			if planThere {
				files[plan] = "old\n"
			}
			r.Commit("first", files)
			if env.make != nil {
				r = env.make(r)
			}
			check(t, r)
		})
	}
}
