package gittest

import (
	"os"
	"slices"
)

// UserFiles are what the user has committed before.
func UserFiles() map[string]string {
	return map[string]string{
		"modified": "x\n", "staged": "x\n", "partly": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "deleted": "x\n", "unstaged": "x\n",
		"clean": "x\n", "ralph-b": "x\n", "ralph.c": "x\n", "deep/er/file": "x\n",
	}
}

// Environment is a kind of repository.
type Environment struct {
	Name string
	Args []string          // of git init
	Make func(*Repo) *Repo // from a fresh repository with the user's files committed; nil for the plain one
}

// Environments are the kinds of repository that everything must work in.
func Environments() []Environment {
	return slices.Concat(worktreeEnvironments(), storageEnvironments(), fileEnvironments())
}

func worktreeEnvironments() []Environment {
	return []Environment{
		{"plain", nil, nil},
		{"sha256", []string{"--object-format=sha256"}, nil},
		{"detached", nil, func(r *Repo) *Repo { r.Git("checkout", "-q", "--detach"); return r }},
		{"linked worktree", nil, func(r *Repo) *Repo {
			r.Git("worktree", "add", "-q", "-b", "side", "../linked")
			return r.At("../linked")
		}},
		{"worktree config", nil, func(r *Repo) *Repo {
			r.Git("config", "extensions.worktreeConfig", "true")
			r.Git("config", "--worktree", "core.autocrlf", "false")
			return r
		}},
		{"submodule", nil, func(r *Repo) *Repo {
			super := r.At("../super")
			r.Git("init", "-q", "-b", "main", super.Dir)
			super.Git("submodule", "--quiet", "add", r.Dir, "sub")
			super.Git("commit", "-q", "-m", "add submodule")
			return super.At("sub")
		}},
		{"split index", nil, func(r *Repo) *Repo { r.Git("update-index", "--split-index"); return r }},
		{"index version 4", nil, func(r *Repo) *Repo {
			r.Git("config", "index.version", "4")
			r.Git("update-index", "--index-version", "4")
			return r
		}},
		{"untracked cache", nil, func(r *Repo) *Repo {
			r.Git("update-index", "--force-untracked-cache")
			r.Git("status")
			return r
		}},
		{"cone sparse checkout", nil, func(r *Repo) *Repo {
			r.Git("sparse-checkout", "set", "--cone", "ralph")
			return r
		}},
		{"cone sparse checkout without the plan", nil, func(r *Repo) *Repo {
			r.Git("sparse-checkout", "set", "--cone", "deep")
			return r
		}},
		{"sparse index", nil, func(r *Repo) *Repo {
			r.Git("sparse-checkout", "set", "--cone", "--sparse-index", "ralph")
			return r
		}},
		{"sparse index without the plan", nil, func(r *Repo) *Repo {
			r.Git("sparse-checkout", "set", "--cone", "--sparse-index", "deep")
			return r
		}},
		{"plain sparse checkout without the plan", nil, func(r *Repo) *Repo {
			r.Git("sparse-checkout", "set", "--no-cone", "/*", "!/ralph/")
			return r
		}},
	}
}

func storageEnvironments() []Environment {
	return []Environment{
		{"assume unchanged", nil, func(r *Repo) *Repo {
			if r.Exists("ralph/plan.jsonl") {
				r.Git("update-index", "--assume-unchanged", "ralph/plan.jsonl")
			}
			return r
		}},
		{"hooks path", nil, func(r *Repo) *Repo {
			for _, hook := range []string{"pre-commit", "commit-msg", "prepare-commit-msg", "post-commit"} {
				r.WriteFile("../hooks/"+hook, "#!/bin/sh\nexit 1\n")
				if err := os.Chmod(r.Path("../hooks/"+hook), 0o777); err != nil {
					panic(err)
				}
			}
			r.Git("config", "core.hooksPath", r.Path("../hooks"))
			return r
		}},
		{"fsmonitor hook", nil, func(r *Repo) *Repo {
			r.WriteFile("../monitor", "#!/bin/sh\nprintf 'token\\0/\\0'\n")
			if err := os.Chmod(r.Path("../monitor"), 0o777); err != nil {
				panic(err)
			}
			r.Git("config", "core.fsmonitor", r.Path("../monitor"))
			r.Git("update-index", "--fsmonitor")
			return r
		}},
		{"everything synced", nil, func(r *Repo) *Repo { r.Git("config", "core.fsync", "all"); return r }},
		{"shallow clone", nil, func(r *Repo) *Repo {
			r.Git("clone", "-q", "--depth=1", "file://"+r.Dir, "../shallow")
			return r.At("../shallow")
		}},
		{"partial clone", nil, func(r *Repo) *Repo {
			r.Git("config", "uploadpack.allowFilter", "true")
			r.Git("clone", "-q", "--filter=blob:none", "file://"+r.Dir, "../partial")
			return r.At("../partial")
		}},
		{"shared clone", nil, func(r *Repo) *Repo {
			r.Git("clone", "-q", "--shared", r.Dir, "../borrowed")
			return r.At("../borrowed")
		}},
		{"replaced", nil, func(r *Repo) *Repo {
			r.Git("replace", "HEAD", r.Git("commit-tree", "-m", "replaced", "HEAD^{tree}"))
			return r
		}},
		{"packed", nil, func(r *Repo) *Repo { r.Git("gc", "-q"); return r }},
		{"line ends", nil, func(r *Repo) *Repo { r.Git("config", "core.autocrlf", "true"); return r }},
	}
}

func fileEnvironments() []Environment {
	return []Environment{
		{"filter", nil, func(r *Repo) *Repo {
			r.Git("config", "filter.upper.clean", "tr a-z A-Z")
			r.Git("config", "filter.upper.smudge", "tr A-Z a-z")
			r.WriteFile(".git/info/attributes", "*.jsonl filter=upper\n")
			return r
		}},
		{"shared permissions", []string{"--shared=group"}, nil},
		{"odd names", nil, func(r *Repo) *Repo {
			r.Git("worktree", "add", "-q", "-b", "ümläut/ö", "../with space ü")
			return r.At("../with space ü")
		}},
	}
}
