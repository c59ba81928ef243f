package install

import (
	"slices"
	"testing"

	"git-ralph/internal/git/config"
	"git-ralph/internal/test/gittest"
)

// TestEnviron guards: in the environment for agents, git has a driver and an attribute for the plan. Those that the user has stay, and
// so do the user's attributes of other files.
func TestEnviron(t *testing.T) {
	const file, plan = "a.pic", "ralph/plan.jsonl"
	type result struct{ driver, plan, file string }
	for name, test := range map[string]struct {
		make func(r *gittest.Repo)
		want result
		same bool // nothing is added
	}{
		"nothing":             {func(*gittest.Repo) {}, result{testDriver, "ralph", "unspecified"}, false},
		"installed":           {func(r *gittest.Repo) { install(t, r, config.ScopeLocal) }, result{testDriver, "ralph", "unspecified"}, true},
		"installed for user":  {func(r *gittest.Repo) { install(t, r, config.ScopeGlobal) }, result{testDriver, "ralph", "unspecified"}, true},
		"driver":              {func(r *gittest.Repo) { r.Git("config", "merge.ralph.driver", "mine") }, result{"mine", "ralph", "unspecified"}, false},
		"attribute in clone":  {func(r *gittest.Repo) { r.WriteFile(".git/info/attributes", plan+" merge=mine\n") }, result{testDriver, "mine", "unspecified"}, false},
		"attribute in commit": {func(r *gittest.Repo) { r.WriteFile(".gitattributes", "*.jsonl -merge\n") }, result{testDriver, "unset", "unspecified"}, false},
		"user's attributes": {func(r *gittest.Repo) {
			r.WriteFile("../home/.config/git/attributes", "*.jsonl merge=binary\n*.pic merge=pictures")
		}, result{testDriver, "ralph", "pictures"}, false},
		"user's attributes elsewhere": {func(r *gittest.Repo) {
			r.WriteFile("../home/mine", "*.pic merge=pictures\n")
			r.Git("config", "--global", "core.attributesFile", "~/mine")
		}, result{testDriver, "ralph", "pictures"}, false},
		"attributes relative to where git runs": {func(r *gittest.Repo) {
			r.WriteFile("mine", "*.pic merge=pictures\n")
			r.Git("config", "core.attributesFile", "mine")
		}, result{testDriver, "unspecified", "pictures"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			test.make(r)
			for range 2 { // an agent may start agents
				environ, err := Environ(t.Context(), options(t, r, config.ScopeLocal), r.Env)
				if err != nil {
					t.Fatal(err)
				}
				if same := slices.Equal(environ, r.Env); same != test.same {
					t.Errorf("the environment stays as it is: %v", same)
				}
				r.Env, test.same = environ, true
			}
			got := result{r.Git("config", "merge.ralph.driver"), mergeAttribute(r, plan), mergeAttribute(r, file)}
			if got != test.want {
				t.Errorf("got %+v\nwant %+v", got, test.want)
			}
		})
	}
}

// TestEnvironOverUnion guards: where .gitattributes joins the lines of all files like the plan, the driver for the plan is run all the
// same, and other files are joined as git does it; also where the project names another driver for the plan, which is then the one.
func TestEnvironOverUnion(t *testing.T) {
	const plan, other = "ralph/the plan's 100%.jsonl", "ralph/other.jsonl"
	for name, test := range map[string]struct {
		file, attributes string
		want             string
	}{
		"all":        {".gitattributes", "*.jsonl merge=union\n", "driver"},
		"nested":     {"ralph/.gitattributes", "*.jsonl text merge=union\n*.log merge=union\n", "driver"},
		"named":      {".gitattributes", "*.jsonl merge=union\n\"" + plan + "\" merge=union\n", "base\nours\ntheirs"},
		"in a clone": {".git/info/attributes", "*.jsonl merge=union\n", "driver"},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			r.Commit("base", map[string]string{test.file: test.attributes, plan: "base\n", other: "base\n"})
			r.Git("checkout", "-q", "-b", "side")
			r.Commit("theirs", map[string]string{plan: "base\ntheirs\n", other: "base\ntheirs\n"})
			r.Git("checkout", "-q", "main")
			r.Commit("ours", map[string]string{plan: "base\nours\n", other: "base\nours\n"})
			o := options(t, r, config.ScopeLocal)
			o.PlanPath, o.Driver = plan, "echo driver >%A; true %O %B %L %P"
			environ, err := Environ(t.Context(), o, r.Env)
			if err != nil {
				t.Fatal(err)
			}
			r.Env = environ
			r.Git("merge", "-q", "-m", "merge", "side")
			if got := r.Git("show", "HEAD:"+plan); got != test.want {
				t.Errorf("plan: %q, want %q", got, test.want)
			}
			if got := r.Git("show", "HEAD:"+other); got != "base\nours\ntheirs" {
				t.Errorf("other: %q", got)
			}
		})
	}
}

func install(t *testing.T, r *gittest.Repo, scope config.Scope) {
	t.Helper()
	if _, err := Install(t.Context(), options(t, r, scope)); err != nil {
		t.Fatal(err)
	}
}

// mergeAttribute returns what git's merge does with a file.
func mergeAttribute(r *gittest.Repo, file string) string {
	return r.Git("check-attr", "merge", file)[len(file+": merge: "):]
}
