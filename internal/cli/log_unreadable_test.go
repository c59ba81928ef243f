package cli

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"git-ralph/internal/test/gittest"
)

// lose deletes an object that is a file of its own.
func lose(t *testing.T, r *gittest.Repo, name string) {
	t.Helper()
	id := r.Git("rev-parse", name)
	if err := os.Remove(r.Path(".git/objects/" + id[:2] + "/" + id[2:])); err != nil {
		t.Fatal(err)
	}
}

// Where HEAD's plan cannot be read, no task is said to be lost: what happened is printed without a status, with the reason
// (docs/history.md, "Status").
func TestUnreadablePlanOfHead(t *testing.T) {
	const invalid, missing = "HEAD's plan cannot be read: it is not a valid plan", "HEAD's plan cannot be read: an object is missing"
	for way, row := range map[string]struct {
		damage  func(t *testing.T, r *gittest.Repo)
		warning string
	}{
		"missing blob": {func(t *testing.T, r *gittest.Repo) { lose(t, r, "HEAD:"+planFile) }, missing},
		"missing tree": {func(t *testing.T, r *gittest.Repo) { lose(t, r, "HEAD:ralph") }, missing},
		"link": {func(t *testing.T, r *gittest.Repo) {
			r.Remove(planFile)
			if err := os.Symlink("elsewhere", r.Path(planFile)); err != nil {
				t.Skip(err)
			}
			r.Git("commit", "-qam", "a link")
		}, invalid},
		"UTF-16": {func(t *testing.T, r *gittest.Repo) {
			var b bytes.Buffer
			binary.Write(&b, binary.LittleEndian, utf16.Encode([]rune("\ufeff"+r.ReadFile(planFile))))
			r.Commit("another encoding", map[string]string{planFile: b.String()})
		}, invalid},
		"conflict markers": {func(t *testing.T, r *gittest.Repo) {
			r.Commit("oops", map[string]string{planFile: "<<<<<<< HEAD\n" + r.ReadFile(planFile)})
		}, invalid},
	} {
		for _, kept := range []bool{false, true} {
			name := way
			if kept {
				name += ", after a history that was kept"
			}
			t.Run(name, func(t *testing.T) {
				r := gittest.NewRepo(t)
				commitPlan(r, specRow, openRow, attemptOne)
				commitPlan(r, specRow, openRow)
				if kept {
					readLog(t, r, "--all")
				}
				row.damage(t, r)
				for range 2 {
					statuses := []string{"unknown", "unknown"}
					if kept && row.warning == missing { // what was at hand then is still known
						statuses = []string{"accepted", "pending"}
					}
					h := readLog(t, r, "--all")
					if len(h.Events) < 3 || len(h.Tasks) != 2 || h.Tasks[0].Status != statuses[0] || h.Tasks[1].Status != statuses[1] {
						t.Errorf("%d events, %+v", len(h.Events), h.Tasks)
					}
					if _, messages, _ := logIn(t, r, "log"); !kept && !strings.Contains(messages, "warning: "+row.warning) {
						t.Errorf("messages: %s", messages)
					}
				}
				if _, messages, code := logIn(t, r, "restore", "t-1a2b"); code == 0 {
					t.Errorf("restored: %s", messages)
				}
			})
		}
	}
}

// Grafts and replacements that cut history off cause a warning; those that hide nothing are not (docs/history.md, "Missing
// objects").
func TestHiddenHistory(t *testing.T) {
	const warning = "grafts or replacements hide parents of 1 commit;"
	for way, row := range map[string]struct {
		hide func(r *gittest.Repo)
		cut  bool
	}{
		"nothing hidden":              {func(*gittest.Repo) {}, false},
		"a commit without parents":    {func(r *gittest.Repo) { r.Git("replace", "--graft", "HEAD~1") }, true},
		"a graft":                     {func(r *gittest.Repo) { r.WriteFile(".git/info/grafts", r.Git("rev-parse", "HEAD~1")+"\n") }, true},
		"another commit in its place": {func(r *gittest.Repo) { r.Git("replace", "HEAD", r.Git("commit-tree", "-m", "alone", "HEAD^{tree}")) }, true},
		"a parent more":               {func(r *gittest.Repo) { r.Git("replace", "--graft", "HEAD", "HEAD~1", "HEAD~2") }, false},
		"another message": {func(r *gittest.Repo) {
			r.Git("replace", "HEAD", r.Git("commit-tree", "-m", "better", "-p", "HEAD~1", "HEAD^{tree}"))
		}, false},
	} {
		t.Run(way, func(t *testing.T) {
			r := gittest.NewRepo(t)
			commitPlan(r, specRow)
			commitPlan(r, specRow, openRow)
			commitPlan(r, specRow, strings.Replace(openRow, `"x"`, `"y"`, 1))
			row.hide(r)
			for range 2 {
				if _, messages, code := logIn(t, r, "log"); code != 0 || strings.Contains(messages, warning) != row.cut {
					t.Errorf("%d %s", code, messages)
				}
			}
		})
	}
}

// A ralph.plan that names no file that ever was is hinted at (docs/history.md, "What counts as a change").
func TestPlanThatPointsNowhere(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	r.Git("config", "ralph.plan", "nowhere/plan.jsonl")
	for range 2 {
		for _, args := range [][]string{{"log"}, {"log", "--all", "--format", "text"}} {
			if _, messages, code := logIn(t, r, args...); code != 0 || !strings.Contains(messages, `hint: ralph.plan is "nowhere/plan.jsonl"`) {
				t.Errorf("%v: %d %s", args, code, messages)
			}
		}
	}
	for _, args := range [][]string{{"status"}, {"status", "--text"}, {"task", "list"}, {"query"}} {
		if _, messages, code := logIn(t, r, args...); code != 0 || strings.Count(messages, `hint: ralph.plan is "nowhere/plan.jsonl"`) != 1 {
			t.Errorf("%v: %d %s", args, code, messages)
		}
	}
	r.WriteFile("nowhere/plan.jsonl", specRow+"\n")
	for _, args := range [][]string{{"log"}, {"status"}, {"query"}} {
		if _, messages, _ := logIn(t, r, args...); strings.Contains(messages, "hint: ralph.plan") {
			t.Errorf("%v: the file is there: %s", args, messages)
		}
	}
}

// Commits whose plan cannot be read are counted as people count.
func TestUnreadablePlansAreCounted(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow)
	commitPlan(r, "not a record")
	commitPlan(r, specRow, openRow)
	if _, messages, _ := logIn(t, r, "log"); messages != "git-ralph: warning: 1 commit holds a plan that cannot be read; it was passed over\n" {
		t.Errorf("one: %s", messages)
	}
	commitPlan(r, "no record either")
	commitPlan(r, specRow)
	if _, messages, _ := logIn(t, r, "log"); messages != "git-ralph: warning: 2 commits hold a plan that cannot be read; they were passed over\n" {
		t.Errorf("two: %s", messages)
	}
}
