package cli

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// mergeX merges feature/x into main with a message of its own, and deletes it where that is wanted.
func mergeX(r *gittest.Repo, message string, deleted bool) {
	r.Git("merge", "-q", "--no-ff", "-m", message, "feature/x")
	if deleted {
		r.Git("branch", "-q", "-D", "feature/x")
	}
}

// log --branch finds what was done by hand on a branch, without a trailer to say so (docs/history.md, "Branches").
func TestBranchOfWorkByHand(t *testing.T) {
	behind := func(r *gittest.Repo) { r.Git("reset", "-q", "--hard", "HEAD~1") } // main has nothing of its own
	for name, do := range map[string]func(r *gittest.Repo){
		"kept after a fast-forward": func(r *gittest.Repo) {
			behind(r)
			r.Git("merge", "-q", "--ff-only", "feature/x")
		},
		"gone after a fast-forward": func(r *gittest.Repo) {
			behind(r)
			r.Git("merge", "-q", "--ff-only", "feature/x")
			r.Git("branch", "-q", "-D", "feature/x")
		},
		"gone after a merge with a message of one's own": func(r *gittest.Repo) { mergeX(r, "Bring it in", true) },
		"kept after a rebase and a fast-forward": func(r *gittest.Repo) {
			r.Git("rebase", "-q", "main", "feature/x")
			r.Git("checkout", "-q", "main")
			r.Git("merge", "-q", "--ff-only", "feature/x")
		},
		"held by another branch, too":       func(r *gittest.Repo) { r.Git("branch", "backup", "feature/x") },
		"held by another branch in a clone": func(r *gittest.Repo) { bare(r); r.Git("branch", "backup", "feature/x") },
		"a branch goes on from there":       func(r *gittest.Repo) { goOn(r, "backup", "feature/x") },
		"it goes on, and a copy stays":      func(r *gittest.Repo) { r.Git("branch", "backup", "feature/x"); goOn(r, "feature/x", "feature/x") },
		"another branch was forwarded to it": func(r *gittest.Repo) {
			r.Git("branch", "a", "main~1")
			r.Git("checkout", "-q", "a")
			r.Git("merge", "-q", "feature/x")
		},
		"merged with a message of one's own": func(r *gittest.Repo) { mergeX(r, "Bring it in", false) },
		"merged so, and went on":             func(r *gittest.Repo) { mergeX(r, "Bring it in", false); goOn(r, "feature/x", "feature/x") },
		"merged so, in a clone":              func(r *gittest.Repo) { bare(r); mergeX(r, "Bring it in", false) },
		"Azure":                              func(r *gittest.Repo) { mergeX(r, "Merged PR 12: A title", false) },
		"Azure, an older one":                func(r *gittest.Repo) { mergeX(r, "Merge pull request 12 from feature/x into main", true) },
		"GitHub":                             func(r *gittest.Repo) { mergeX(r, "Merge pull request #5 from owner/feature/x", true) },
		"refs/heads/":                        func(r *gittest.Repo) { mergeX(r, "Merge branch 'refs/heads/feature/x'", true) },
		"heads/":                             func(r *gittest.Repo) { mergeX(r, "Merge branch 'heads/feature/x' into main", true) },
		"early part":                         func(r *gittest.Repo) { mergeX(r, "Merge branch 'feature/x' (early part)", true) },
		"remotes/":                           func(r *gittest.Repo) { mergeX(r, "Merge remote-tracking branch 'refs/remotes/origin/feature/x'", true) },
		"a remote with a slash": func(r *gittest.Repo) {
			r.Git("remote", "add", "up/stream", "https://example.org/r.git")
			mergeX(r, "Merge remote-tracking branch 'up/stream/feature/x'", true)
		},
		"main was merged into it": func(r *gittest.Repo) {
			r.Git("checkout", "-q", "feature/x")
			r.Git("merge", "-q", "--no-edit", "main")
			r.Git("checkout", "-q", "main")
			r.Git("merge", "-q", "--ff-only", "feature/x")
			r.Git("branch", "-q", "-D", "feature/x")
		},
		"in a branch of a remote": func(r *gittest.Repo) {
			r.Git("update-ref", "refs/remotes/origin/feature/x", "feature/x")
			r.Git("update-ref", "refs/remotes/origin/backup", "feature/x")
			r.Git("branch", "-q", "-D", "feature/x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t)
			workOnBranch(t, r, true)
			do(r)
			if got := namedOn(t, r, "feature/x"); !slices.Equal(got, worked) {
				t.Errorf("got %q\n%s", got, r.Git("log", "--all", "--graph", "--oneline", "--decorate"))
			}
		})
	}
}

// bare takes the logs of branches away, as a clone has none.
func bare(r *gittest.Repo) {
	r.Git("config", "core.logAllRefUpdates", "false")
	for branch := range strings.FieldsSeq(r.Git("for-each-ref", "--format=%(refname)", "refs/heads")) {
		r.Remove(".git/logs/" + branch)
	}
}

// goOn commits something on a branch that begins at another one, or is it.
func goOn(r *gittest.Repo, branch, from string) {
	if branch != from {
		r.Git("branch", branch, from)
	}
	r.Git("checkout", "-q", branch)
	r.Commit("more", map[string]string{"more": "x"})
	r.Git("checkout", "-q", "main")
}

// A branch whose name has an apostrophe is named by the merge that brought it in.
func TestBranchWithApostrophe(t *testing.T) {
	r := gittest.NewRepo(t)
	workOnBranch(t, r, true)
	r.Git("branch", "-m", "feature/x", "o'brien's")
	r.Git("merge", "-q", "--no-ff", "--no-edit", "o'brien's")
	r.Git("branch", "-D", "o'brien's")
	if got := namedOn(t, r, "o'brien's"); !slices.Equal(got, worked) {
		t.Errorf("got %q", got)
	}
}

// A branch that was renamed counts under both names, whoever made its commits.
func TestRenamedBranch(t *testing.T) {
	for name, byHand := range map[string]bool{"by hand": true, "by the program": false} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			workOnBranch(t, r, byHand)
			r.Git("branch", "-m", "feature/x", "feature/y")
			r.Git("branch", "-m", "feature/y", "feature/z")
			for _, name := range []string{"feature/x", "feature/y", "feature/z"} {
				if got := namedOn(t, r, name); !slices.Equal(got, worked) {
					t.Errorf("%s: got %q", name, got)
				}
			}
			r.Git("merge", "-q", "--no-ff", "--no-edit", "feature/z")
			for _, name := range []string{"feature/x", "feature/z"} {
				if got := namedOn(t, r, name); !slices.Equal(got, worked) {
					t.Errorf("merged, %s: got %q", name, got)
				}
			}
			r.Git("branch", "feature/x", "main")
			if got := namedOn(t, r, "feature/x"); !slices.Equal(got, worked) {
				t.Errorf("another one has that name now: got %q", got)
			}
		})
	}
}

// Work whose messages name a branch by the name that it had before it was renamed is found under both names, also when the
// branch is gone and in a clone, which has no logs (docs/history.md, "Branches").
func TestRenamedBranchThatIsGone(t *testing.T) {
	for name, do := range map[string]func(r *gittest.Repo){
		"merged and gone":     func(r *gittest.Repo) { mergeY(r, "Merge branch 'feature/y'") },
		"so, without logs":    func(r *gittest.Repo) { mergeY(r, "Merge pull request #5 from owner/feature/y"); bare(r) },
		"not merged, no logs": bare,
		"forwarded and gone":  func(r *gittest.Repo) { r.Git("reset", "-q", "--hard", "HEAD~1"); mergeY(r, "") },
		"a branch of a remote": func(r *gittest.Repo) {
			bare(r)
			r.Git("update-ref", "refs/remotes/origin/feature/y", "feature/y")
			r.Git("branch", "-q", "-D", "feature/y")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t)
			workOnBranch(t, r, false)
			r.Git("branch", "-m", "feature/x", "feature/y")
			do(r)
			for _, name := range []string{"feature/x", "feature/y"} {
				if got := namedOn(t, r, name); !slices.Equal(got, worked) {
					t.Errorf("%s: got %q", name, got)
				}
			}
			for _, e := range readLog(t, r, "--branch", "feature/y").Events {
				if *e.Branch != "feature/x" || e.Source != "" {
					t.Errorf("%s: the message says feature/x, got %s %q", e.Event, *e.Branch, e.Source)
				}
			}
		})
	}
}

// A branch that is still there is known by its own name alone, although another one brought its work in first.
func TestBranchWithItsOwnName(t *testing.T) {
	r := gittest.NewRepo(t)
	workOnBranch(t, r, false)
	r.Git("branch", "stacked", "feature/x")
	r.Git("merge", "-q", "--no-ff", "-m", "Merge branch 'stacked'", "stacked")
	if got := namedOn(t, r, "stacked"); len(got) > 0 {
		t.Errorf("got %q", got)
	}
	if got := namedOn(t, r, "feature/x"); !slices.Equal(got, worked) {
		t.Errorf("got %q", got)
	}
}

// mergeY merges feature/y into main, by forwarding it where there is no message, and deletes it.
func mergeY(r *gittest.Repo, message string) {
	if message == "" {
		r.Git("merge", "-q", "--ff-only", "feature/y")
	} else {
		r.Git("merge", "-q", "--no-ff", "-m", message, "feature/y")
	}
	r.Git("branch", "-q", "-D", "feature/y")
}

// --branch takes any name that git does (docs/history.md, "Branches").
func TestBranchAsGitNamesIt(t *testing.T) {
	r := gittest.NewRepo(t)
	workOnBranch(t, r, true)
	r.Git("update-ref", "refs/remotes/origin/feature/x", "feature/x")
	r.Git("checkout", "-q", "feature/x")
	r.Git("branch", "-q", "--set-upstream-to=main")
	r.Git("config", "branch.main.remote", ".")
	for _, name := range []string{"heads/feature/x", "refs/heads/feature/x", "origin/feature/x", "remotes/origin/feature/x", "HEAD", "@"} {
		if got := namedOn(t, r, name); !slices.Equal(got, worked) {
			t.Errorf("%s: got %q", name, got)
		}
	}
	r.Git("checkout", "-q", "main")
	if got := namedOn(t, r, "@{-1}"); !slices.Equal(got, worked) {
		t.Errorf("@{-1}: got %q", got)
	}
	r.Git("checkout", "-q", "--detach")
	if _, messages, code := logIn(t, r, "log", "--branch", "HEAD"); code != 1 || !strings.Contains(messages, "HEAD is detached") {
		t.Errorf("a detached HEAD: %d %s", code, messages)
	}
}

// A name that nothing knows is an error, which offers the nearest ones; a branch with nothing to report says why.
func TestBranchWithNothingToReport(t *testing.T) {
	r := gittest.NewRepo(t)
	workOnBranch(t, r, true)
	mergeX(r, "Merge branch 'feature/x'", true)
	r.Git("branch", "unused", "main")
	r.Git("branch", "before", "main")
	r.Git("branch", "-m", "before", "after")
	r.Git("checkout", "-q", "-b", "code")
	r.Commit("code", map[string]string{"code": "x"})
	r.Git("checkout", "-q", "-b", "gone", "main")
	r.Commit("code", map[string]string{"code": "y"})
	r.Git("checkout", "-q", "main")
	r.Git("merge", "-q", "--no-ff", "--no-edit", "gone")
	r.Git("branch", "-D", "gone")
	r.Git("tag", "v1")
	for _, test := range []struct {
		branch string
		more   []string
		code   int
		says   string
	}{
		{"nosuch", nil, 1, "nosuch"},
		{"feature/z", nil, 1, "feature/x"},
		{"codes", nil, 1, "code"},
		{"unused", nil, 0, "unused"},
		{"before", nil, 0, "changed the plan"},
		{"code", nil, 0, "changed the plan"},
		{"gone", nil, 0, "changed the plan"},
		{"feature/x", []string{"--author", "nobody"}, 0, "other filters"},
		{"v1", nil, 0, "tag"},
	} {
		out, messages, code := logIn(t, r, append([]string{"log", "--format", "text", "--branch", test.branch}, test.more...)...)
		if code != test.code || out != "" || !strings.Contains(messages, test.says) || !strings.Contains(messages, test.branch) {
			t.Errorf("%s: %d %q %q", test.branch, code, out, messages)
		}
		if code == 0 && strings.Count(messages, "\n") != 1 {
			t.Errorf("%s: want one line, got %q", test.branch, messages)
		}
	}
}

// Work that is on no branch any more, and on the main line, is the main line's; it is never listed under two names that
// differ in their remote alone.
func TestMainLine(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	r.Git("branch", "-m", "main", "trunk")
	bare(r)
	r.Git("branch", "a")
	if h := readLog(t, r, "--all"); *h.Events[0].Branch != "trunk" || !slices.Equal(h.Events[0].Branches, []string{"trunk"}) {
		t.Errorf("got %v", h.Events[0].Branches)
	}
	r.Git("config", "init.defaultBranch", "a")
	if h := readLog(t, r, "--all"); *h.Events[0].Branch != "a" {
		t.Errorf("init.defaultBranch: got %v", h.Events[0].Branches)
	}
	r.Git("update-ref", "refs/remotes/origin/main", "a")
	r.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	if h := readLog(t, r, "--all"); *h.Events[0].Branch != "main" {
		t.Errorf("origin/HEAD: got %v", h.Events[0].Branches)
	}
}

// Without a name that is usual for the main line it is the oldest branch: the one whose log began first, or that was left
// behind first.
func TestOldestBranchIsTheMainLine(t *testing.T) {
	r := gittest.NewRepo(t).Setenv("GIT_COMMITTER_DATE", "2026-01-18T10:00:00Z")
	commitPlan(r, specRow, openRow)
	r.Git("branch", "-m", "main", "develop")
	r.Setenv("GIT_COMMITTER_DATE", "2026-01-19T10:00:00Z").Git("checkout", "-q", "-b", "a")
	later := r.Setenv("GIT_COMMITTER_DATE", "2026-01-20T10:00:00Z")
	commitPlan(later, specRow)
	for _, logged := range []bool{true, false} {
		if !logged {
			bare(r)
		}
		h := readLog(t, r, "--all")
		if first, last := h.Events[len(h.Events)-1], h.Events[0]; *first.Branch != "develop" || *last.Branch != "a" {
			t.Errorf("with a log %v: got %v, then %v", logged, first.Branches, last.Branches)
		}
	}
}

// A log says what it says of branches alone: not of tags, commits and what else may be merged, nor of what was there before
// it begins.
func TestLogsOfOtherMerges(t *testing.T) {
	for name, do := range map[string]func(r *gittest.Repo){
		"a commit":         func(r *gittest.Repo) { r.Git("merge", "-q", r.Git("rev-parse", "feature/x")) },
		"a short commit":   func(r *gittest.Repo) { r.Git("merge", "-q", r.Git("rev-parse", "--short=8", "feature/x")) },
		"a tag":            func(r *gittest.Repo) { r.Git("tag", "v1", "feature/x"); r.Git("merge", "-q", "v1") },
		"what was fetched": func(r *gittest.Repo) { r.Git("fetch", "-q", ".", "feature/x"); r.Git("merge", "-q", "FETCH_HEAD") },
		"a log that begins later": func(r *gittest.Repo) {
			r.Git("merge", "-q", "feature/x")
			r.Git("branch", "other")
			r.Git("checkout", "-q", "other")
			r.Commit("more", map[string]string{"more": "x"})
			r.Git("checkout", "-q", "main")
			r.Git("merge", "-q", "other")
			log := strings.SplitAfter(r.ReadFile(".git/logs/refs/heads/main"), "\n")
			r.WriteFile(".git/logs/refs/heads/main", log[len(log)-2])
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t)
			workOnBranch(t, r, true)
			r.Git("reset", "-q", "--hard", "HEAD~1")
			do(r)
			r.Git("branch", "-D", "feature/x")
			for _, e := range readLog(t, r, "--all").Events {
				if !slices.Equal(e.Branches, []string{"main"}) {
					t.Errorf("%s: %v", e.Event, e.Branches)
				}
			}
		})
	}
}

// "branches" lists all names under which --branch finds an event, and "branch" is the first; what a branch's own log
// alone says is marked.
func TestBranchesAgree(t *testing.T) {
	r := gittest.NewRepo(t)
	workOnBranch(t, r, true)
	r.Git("branch", "backup", "feature/x")
	bare(r)
	check := func(name string, want []string, source string) {
		t.Helper()
		events := readLog(t, r, "--branch", name).Events
		for _, e := range events {
			if !slices.Contains(e.Branches, name) || *e.Branch != e.Branches[0] {
				t.Errorf("%s: %v", name, e.Branches)
			}
			if e.Event == "added" && (!slices.Equal(e.Branches, want) || e.Source != source) {
				t.Errorf("%s: got %q %v", name, e.Source, e.Branches)
			}
		}
		if len(events) == 0 {
			t.Errorf("%s: nothing", name)
		}
	}
	check("backup", []string{"backup", "feature/x"}, "")
	check("feature/x", []string{"backup", "feature/x"}, "")
	r = gittest.NewRepo(t)
	workOnBranch(t, r, true)
	r.Git("reset", "-q", "--hard", "HEAD~1")
	r.Git("merge", "-q", "feature/x")
	check("feature/x", []string{"feature/x"}, "reflog")
}

// What the log of a branch says is not remembered once it says something else (docs/history.md, "The cache").
func TestBranchesFollowLogs(t *testing.T) {
	r := gittest.NewRepo(t)
	workOnBranch(t, r, true)
	r.Git("reset", "-q", "--hard", "HEAD~1")
	r.Git("merge", "-q", "feature/x")
	for range 2 { // the second answer is a kept one
		if got := namedOn(t, r, "main"); len(got) != 0 {
			t.Errorf("with a log: %q", got)
		}
		if h := readLog(t, r, "--all"); *h.Events[0].Branch != "feature/x" {
			t.Errorf("with a log: %v", h.Events[0].Branches)
		}
	}
	bare(r)
	if h := readLog(t, r, "--all"); *h.Events[0].Branch != "main" {
		t.Errorf("without a log: %v", h.Events[0].Branches)
	}
}

// A plan that is moved on a branch keeps that branch's history, whether ralph.plan follows it or not, before and after the
// merge (docs/history.md, "What counts as a change").
func TestBranchOnWhichThePlanMoved(t *testing.T) {
	r := gittest.NewRepo(t)
	workOnBranch(t, r, true)
	r.Git("checkout", "-q", "feature/x")
	r.WriteFile("plans/keep", "")
	r.Git("mv", planFile, "plans/work.jsonl")
	r.Commit("move", nil)
	r.Git("checkout", "-q", "main")
	check := func(when string) {
		t.Helper()
		for _, setting := range []string{"", planFile, "plans/work.jsonl"} {
			if setting != "" {
				r.Git("config", "ralph.plan", setting)
			}
			if got := namedOn(t, r, "feature/x"); !slices.Equal(got, worked) {
				t.Errorf("%s, ralph.plan = %q: got %q", when, setting, got)
			}
			if setting != "" {
				r.Git("config", "--unset", "ralph.plan")
			}
		}
	}
	check("not merged")
	mergeX(r, "Bring it in", false)
	check("merged")
	r.Git("branch", "-q", "-m", "feature/x", "other")
	check("renamed")
}
