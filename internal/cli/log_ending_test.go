package cli

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/oracle"
)

// must runs command lines in a repository.
func must(t *testing.T, r *gittest.Repo, lines ...[]string) {
	t.Helper()
	for _, args := range lines {
		if _, messages, code := logIn(t, r, args...); code != 0 {
			t.Fatalf("%v: %d %s", args, code, messages)
		}
	}
}

// setPlan commits a plan by hand, or with nothing to commit does nothing.
func setPlan(r *gittest.Repo, lines ...string) {
	r.WriteFile(planFile, strings.Join(lines, "\n")+"\n")
	if r.Git("status", "--porcelain") != "" {
		r.Git("commit", "-qam", "by hand")
	}
}

// without returns the lines of a plan that do not hold a text.
func without(r *gittest.Repo, text string) []string {
	lines := strings.Split(strings.TrimSpace(r.ReadFile(planFile)), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, text) })
}

// taskOf returns the history of one task.
func taskOf(t *testing.T, r *gittest.Repo, id string) *oracle.Task {
	t.Helper()
	for _, task := range readLog(t, r, "--all").Tasks {
		if task.ID == id {
			return task
		}
	}
	t.Fatalf("no task %s", id)
	return nil
}

// eventsOf returns the events of one task, the oldest first, each with its reason.
func eventsOf(t *testing.T, r *gittest.Repo, id string) (names []string) {
	t.Helper()
	for _, e := range slices.Backward(readLog(t, r, "--all").Events) {
		if e.ID != nil && *e.ID == id {
			names = append(names, strings.TrimSpace(e.Event+" "+e.Reason))
		}
	}
	return names
}

const (
	attemptOne = `{"t": "task", "id": "t-1", "spec": "coverage.md", "name": "one", "s": "d", "done_at": "aaaaaaaaaaaa"}`
	attemptTwo = `{"t": "task", "id": "t-1", "spec": "coverage.md", "name": "one", "s": "d", "done_at": "bbbbbbbbbbbb"}`
	redo       = `{"t": "task", "id": "t-1", "spec": "coverage.md", "name": "one", "s": "p", "reject": "wrong"}`
	stoneOne   = `{"t": "reject", "id": "t-1", "done_at": "aaaaaaaaaaaa", "reason": "wrong"}`
)

// rejectedAndAccepted adds a task that is done, rejected, done again and accepted, with the program or by hand.
func rejectedAndAccepted(t *testing.T, r *gittest.Repo, byHand bool) {
	t.Helper()
	if !byHand {
		must(t, r, []string{"task", "add", `{"id": "t-1", "name": "one"}`}, []string{"task", "done", "t-1"}, []string{"task", "reject", "t-1", "wrong"},
			[]string{"task", "done", "t-1"}, []string{"task", "accept", "t-1"})
		return
	}
	for _, lines := range [][]string{
		{strings.Replace(redo, `, "reject": "wrong"`, "", 1)},
		{attemptOne},
		{redo, stoneOne},
		{attemptTwo, stoneOne},
		{stoneOne},
	} {
		setPlan(r, append([]string{specRow}, lines...)...)
	}
}

func hands(t *testing.T, run func(t *testing.T, byHand bool)) {
	t.Helper()
	for _, byHand := range []bool{false, true} {
		name := "with the program"
		if byHand {
			name = "by hand"
		}
		t.Run(name, func(t *testing.T) { run(t, byHand) })
	}
}

// A task that was rejected, done again and accepted stays accepted when its tombstone comes back (docs/history.md, "Events").
func TestTombstoneThatReappearsIsNoRejection(t *testing.T) {
	for way, change := range map[string]func(r *gittest.Repo, byHand bool){
		"deleted plan restored": func(r *gittest.Repo, _ bool) {
			r.Git("rm", "-q", planFile)
			r.Git("commit", "-qm", "no plan")
			r.Git("checkout", "-q", "HEAD~1", "--", planFile)
			r.Git("commit", "-qm", "the plan again")
		},
		"deletion reverted": func(r *gittest.Repo, _ bool) {
			r.Git("rm", "-q", planFile)
			r.Git("commit", "-qm", "no plan")
			r.Git("revert", "--no-edit", "HEAD")
		},
		"clearing of tombstones reverted": func(r *gittest.Repo, _ bool) {
			setPlan(r, without(r, `"reject", "id"`)...)
			r.Git("revert", "--no-edit", "HEAD")
		},
		"checkout of an older plan": func(r *gittest.Repo, _ bool) {
			setPlan(r, without(r, `"reject", "id"`)...)
			r.Git("checkout", "-q", "HEAD~1", "--", planFile)
			r.Git("commit", "-qm", "as before")
		},
		"checkout of the plan before acceptance, accepted again": func(r *gittest.Repo, byHand bool) {
			r.Git("checkout", "-q", "HEAD~1", "--", planFile)
			r.Git("commit", "-qm", "as before")
			if byHand {
				setPlan(r, without(r, `"task", "id": "t-1"`)...)
			} else {
				must(t, r, []string{"task", "accept", "t-1"})
			}
		},
	} {
		t.Run(way, func(t *testing.T) {
			hands(t, func(t *testing.T, byHand bool) {
				r := gittest.NewRepo(t)
				commitPlan(r, specRow)
				rejectedAndAccepted(t, r, byHand)
				change(r, byHand)
				task := taskOf(t, r, "t-1")
				if task.Status != "accepted" || task.Accepted == nil || (task.Accepted.Source == "inferred") != byHand {
					t.Errorf("%s %+v", task.Status, task.Accepted)
				}
				events := eventsOf(t, r, "t-1")
				if n := len(slices.DeleteFunc(events, func(name string) bool { return !strings.HasPrefix(name, "rejected") })); n != 1 {
					t.Errorf("%d rejections: %q", n, eventsOf(t, r, "t-1"))
				}
			})
		})
	}
}

// A branch that is squashed with a message of its own says how its task ended as long as it is there; then the task is lost,
// not rejected (docs/history.md, "Status").
func TestSquashWithAMessageOfItsOwn(t *testing.T) {
	hands(t, func(t *testing.T, byHand bool) {
		r := gittest.NewRepo(t)
		commitPlan(r, specRow)
		r.Git("checkout", "-q", "-b", "feature/x")
		rejectedAndAccepted(t, r, byHand)
		r.Git("checkout", "-q", "main")
		r.Git("merge", "-q", "--squash", "feature/x")
		r.Git("commit", "-qm", "Feature x")
		if task := taskOf(t, r, "t-1"); task.Status != "accepted" || task.Accepted == nil || task.Accepted.Source != "inferred" {
			t.Errorf("with the branch: %s %+v", task.Status, task.Accepted)
		}
		r.Git("branch", "-qD", "feature/x")
		if task := taskOf(t, r, "t-1"); task.Status != "lost" {
			t.Errorf("without the branch: %s", task.Status)
		}
	})
}

// The branch decides what a squash with a message of its own makes look like a cancellation (docs/history.md, "Status").
func TestSquashOfATaskThatWasPending(t *testing.T) {
	hands(t, func(t *testing.T, byHand bool) {
		r := gittest.NewRepo(t)
		commitPlan(r, specRow, strings.Replace(redo, `, "reject": "wrong"`, "", 1))
		r.Git("checkout", "-q", "-b", "feature/x")
		if byHand {
			setPlan(r, specRow, attemptOne)
			setPlan(r, specRow)
		} else {
			must(t, r, []string{"task", "done", "t-1"}, []string{"task", "accept", "t-1"})
		}
		r.Git("checkout", "-q", "main")
		r.Git("merge", "-q", "--squash", "feature/x")
		r.Git("commit", "-qm", "Feature x")
		if task := taskOf(t, r, "t-1"); task.Status != "accepted" {
			t.Errorf("with the branch: %s", task.Status)
		}
		r.Git("branch", "-qD", "feature/x")
		if task := taskOf(t, r, "t-1"); task.Status != "cancelled" || task.Cancelled.Source != "inferred" {
			t.Errorf("without the branch: %s %+v", task.Status, task.Cancelled)
		}
	})
}

// A tombstone says that an attempt was rejected, not that the task ended so: of one that left with it, a squash may hide that it
// was done again (docs/history.md, "How a task ends").
func TestSquashOfATaskThatWasDone(t *testing.T) {
	for how, last := range map[string][]string{"accepted": {attemptTwo, stoneOne}, "cancelled": {redo, stoneOne}, "rejected": nil} {
		t.Run(how, func(t *testing.T) {
			r := gittest.NewRepo(t)
			commitPlan(r, specRow, attemptOne)
			r.Git("checkout", "-q", "-b", "feature/x")
			if last != nil {
				setPlan(r, specRow, redo, stoneOne)
				setPlan(r, append([]string{specRow}, last...)...)
			}
			setPlan(r, specRow, stoneOne)
			r.Git("checkout", "-q", "main")
			r.Git("merge", "-q", "--squash", "feature/x")
			r.Git("commit", "-qm", "Feature x")
			task := taskOf(t, r, "t-1")
			if how == "accepted" && (task.Status != how || task.Accepted.Source != "inferred") {
				t.Errorf("with the branch: %s %+v", task.Status, task.Accepted)
			}
			r.Git("branch", "-qD", "feature/x")
			task = taskOf(t, r, "t-1")
			if task.Status != "rejected" || task.Rejected.Source != "inferred" || task.Rejected.Reason != "wrong" {
				t.Errorf("without the branch: %s %+v", task.Status, task.Rejected)
			}
			for _, e := range readLog(t, r, "--all").Events {
				if e.Event == "rejected" && e.Source != "" {
					t.Errorf("a rejection with a tombstone is %s", e.Source)
				}
			}
		})
	}
}

const (
	pendingRow = `{"t": "task", "id": "t-1", "spec": "coverage.md", "name": "one", "s": "p"}`
	successor  = `{"t": "task", "id": "t-2", "spec": "coverage.md", "name": "two", "s": "p", "supersedes": "t-1"}`
	stoneOfTwo = `{"t": "reject", "id": "t-1", "done_at": "", "reason": "superseded by t-2"}`
)

// What another branch's message says of a task does not say how the main line's task ended: that they are one ending is a
// conclusion, although both plans show the same (docs/history.md, "How a task ends").
func TestSquashThatLooksLikeAnEndingOnAnotherBranch(t *testing.T) {
	for event, attempt := range map[string]string{"cancelled": pendingRow, "accepted": attemptOne} {
		t.Run(event, func(t *testing.T) {
			r := gittest.NewRepo(t)
			commitPlan(r, specRow, attempt)
			r.Git("checkout", "-q", "-b", "feature/x")
			r.WriteFile(planFile, specRow+"\n")
			r.Git("commit", "-qam", "End it\n\nRalph-Event: "+event+" t-1 {}")
			r.Git("checkout", "-q", "main")
			setPlan(r, specRow, successor) // without a tombstone
			task := taskOf(t, r, "t-1")
			if m := map[string]*oracle.Moment{"cancelled": task.Cancelled, "accepted": task.Accepted}[event]; task.Status != event || m.Source != "inferred" {
				t.Errorf("on the main line: %s %+v", task.Status, m)
			}
			r.Git("checkout", "-q", "feature/x")
			task = taskOf(t, r, "t-1")
			if m := map[string]*oracle.Moment{"cancelled": task.Cancelled, "accepted": task.Accepted}[event]; task.Status != event || m.Source != "" {
				t.Errorf("on the branch: %s %+v", task.Status, m)
			}
		})
	}
}

// A task that came back after it was superseded, and leaves again, may have been accepted: the old successor and tombstone do
// not record that it was rejected (docs/history.md, "How a task ends").
func TestTombstoneOfATaskThatCameBackRecordsNoEnding(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, pendingRow)
	setPlan(r, specRow, successor, stoneOfTwo)
	if task := taskOf(t, r, "t-1"); task.Status != "rejected" || task.Rejected.Source != "" || task.SupersededBy != "t-2" {
		t.Errorf("superseded: %s %+v", task.Status, task.Rejected)
	}
	setPlan(r, specRow, successor, stoneOfTwo, pendingRow)
	setPlan(r, specRow, successor, stoneOfTwo, attemptOne)
	setPlan(r, specRow, successor, stoneOfTwo)
	if task := taskOf(t, r, "t-1"); task.Status != "rejected" || task.Rejected.Source != "inferred" {
		t.Errorf("back and gone again: %s %+v", task.Status, task.Rejected)
	}
}

// bothSides lets two people work on two branches of one plan, merges these with a plan by hand, and returns the merge.
func bothSides(t *testing.T, r *gittest.Repo, ada, bob func(r *gittest.Repo), merged func() []string) string {
	t.Helper()
	r.Git("checkout", "-q", "-b", "ada")
	ada(r.Setenv("GIT_AUTHOR_EMAIL", "ada@example.org"))
	r.Git("checkout", "-q", "-b", "bob", "main")
	bob(r.Setenv("GIT_AUTHOR_EMAIL", "bob@example.org"))
	r.Git("checkout", "-q", "ada")
	r.TryGit("merge", "-q", "--no-commit", "--no-ff", "bob")
	r.WriteFile(planFile, strings.Join(merged(), "\n")+"\n")
	r.Git("commit", "-qam", "Merge branch 'bob'")
	return r.Git("rev-parse", "HEAD")
}

// Two people who edit one task on two branches made two events, each with its author (docs/history.md, "One event").
func TestTwoPeoplesEdits(t *testing.T) {
	hands(t, func(t *testing.T, byHand bool) {
		r := gittest.NewRepo(t)
		commitPlan(r, specRow, openRow)
		edit := func(field, value string) func(r *gittest.Repo) {
			return func(r *gittest.Repo) {
				if !byHand {
					must(t, r, []string{"task", "edit", "t-1a2b", "--" + field, value})
					return
				}
				setPlan(r, specRow, strings.Replace(openRow, `"s": "p"`, `"s": "p", "`+field+`": "`+value+`"`, 1))
			}
		}
		bothSides(t, r, edit("notes", "by ada"), edit("priority", "high"), func() []string {
			return []string{specRow, strings.Replace(openRow, `"s": "p"`, `"notes": "by ada", "s": "p", "priority": "high"`, 1)}
		})
		var authors []string
		for _, e := range readLog(t, r, "--all").Events {
			if e.Event == "edited" {
				authors = append(authors, *e.Author)
			}
		}
		slices.Sort(authors)
		if want := []string{"ada@example.org", "bob@example.org"}; !slices.Equal(authors, want) {
			t.Errorf("edited by %q", authors)
		}
	})
}

// Two reasons for one attempt are two events, none of them the merge's (docs/history.md, "One event").
func TestTwoReasonsForOneAttempt(t *testing.T) {
	hands(t, func(t *testing.T, byHand bool) {
		r := gittest.NewRepo(t)
		commitPlan(r, specRow, attemptOne)
		reject := func(reason string) func(r *gittest.Repo) {
			return func(r *gittest.Repo) {
				if !byHand {
					must(t, r, []string{"task", "reject", "t-1", reason})
					return
				}
				setPlan(r, specRow, strings.Replace(redo, "wrong", reason, 1), strings.Replace(stoneOne, "wrong", reason, 1))
			}
		}
		merge := bothSides(t, r, reject("slow"), reject("ugly"), func() []string {
			return []string{specRow, redo, strings.Replace(stoneOne, "wrong", "slow", 1), strings.Replace(stoneOne, "wrong", "ugly", 1)}
		})
		got := eventsOf(t, r, "t-1")
		slices.Sort(got)
		if want := []string{"added", "done", "rejected slow", "rejected ugly"}; !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
		for _, e := range readLog(t, r, "--all").Events {
			if e.Commit == merge {
				t.Errorf("the merge owns %s %s", e.Event, e.Reason)
			}
		}
		if task := taskOf(t, r, "t-1"); len(task.Attempts) != 1 || task.Status != "pending" {
			t.Errorf("%s %+v", task.Status, task.Attempts)
		}
	})
}

// A tombstone whose reason is put right is an edit, not another rejection (docs/history.md, "Events").
func TestCorrectedReason(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, attemptOne)
	setPlan(r, specRow, redo, stoneOne)
	setPlan(r, specRow, redo, strings.Replace(stoneOne, "wrong", "wrong format", 1))
	if got, want := eventsOf(t, r, "t-1"), []string{"added", "done", "rejected wrong", "edited wrong format"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// A cancelled task is cancelled, however often and on how many sides (docs/history.md, "Status").
func TestCancelledOnTwoSides(t *testing.T) {
	const plain, spare = `{"t": "task", "id": "t-1", "spec": "coverage.md", "name": "one", "s": "p"}`, `{"t": "task", "id": "t-2", "spec": "coverage.md", "name": "two", "s": "p"}`
	for way, rejectedBefore := range map[string]bool{"never rejected": false, "rejected before": true} {
		t.Run(way, func(t *testing.T) {
			hands(t, func(t *testing.T, byHand bool) {
				lines := []string{specRow, plain, spare}
				if rejectedBefore {
					lines = []string{specRow, redo, spare, stoneOne}
				}
				cancel := func(r *gittest.Repo) {
					if !byHand {
						must(t, r, []string{"task", "cancel", "t-1"})
						return
					}
					setPlan(r, without(r, `"task", "id": "t-1"`)...)
				}
				restore := func(r *gittest.Repo) {
					if !byHand {
						must(t, r, []string{"restore", "t-1"})
						return
					}
					setPlan(r, append(without(r, `"task", "id": "t-1"`), lines[1])...)
				}
				for name, run := range map[string]func(r *gittest.Repo){
					"on both sides": func(r *gittest.Repo) {
						bothSides(t, r, cancel, cancel, func() []string { return without(r, `"task", "id": "t-1"`) })
					},
					"cancelled, restored, cancelled": func(r *gittest.Repo) {
						cancel(r)
						restore(r)
						cancel(r)
					},
					"cancelled here, cancelled and restored there": func(r *gittest.Repo) {
						bothSides(t, r, cancel, func(r *gittest.Repo) { cancel(r); restore(r) }, func() []string { return without(r, `"task", "id": "t-1"`) })
					},
					"on both sides, then restored and cancelled": func(r *gittest.Repo) {
						bothSides(t, r, cancel, func(r *gittest.Repo) { cancel(r); restore(r); cancel(r) }, func() []string { return without(r, `"task", "id": "t-1"`) })
					},
				} {
					t.Run(name, func(t *testing.T) {
						r := gittest.NewRepo(t)
						r.Commit("begin", map[string]string{planFile: strings.Join(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.Contains(l, `"reject", "id"`) }), "\n") + "\n"})
						if rejectedBefore {
							setPlan(r, lines...)
						}
						run(r)
						task := taskOf(t, r, "t-1")
						if task.Status != "cancelled" || task.Cancelled == nil || (task.Cancelled.Source == "inferred") != byHand {
							t.Errorf("%s %+v: %q", task.Status, task.Cancelled, eventsOf(t, r, "t-1"))
						}
					})
				}
			})
		})
	}
}
