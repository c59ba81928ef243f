package endtoend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// docs/promises.md, "One mutation, one commit": whatever else the user has
// changed, staged, left untracked or deleted is afterwards as it was, in every
// kind of repository, and each mutation is one commit of the plan alone.
func TestOnlyThePlanIsCommitted(t *testing.T) {
	for name, setUp := range worktrees() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setUp(t)
			clean(t, r)
			r.add("in a clean worktree")
			clean(t, r)
			mess(r)
			before := r.State(planFile)
			for _, args := range lifecycle(r) {
				commits := history(r)
				r.must(args...)
				if after := r.State(planFile); after != before {
					t.Fatalf("%v changed more than the plan:\n%+v\nwas\n%+v", args, after, before)
				}
				planIsClean(t, r)
				onlyPlanCommit(t, r, commits, args)
			}
			r.Git("fsck", "--strict")
		})
	}
}

// lifecycle is every mutation once, each valid after the one before.
func lifecycle(r *repo) [][]string {
	one, two, three, four := "t-one1", "t-two2", "t-thr3", "t-fou4"
	add := func(id, name string) []string { return []string{"task", "add", "--id", id, name} }
	return [][]string{
		add(one, "the first"),
		{"task", "add", "--id", two, "--dep", one, "-- the second: ü 漢字"},
		add(three, "the third"),
		{"task", "done", one},
		{"task", "reject", one, "not good enough"},
		{"task", "done", one, "--meta", "by=me"},
		{"task", "accept", one},
		{"task", "edit", two, "--notes", "some notes", "--priority", "high"},
		{"task", "kill", two, "timeout", "--log", "1/2.log"},
		{"task", "decompose", two, "--task", "a smaller one", "--task", "another one"},
		{"task", "cancel", three},
		add(four, "the fourth"),
		{"task", "add", "--supersedes", four, "a better fourth"},
		{"issue", "add", "something is wrong"},
		{"issue", "done", "--into-task"},
		{"set-spec", "other.md"},
	}
}

// mess leaves one file of each kind that a commit could take along by mistake.
func mess(r *repo) {
	r.WriteFile("a.txt", "modified\n")
	r.WriteFile("b.txt", "staged\n")
	r.Git("add", "b.txt")
	r.WriteFile("c.txt", "one\n2\n3\n4\n5\n6\n7\n8\n9\n")
	r.Git("add", "c.txt")
	r.WriteFile("c.txt", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n")
	r.WriteFile("untracked ü.txt", "untracked\n")
	r.WriteFile("intended.txt", "to be added\n")
	r.Git("add", "-N", "intended.txt")
	r.Remove("dir/d.txt")
	r.Git("rm", "-q", "--cached", "gone.txt")
}

func clean(t *testing.T, r *repo) {
	t.Helper()
	for _, args := range [][]string{{"diff-files", "--quiet"}, {"diff-index", "--quiet", "HEAD"}} {
		if _, err := r.TryGit(args...); err != nil {
			t.Fatalf("git %v says that the worktree is not clean: %s", args, r.Git("status", "--short"))
		}
	}
}

// planIsClean: file, index and HEAD hold one plan, and the index entry has the
// file's stat data.
func planIsClean(t *testing.T, r *repo) {
	t.Helper()
	if files := r.Git("diff-files", "--name-only", "--", planFile); files != "" {
		t.Fatalf("diff-files names %s", files)
	}
	if files := r.Git("diff-index", "--cached", "--name-only", "HEAD", "--", planFile); files != "" {
		t.Fatalf("diff-index names %s", files)
	}
}

func history(r *repo) int {
	return len(strings.Fields(r.Git("rev-list", "HEAD")))
}

func onlyPlanCommit(t *testing.T, r *repo, before int, args []string) {
	t.Helper()
	if after := history(r); after != before+1 {
		t.Fatalf("%v made %d commits", args, after-before)
	}
	if files := r.Git("diff-tree", "-r", "--root", "--no-commit-id", "--name-only", "HEAD"); files != planFile {
		t.Fatalf("%v committed %q", args, files)
	}
}

// worktrees are the kinds of place that the program works in.
func worktrees() map[string]func(t *testing.T) *repo {
	configured := func(key, value string) func(t *testing.T) *repo {
		return func(t *testing.T) *repo {
			r := newPlan(t)
			r.Git("config", key, value)
			return r
		}
	}
	return map[string]func(t *testing.T) *repo{
		"plain":        func(t *testing.T) *repo { return newPlan(t) },
		"sha256":       func(t *testing.T) *repo { return newPlan(t, "--object-format=sha256") },
		"subdirectory": subdirectory,
		"linked":       linked,
		"submodule":    submodule,
		"detached":     detached,
		"shallow":      shallow,
		"odd names":    oddNames,
		"signed":       signed,
		"hooks":        failingHooks,
		"clean filter": cleanFilter,
		"autocrlf":     configured("core.autocrlf", "input"),
		"ignorecase":   configured("CORE.IgnoreCase", "true"),
		"index v4":     reindexed("update-index", "--index-version", "4"),
		"split":        reindexed("update-index", "--split-index"),
		"untracked":    reindexed("update-index", "--untracked-cache"),
		"cone":         reindexed("sparse-checkout", "set", "--cone", "ralph", "dir"),
		"sparse index": reindexed("sparse-checkout", "set", "--cone", "--sparse-index", "ralph", "dir"),
		"patterns":     reindexed("sparse-checkout", "set", "--no-cone", "/ralph/", "/*.txt", "/dir/"),
		"worktree config": func(t *testing.T) *repo {
			r := configured("extensions.worktreeConfig", "true")(t)
			r.Git("config", "--worktree", "core.untrackedCache", "true")
			return r
		},
	}
}

func reindexed(args ...string) func(t *testing.T) *repo {
	return func(t *testing.T) *repo {
		r := newPlan(t)
		r.Git(args...)
		return r
	}
}

func at(r *repo, t *testing.T, dir string) *repo { return withProgram(t, r.At(dir)) }

func subdirectory(t *testing.T) *repo {
	r := newPlan(t)
	r.Commit("deep", map[string]string{"deep/er/x.txt": "x\n"})
	r.from = "deep/er"
	return r
}

func linked(t *testing.T) *repo {
	r := newPlan(t)
	r.Git("worktree", "add", "-q", "-b", "side", "../linked")
	return at(r, t, "../linked")
}

func submodule(t *testing.T) *repo {
	inner := newPlan(t)
	r := withProgram(t, gittest.NewRepo(t))
	r.Git("submodule", "add", "-q", inner.Dir, "sub")
	r.Git("commit", "-q", "-m", "add submodule")
	return at(r, t, "sub")
}

func detached(t *testing.T) *repo {
	r := newPlan(t)
	r.Git("checkout", "-q", "--detach")
	return r
}

func shallow(t *testing.T) *repo {
	r := newPlan(t)
	r.add("before the clone")
	r.Git("clone", "-q", "--depth", "1", "file://"+r.Dir, "../shallow")
	return at(r, t, "../shallow")
}

func oddNames(t *testing.T) *repo {
	r := newPlan(t)
	r.Git("clone", "-q", r.Dir, "../ein Ordner mit Ümläuten")
	return at(r, t, "../ein Ordner mit Ümläuten")
}

func failingHooks(t *testing.T) *repo {
	r := newPlan(t)
	for _, hook := range []string{"pre-commit", "commit-msg", "prepare-commit-msg"} {
		r.WriteFile("../hooks/"+hook, "#!/bin/sh\nexit 1\n")
		if err := os.Chmod(r.Path("../hooks/"+hook), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	r.Git("config", "core.hooksPath", r.Path("../hooks"))
	return r
}

// cleanFilter: git converts the file, so git must hash it.
func cleanFilter(t *testing.T) *repo {
	r := newPlan(t)
	r.Git("config", "filter.shout.clean", "sed s/spec.md/SPEC.md/")
	r.Git("config", "filter.shout.smudge", "sed s/SPEC.md/spec.md/")
	r.Commit("filter", map[string]string{".gitattributes": "*.jsonl filter=shout\n"})
	r.Git("rm", "-q", "--cached", planFile)
	r.Git("add", planFile)
	r.TryGit("commit", "-q", "-m", "filtered") // git may have seen it already
	if plan := r.Git("show", "HEAD:"+planFile); !strings.Contains(plan, "SPEC.md") {
		t.Fatalf("not filtered: %s", plan)
	}
	return r
}

func signed(t *testing.T) *repo {
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("needs ssh-keygen")
	}
	r := newPlan(t)
	key := filepath.Join(r.Home, "key")
	if out, err := exec.Command(keygen, "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	r.WriteFile("../signers", "author@example.com "+string(public))
	for key, value := range map[string]string{
		"gpg.format": "ssh", "user.signingKey": key, "commit.gpgSign": "true", "gpg.ssh.allowedSignersFile": r.Path("../signers"),
	} {
		r.Git("config", key, value)
	}
	t.Cleanup(func() { r.Git("verify-commit", "HEAD") })
	return r
}

// The first commit of a repository can be the plan's.
func TestUnbornBranch(t *testing.T) {
	r := withProgram(t, gittest.NewRepo(t))
	r.WriteFile("a.txt", "staged\n")
	r.Git("add", "a.txt")
	before := r.Git("diff", "--cached")
	r.must("init", "--no-install", "--spec", "spec.md")
	if files := r.Git("ls-tree", "-r", "--name-only", "HEAD"); files != planFile {
		t.Fatalf("committed %q", files)
	}
	if after := r.Git("diff", "--cached"); after != before {
		t.Fatalf("what was staged changed: %s", after)
	}
	if log := r.Git("reflog", "--format=%gs"); log != "commit (initial): ralph: set spec spec.md" && !strings.HasPrefix(log, "commit (initial): ralph:") {
		t.Fatalf("reflog says %q", log)
	}
	r.add("the first")
	planIsClean(t, r)
}

// A sparse checkout that leaves the plan out: the index's blob is the plan, the
// skip-worktree bit stays, and no file appears.
func TestPlanOutsideSparseCheckout(t *testing.T) {
	r := newPlan(t)
	r.add("before")
	r.Git("sparse-checkout", "set", "--cone", "dir")
	if r.Exists(planFile) {
		t.Skip("this git keeps the plan")
	}
	r.add("after")
	if r.Exists(planFile) {
		t.Error("the plan's file appeared")
	}
	if tag := r.Git("ls-files", "-t", "--", planFile); !strings.HasPrefix(tag, "S ") {
		t.Errorf("the skip-worktree bit is gone: %s", tag)
	}
	if plan := r.Git("show", "HEAD:"+planFile); !strings.Contains(plan, "before") || !strings.Contains(plan, "after") {
		t.Errorf("HEAD's plan is %s", plan)
	}
	if tasks := r.must("task", "list"); !strings.Contains(tasks, "after") {
		t.Errorf("the list lacks the new task: %s", tasks)
	}
	clean(t, r)
}

// docs/promises.md: in the middle of an operation the file is written, nothing
// is committed, the operation can go on, and the change is committed later.
func TestInTheMiddle(t *testing.T) {
	resolve := func(r *repo) {
		r.WriteFile("a.txt", "resolved after "+r.Git("rev-parse", "HEAD")+"\n")
		r.Git("add", "a.txt")
	}
	rebase := func(r *repo) { // one stop for each of our commits
		for r.Exists(".git/rebase-merge") || r.Exists(".git/rebase-apply") {
			resolve(r)
			if _, err := withProgram(r.t, r.Setenv("GIT_EDITOR", ":")).TryGit("rebase", "--continue"); err != nil && r.Git("diff", "--name-only", "--diff-filter=U") == "" {
				r.t.Fatal(err)
			}
		}
	}
	editor := func(r *repo, args ...string) { withProgram(r.t, r.Setenv("GIT_EDITOR", ":")).Git(args...) }
	tests := map[string]struct {
		begin  func(r *repo)
		goOn   func(r *repo)
		reason string
	}{
		"merge": {
			func(r *repo) { r.TryGit("merge", "side") },
			func(r *repo) { resolve(r); editor(r, "merge", "--continue") }, "merge in progress",
		},
		"rebase": {
			func(r *repo) { r.TryGit("rebase", "side") },
			rebase, "rebase in progress",
		},
		"rebase apply": {
			func(r *repo) { r.TryGit("rebase", "--apply", "side") },
			rebase, "rebase in progress",
		},
		"cherry-pick": {
			func(r *repo) { r.TryGit("cherry-pick", "side") },
			func(r *repo) { resolve(r); editor(r, "cherry-pick", "--continue") }, "cherry-pick in progress",
		},
		"revert": {
			func(r *repo) { r.TryGit("revert", "--no-edit", "HEAD~1") },
			func(r *repo) { resolve(r); editor(r, "revert", "--continue") }, "revert in progress",
		},
		"am": {
			func(r *repo) {
				r.Git("format-patch", "-q", "-1", "-o", "../patches", "side")
				patches, _ := filepath.Glob(r.Path("../patches/*"))
				r.TryGit("am", "-3", patches[0])
			},
			func(r *repo) { resolve(r); r.Git("am", "--continue") }, "am in progress",
		},
		"bisect": {
			func(r *repo) { r.Git("bisect", "start", "HEAD", "HEAD~2") },
			func(r *repo) { r.Git("bisect", "reset") }, "bisect in progress",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newPlan(t)
			r.Git("checkout", "-q", "-b", "side")
			r.Commit("theirs", map[string]string{"a.txt": "theirs\n"})
			r.Git("checkout", "-q", "main")
			r.Commit("ours", map[string]string{"a.txt": "ours\n"})
			r.Commit("ours again", map[string]string{"a.txt": "ours again\n"})
			test.begin(r)
			tips := r.Git("rev-parse", "HEAD", "--branches")
			res := r.mutate("task", "add", "--id", "t-midd", "in the middle")
			if res.Committed || res.Reason != test.reason {
				t.Fatalf("committed %v, reason %q", res.Committed, res.Reason)
			}
			if now := r.Git("rev-parse", "HEAD", "--branches"); now != tips {
				t.Fatal("a branch moved")
			}
			if !strings.Contains(r.ReadFile(planFile), "t-midd") {
				t.Fatal("the file was not written")
			}
			test.goOn(r)
			r.add("afterwards")
			if !strings.Contains(r.Git("show", "HEAD:"+planFile), "t-midd") {
				t.Error("the change was not committed afterwards")
			}
			clean(t, r)
		})
	}
}
