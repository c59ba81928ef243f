package walls

import (
	"slices"
	"strings"
	"testing"
)

// layer is one package: its directory and the directories that it may import.
type layer struct {
	dir  string
	uses []string
}

// layers says which packages of ours each package may import. The lowest comes first: a line names only packages
// of lines above it.
var layers = []layer{
	{"internal/jsonl", nil},
	{"internal/mmap", nil},
	{"internal/heap", nil},
	{"internal/proc", nil},
	{"internal/safefile", nil},
	{"internal/ownprogram", []string{"internal/proc"}},
	{"internal/uiprogram", []string{"internal/ownprogram"}},
	{"internal/sha256", nil},
	{"internal/textmerge", nil},
	{"internal/workplan", []string{"internal/jsonl"}},
	{"internal/workplan/markdown", []string{"internal/workplan"}},
	{"internal/workplan/parser", []string{"internal/ownprogram", "internal/proc", "internal/workplan"}},
	{"internal/trust", []string{"internal/safefile", "internal/sha256"}},
	{"githooks", nil},
	{"internal/mask", []string{"internal/jsonl"}},
	{"internal/debuglog", []string{"internal/jsonl", "internal/mask", "internal/safefile", "internal/sha256"}},
	{"internal/plan", []string{"internal/jsonl"}},
	{"internal/debugissue", []string{"internal/debuglog", "internal/jsonl", "internal/plan"}},
	{"internal/pipeline", []string{"internal/jsonl", "internal/plan"}},
	{"internal/schedule", []string{"internal/pipeline", "internal/plan"}},
	{"internal/merge", []string{"internal/jsonl", "internal/plan", "internal/sha256", "internal/textmerge"}},
	{"internal/plandiff", []string{"internal/jsonl", "internal/plan", "internal/textmerge"}},
	{"internal/planrepair", []string{"internal/jsonl", "internal/merge", "internal/plan"}},
	{"internal/git/odb", []string{"internal/mmap"}},
	{"internal/git/config", nil},
	{"internal/git", []string{"internal/debuglog", "internal/git/config", "internal/git/odb", "internal/proc", "internal/safefile", "internal/sha256"}},
	{"internal/worktree", []string{"internal/git", "internal/proc", "internal/safefile", "internal/sha256"}},
	{"internal/git/walk", []string{"internal/git", "internal/git/config", "internal/git/odb", "internal/proc"}},
	{"internal/git/commit", []string{"internal/git", "internal/git/config", "internal/git/odb", "internal/proc", "internal/safefile"}},
	{"internal/git/treemerge", []string{"internal/git", "internal/git/commit", "internal/git/odb", "internal/sha256"}},
	{"internal/claim", []string{"internal/jsonl"}},
	{"internal/claim/authority", []string{
		"internal/claim", "internal/git", "internal/git/commit", "internal/git/config", "internal/proc", "internal/safefile",
	}},
	{"internal/store", []string{
		"internal/debuglog", "internal/git", "internal/git/commit", "internal/git/config", "internal/git/walk", "internal/jsonl",
		"internal/merge", "internal/plan", "internal/plandiff", "internal/planrepair", "internal/safefile",
	}},
	{"internal/workplantask", []string{"internal/jsonl", "internal/plan", "internal/safefile", "internal/store", "internal/workplan"}},
	{"internal/history/record", []string{"internal/git", "internal/git/walk", "internal/jsonl", "internal/plan"}},
	{"internal/undo", []string{
		"internal/git", "internal/history/record", "internal/jsonl", "internal/merge", "internal/pipeline", "internal/plan", "internal/plandiff", "internal/sha256",
	}},
	{"internal/history/fold", []string{
		"internal/git", "internal/git/walk", "internal/history/record", "internal/jsonl", "internal/plan",
	}},
	{"internal/history/query", []string{"internal/history/fold", "internal/plan"}},
	{"internal/history/cache", []string{
		"internal/git", "internal/git/walk", "internal/history/fold", "internal/history/record", "internal/mmap",
	}},
	{"internal/history", []string{
		"internal/git", "internal/git/walk", "internal/history/cache", "internal/history/fold", "internal/history/record",
	}},
	{"internal/mergedriver", []string{"internal/merge", "internal/proc", "internal/safefile"}},
	{"internal/githook", []string{
		"githooks", "internal/git", "internal/git/commit", "internal/git/config", "internal/git/walk",
		"internal/history/record", "internal/jsonl", "internal/mask", "internal/pipeline", "internal/plan", "internal/plandiff",
		"internal/schedule", "internal/store", "internal/undo",
	}},
	{"internal/hub", []string{"internal/sha256", "internal/workplan"}},
	{"internal/hub/outbox", []string{"internal/hub", "internal/safefile", "internal/sha256"}},
	{"internal/github", nil},
	{"internal/github/pull", nil},
	{"internal/hub/target", []string{"internal/git", "internal/hub", "internal/hub/outbox", "internal/workplan"}},
	{"internal/agenthook", []string{"internal/jsonl"}},
	{"internal/agentsession", []string{"internal/safefile", "internal/sha256"}},
	{"internal/jsonc", nil},
	{"internal/agentkit", []string{"internal/jsonc", "internal/jsonl", "internal/safefile", "internal/sha256"}},
	{"internal/workplanloop", []string{"internal/jsonl", "internal/workplan"}},
	{"internal/install", []string{"githooks", "internal/git", "internal/git/config", "internal/safefile"}},
	{"internal/doctor", []string{
		"githooks", "internal/agentkit", "internal/claim", "internal/claim/authority", "internal/git", "internal/git/commit", "internal/git/config", "internal/git/walk", "internal/install", "internal/plan",
		"internal/ownprogram", "internal/proc", "internal/store", "internal/uiprogram", "internal/workplan/parser",
	}},
	{"internal/land", []string{
		"internal/claim", "internal/claim/authority", "internal/git", "internal/git/commit", "internal/git/config", "internal/git/treemerge", "internal/jsonl",
		"internal/mask", "internal/merge", "internal/pipeline", "internal/plan", "internal/proc", "internal/safefile", "internal/store", "internal/worktree",
	}},
	{"internal/agent", []string{"internal/jsonl", "internal/mask", "internal/proc"}},
	{"internal/prompt", []string{"internal/pipeline", "internal/plan", "internal/safefile", "internal/schedule"}},
	{"internal/landed", []string{"internal/git", "internal/git/odb", "internal/git/walk", "internal/plan"}},
	{"internal/journal", []string{"internal/jsonl", "internal/proc", "internal/safefile"}},
	{"internal/watch", []string{"internal/claim/authority", "internal/journal", "internal/store"}},
	{"internal/report", []string{"internal/jsonl"}},
	{"internal/changes", []string{"internal/git", "internal/jsonl"}},
	{"internal/evidence", []string{
		"internal/git", "internal/git/commit", "internal/git/config", "internal/git/walk", "internal/jsonl", "internal/mask", "internal/plan",
		"internal/proc", "internal/safefile", "internal/sha256", "internal/trust", "internal/worktree",
	}},
	{"internal/view/layout", nil},
	{"internal/view", []string{
		"internal/claim", "internal/evidence", "internal/git", "internal/history/fold", "internal/jsonl", "internal/landed", "internal/pipeline",
		"internal/mask", "internal/plan", "internal/plandiff", "internal/schedule", "internal/view/layout",
	}},
	{"internal/view/export", []string{"internal/mask", "internal/plan", "internal/view"}},
	{"internal/view/svg", []string{"internal/mask", "internal/plan", "internal/view", "internal/view/layout"}},
	{"internal/view/text", []string{"internal/mask", "internal/plan", "internal/view"}},
	{"internal/view/dot", []string{"internal/mask", "internal/plan", "internal/view"}},
	{"internal/view/mermaid", []string{"internal/mask", "internal/plan", "internal/view"}},
	{"internal/iteration", []string{
		"internal/agent", "internal/changes", "internal/debuglog", "internal/evidence", "internal/git", "internal/git/commit", "internal/git/walk",
		"internal/journal", "internal/jsonl", "internal/mask", "internal/pipeline", "internal/plan", "internal/proc", "internal/prompt",
		"internal/report", "internal/safefile", "internal/schedule", "internal/store",
	}},
	{"internal/loop", []string{
		"internal/agent", "internal/changes", "internal/debuglog", "internal/evidence", "internal/git", "internal/git/config", "internal/iteration", "internal/journal", "internal/jsonl",
		"internal/mask", "internal/pipeline", "internal/plan", "internal/proc", "internal/prompt", "internal/schedule", "internal/store",
	}},
	{"internal/work", []string{
		"internal/claim", "internal/claim/authority", "internal/git", "internal/git/commit", "internal/iteration", "internal/journal", "internal/land",
		"internal/loop", "internal/mask", "internal/pipeline", "internal/plan", "internal/proc", "internal/safefile", "internal/schedule", "internal/store", "internal/worktree",
	}},
	{"internal/team", []string{
		"internal/claim", "internal/claim/authority", "internal/debuglog", "internal/iteration", "internal/journal", "internal/jsonl", "internal/loop", "internal/pipeline",
		"internal/plan", "internal/proc", "internal/schedule", "internal/store", "internal/work",
	}},
	{"internal/cli/term", []string{"internal/debuglog", "internal/git", "internal/jsonl", "internal/mask", "internal/proc"}},
	{"internal/cli/cmdline", []string{"internal/cli/term"}},
	{"internal/cli/planprint", []string{
		"internal/claim", "internal/cli/cmdline", "internal/cli/term", "internal/jsonl", "internal/landed", "internal/merge", "internal/pipeline", "internal/plan",
		"internal/plandiff", "internal/schedule",
	}},
	{"internal/cli/planio", []string{
		"internal/agent", "internal/claim", "internal/claim/authority", "internal/cli/cmdline", "internal/cli/planprint", "internal/cli/term", "internal/debuglog", "internal/evidence", "internal/git",
		"internal/git/config", "internal/git/walk", "internal/heap", "internal/history", "internal/history/fold", "internal/install",
		"internal/hub/target", "internal/journal", "internal/jsonl", "internal/landed", "internal/loop", "internal/mask", "internal/merge", "internal/mergedriver",
		"internal/pipeline", "internal/plan", "internal/plandiff", "internal/proc", "internal/safefile", "internal/schedule", "internal/store", "internal/workplan", "internal/workplan/parser", "internal/workplantask",
		"internal/worktree",
	}},
	{"internal/cli/viewio", []string{
		"internal/cli/planio", "internal/cli/term", "internal/git", "internal/history", "internal/history/fold", "internal/journal", "internal/jsonl",
		"internal/landed", "internal/loop", "internal/plan", "internal/schedule", "internal/store", "internal/view", "internal/worktree",
	}},
	{"internal/cli/trustprompt", []string{
		"internal/cli/cmdline", "internal/cli/term", "internal/git", "internal/git/config", "internal/journal",
		"internal/plan", "internal/store", "internal/trust",
	}},
	{"internal/cli/plancmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/planprint", "internal/cli/term", "internal/evidence", "internal/git", "internal/git/config",
		"internal/git/walk", "internal/githook", "internal/history", "internal/history/fold", "internal/jsonl", "internal/landed",
		"internal/merge", "internal/pipeline", "internal/plan", "internal/plandiff", "internal/proc", "internal/safefile",
		"internal/schedule", "internal/store",
	}},
	{"internal/cli/pipelinecmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/planprint", "internal/cli/term", "internal/pipeline", "internal/plan", "internal/store",
	}},
	{"internal/git/credential", []string{"internal/proc"}},
	{"internal/hub/transport", []string{"internal/git/credential", "internal/hub", "internal/mask", "internal/proc"}},
	{"internal/github/api", []string{"internal/git/credential", "internal/github", "internal/mask", "internal/proc", "internal/safefile", "internal/sha256"}},
	{"internal/github/mirror", []string{"internal/jsonl", "internal/merge", "internal/pipeline", "internal/plan", "internal/sha256"}},
	{"internal/github/failure", []string{"internal/debugissue", "internal/debuglog", "internal/github/mirror"}},
	{"internal/github/remote", []string{"internal/github", "internal/github/api", "internal/github/mirror"}},
	{"internal/pullrequest", []string{"internal/git", "internal/github/api", "internal/github/pull"}},
	{"internal/cli/hubgate", []string{
		"internal/cli/planio", "internal/cli/term", "internal/git", "internal/hub", "internal/hub/target", "internal/ownprogram", "internal/proc",
		"internal/safefile", "internal/uiprogram", "internal/workplan",
	}},
	{"internal/cli/workplanview", []string{
		"internal/changes", "internal/cli/term", "internal/git", "internal/hub/target", "internal/sha256", "internal/workplan", "internal/workplan/parser",
		"internal/workplanloop",
	}},
	{"internal/cli/agentcmd", []string{
		"internal/agent", "internal/agenthook", "internal/agentkit", "internal/agentsession", "internal/cli/cmdline", "internal/cli/planio", "internal/cli/planprint",
		"internal/cli/term", "internal/cli/workplanview", "internal/debuglog", "internal/git", "internal/github", "internal/journal", "internal/jsonl", "internal/pipeline", "internal/plan",
		"internal/schedule", "internal/store", "internal/workplan", "internal/workplanloop",
	}},
	{"internal/cli/claimcmd", []string{
		"internal/claim", "internal/claim/authority", "internal/cli/cmdline", "internal/cli/planio", "internal/cli/planprint",
		"internal/cli/term", "internal/git/commit", "internal/git/config", "internal/journal", "internal/land", "internal/plan", "internal/schedule", "internal/store",
	}},
	{"internal/cli/evidencecmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/term", "internal/evidence", "internal/git", "internal/git/config",
		"internal/git/walk", "internal/plan", "internal/store",
	}},
	{"internal/cli/historycmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/planprint", "internal/cli/term", "internal/evidence", "internal/git",
		"internal/git/walk", "internal/history", "internal/history/fold", "internal/history/query", "internal/landed", "internal/plan", "internal/plandiff",
		"internal/store",
	}},
	{"internal/cli/undocmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/term", "internal/evidence", "internal/git", "internal/git/commit", "internal/git/walk",
		"internal/history", "internal/history/fold", "internal/merge", "internal/plan", "internal/store", "internal/undo", "internal/workplantask",
	}},
	{"internal/cli/landcmd", []string{
		"internal/claim", "internal/claim/authority", "internal/cli/cmdline", "internal/cli/planio", "internal/cli/term",
		"internal/git/commit", "internal/land", "internal/store",
	}},
	{"internal/cli/workplancmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/term", "internal/git", "internal/jsonl", "internal/plan", "internal/safefile",
		"internal/store", "internal/workplan", "internal/workplantask",
	}},
	{"internal/cli/runcmd", []string{
		"internal/agent", "internal/changes", "internal/claim", "internal/claim/authority", "internal/cli/cmdline", "internal/cli/hubgate", "internal/cli/planio",
		"internal/cli/planprint", "internal/cli/term", "internal/cli/trustprompt", "internal/cli/workplancmd", "internal/cli/workplanview", "internal/evidence", "internal/git/commit", "internal/git/config", "internal/github", "internal/history",
		"internal/history/fold", "internal/iteration", "internal/journal", "internal/jsonl", "internal/land", "internal/loop",
		"internal/pipeline", "internal/plan", "internal/proc", "internal/prompt", "internal/schedule", "internal/store", "internal/team", "internal/work", "internal/workplan",
		"internal/workplanloop", "internal/worktree",
	}},
	{"internal/cli/mergecmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/planprint", "internal/cli/term",
		"internal/githook", "internal/jsonl", "internal/merge", "internal/mergedriver", "internal/pipeline", "internal/plan",
		"internal/plandiff", "internal/planrepair", "internal/schedule", "internal/store",
	}},
	{"internal/cli/setupcmd", []string{
		"internal/agentkit", "internal/cli/cmdline", "internal/cli/mergecmd", "internal/cli/plancmd", "internal/cli/planio",
		"internal/cli/term", "internal/cli/trustprompt", "internal/doctor", "internal/evidence", "internal/git", "internal/git/commit", "internal/git/config",
		"internal/install", "internal/mergedriver", "internal/plan", "internal/store", "internal/trust",
	}},
	{"internal/cli/uicmd", []string{"internal/cli/cmdline", "internal/cli/term", "internal/ownprogram", "internal/proc", "internal/uiprogram"}},
	{"internal/cli/debugcmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/term", "internal/cli/uicmd", "internal/debugissue", "internal/debuglog", "internal/git",
		"internal/git/walk", "internal/plan", "internal/store",
	}},
	{"internal/cli/viewcmd", []string{
		"internal/cli/cmdline", "internal/cli/planio", "internal/cli/planprint", "internal/cli/term", "internal/cli/viewio", "internal/history/fold", "internal/history/query", "internal/plan", "internal/view",
		"internal/view/dot", "internal/view/export", "internal/view/mermaid", "internal/view/svg", "internal/view/text",
	}},
	{"internal/cli", []string{
		"internal/agent", "internal/claim/authority", "internal/cli/agentcmd", "internal/cli/claimcmd", "internal/cli/cmdline", "internal/cli/debugcmd", "internal/cli/evidencecmd", "internal/cli/historycmd", "internal/cli/hubgate", "internal/cli/landcmd",
		"internal/cli/mergecmd", "internal/cli/pipelinecmd",
		"internal/cli/plancmd", "internal/cli/planio", "internal/cli/runcmd", "internal/cli/setupcmd", "internal/cli/term",
		"internal/cli/trustprompt", "internal/cli/uicmd", "internal/cli/undocmd", "internal/cli/viewcmd", "internal/cli/workplancmd", "internal/git/commit", "internal/git/walk", "internal/journal", "internal/loop",
		"internal/plan", "internal/safefile", "internal/store", "internal/work", "internal/workplan",
	}},
	{"internal/cli/hubcmd", []string{
		"internal/cli/cmdline", "internal/cli/hubgate", "internal/cli/planio", "internal/cli/term", "internal/cli/uicmd", "internal/cli/workplancmd",
		"internal/debuglog", "internal/hub", "internal/hub/target", "internal/hub/transport", "internal/safefile",
	}},
	{"internal/cli/githubcmd", []string{
		"internal/cli/cmdline", "internal/cli/debugcmd", "internal/cli/planio", "internal/cli/term", "internal/cli/uicmd", "internal/debugissue", "internal/debuglog", "internal/evidence",
		"internal/github", "internal/github/api", "internal/github/failure", "internal/github/mirror", "internal/github/pull", "internal/github/remote", "internal/jsonl", "internal/land", "internal/pipeline",
		"internal/plan", "internal/pullrequest", "internal/safefile", "internal/sha256", "internal/store",
	}},
	{"internal/cli/manpages", []string{"internal/cli", "internal/cli/cmdline", "internal/cli/term"}},
	{"internal/cli/inprocess", []string{"internal/cli", "internal/cli/cmdline", "internal/cli/planio", "internal/cli/term", "internal/debuglog", "internal/proc"}},
	{"internal/loopback", nil},
	{"internal/mcpserver", []string{
		"internal/cli/cmdline", "internal/cli/inprocess", "internal/cli/planio", "internal/cli/term", "internal/cli/uicmd", "internal/debuglog", "internal/jsonl",
		"internal/loopback", "internal/watch",
	}},
	{"internal/cli/cardaction", []string{"internal/cli/inprocess", "internal/jsonl", "internal/plan", "internal/view"}},
	{"internal/web", []string{
		"internal/cli", "internal/cli/cardaction", "internal/cli/cmdline", "internal/cli/inprocess", "internal/cli/planio", "internal/cli/term", "internal/cli/uicmd", "internal/cli/viewio", "internal/git",
		"internal/heap", "internal/history/fold", "internal/jsonl", "internal/loopback", "internal/plan", "internal/plandiff", "internal/proc", "internal/view", "internal/view/svg", "internal/watch", "internal/worktree",
	}},
	{"internal/board", []string{
		"internal/cli", "internal/cli/cardaction", "internal/cli/cmdline", "internal/cli/inprocess", "internal/cli/planio", "internal/cli/term", "internal/cli/uicmd", "internal/cli/viewio",
		"internal/git", "internal/history/fold", "internal/jsonl", "internal/mask", "internal/plan", "internal/plandiff", "internal/safefile", "internal/view", "internal/watch",
	}},
	{"cmd/git-ralph", []string{"internal/cli", "internal/cli/term"}},
	{"cmd/git-ralph-ui", []string{"internal/board", "internal/cli", "internal/cli/githubcmd", "internal/cli/hubcmd", "internal/cli/term", "internal/cli/uicmd", "internal/mcpserver", "internal/uiprogram", "internal/web"}},
	{"merge-driver", []string{"internal/mergedriver"}},
	{"cmd/git-ralph-workplan-parser", []string{"internal/workplan/markdown"}},

	{"internal/dist", []string{"internal/proc"}},

	// No program links these: only make and the tests use them.
	{"internal/test/gittest", []string{"internal/proc"}},
	{"internal/test/githubserver", []string{"internal/proc"}},
	{"internal/test/landings", []string{"internal/test/gittest"}},
	{"internal/test/masktest", nil},
	{"internal/test/mergeoracle", nil},
	{"internal/test/pipelineoracle", nil},
	{"internal/test/realagent", nil},
	{"internal/test/scripted", []string{"internal/jsonl", "internal/proc"}},
	{"internal/test/demo/scripted-agent", []string{"internal/test/scripted"}},
	{"internal/test/oracle", []string{"internal/proc"}},
	{"internal/test/historytest", nil},
	{"internal/test/pty", nil},
	{"internal/test/bench", []string{"internal/claim", "internal/claim/authority", "internal/git", "internal/git/walk", "internal/proc", "internal/test/pty"}},
	{"internal/test/checkreal", []string{"internal/test/oracle", "internal/jsonl", "internal/plan", "internal/proc"}},
	{"internal/test/endtoend", nil},
	{"internal/test/installer", nil},
	{"internal/test/walls", nil},
	{"internal/test/webpage", nil},
}

// TestLayers keeps each package to what its line allows, and the table to the packages that exist.
func TestLayers(t *testing.T) {
	dirs, byDir := packages(source(t))
	allowed := map[string][]string{}
	for i, it := range layers {
		allowed[it.dir] = it.uses
		for _, use := range it.uses {
			if !slices.ContainsFunc(layers[:i], func(f layer) bool { return f.dir == use }) {
				t.Errorf("table: %s may use %s, which is not in a lower layer", it.dir, use)
			}
		}
		if !slices.Contains(dirs, it.dir) {
			t.Errorf("table: there is no package %s", it.dir)
		}
	}
	for _, dir := range dirs {
		uses, known := allowed[dir]
		if !known {
			t.Errorf("%s has no line in the table of layers", dir)
			continue
		}
		for _, f := range byDir[dir] {
			for _, path := range f.imports() {
				if own, ok := strings.CutPrefix(path, module+"/"); ok && !slices.Contains(uses, own) {
					t.Errorf("%s imports %s, which its layer does not allow", f.path, own)
				}
			}
		}
	}
}

// walls names imports that belong to one place. A path that ends in "/" stands for everything below it.
var walls = []struct {
	path  string
	only  []string // directories; a directory counts with those below it
	tests bool     // whether tests are held to it too
}{
	{"os/exec", []string{"internal/proc"}, false},
	{"github.com/go-git/", []string{"internal/git"}, true},
	{"github.com/urfave/cli/", []string{"internal/cli"}, true},
	{"github.com/sergi/go-diff/", []string{"internal/textmerge"}, true},
	{"github.com/yuin/goldmark/", []string{"internal/workplan/markdown"}, true},
	{"go.yaml.in/", []string{"internal/workplan/markdown"}, true},
	{"net/http", []string{"internal/mcpserver", "internal/loopback", "internal/web", "internal/test/webpage", "internal/hub/transport", "internal/cli/hubcmd", "internal/cli/githubcmd", "internal/github/api", "internal/test/githubserver", "internal/test/realagent"}, true}, // git-ralph-ui, and servers for tests; see tooHeavy
	{"github.com/modelcontextprotocol/", []string{"internal/mcpserver", "internal/hub/transport"}, true},
	{"github.com/google/licensecheck", []string{"internal/dist"}, true},
	{"charm.land/", []string{"internal/board"}, true},
	{"github.com/charmbracelet/", []string{"internal/board"}, true},
	{"github.com/chromedp/", []string{"internal/test/webpage"}, true},
	{"encoding/gob", nil, true},
	{"text/template", nil, true},
	{"html/template", nil, true},
}

// TestWalls keeps what is dangerous, heavy or replaceable behind the one package whose job it is.
func TestWalls(t *testing.T) {
	for _, f := range source(t) {
		for _, path := range f.imports() {
			for _, wall := range walls {
				if f.test && !wall.tests || !covers(wall.path, path) {
					continue
				}
				if !slices.ContainsFunc(wall.only, func(dir string) bool { return f.dir == dir || strings.HasPrefix(f.dir, dir+"/") }) {
					t.Errorf("%s imports %s; only %v may", f.path, path, wall.only)
				}
			}
		}
	}
}

func covers(wall, path string) bool {
	return path == wall || strings.HasSuffix(wall, "/") && strings.HasPrefix(path, wall)
}

// TestProcessesStartInProc closes the ways around os/exec.
func TestProcessesStartInProc(t *testing.T) {
	for _, f := range source(t) {
		if f.test || f.dir == "internal/proc" {
			continue
		}
		for _, way := range [][2]string{{"os", "StartProcess"}, {"syscall", "Exec"}, {"syscall", "ForkExec"}, {"syscall", "StartProcess"}} {
			if line := f.uses(way[0], way[1]); line > 0 {
				t.Errorf("%s:%d: %s.%s; only internal/proc starts programs", f.path, line, way[0], way[1])
			}
		}
	}
}

// pure are the packages whose answers depend on their arguments alone: no files, clock, chance or environment.
var pure = []string{"internal/agenthook", "internal/jsonc", "internal/workplanloop", "internal/claim", "internal/jsonl", "internal/mask", "internal/plan", "internal/schedule", "internal/report", "internal/plandiff", "internal/sha256", "internal/textmerge", "internal/merge", "internal/pipeline", "internal/planrepair", "internal/history/record", "internal/history/fold", "internal/history/query", "internal/undo", "internal/view", "internal/view/layout", "internal/view/export", "internal/view/svg", "internal/view/text", "internal/view/dot", "internal/view/mermaid", "internal/workplan", "internal/workplan/markdown", "internal/hub", "internal/github/mirror"}

// impure are what they must not import, and single names of packages that they may import.
var (
	impureImports = []string{"os", "os/", "io/fs", "io/ioutil", "net", "net/", "syscall", "math/rand", "math/rand/v2", "crypto/rand", "log", "log/slog", "flag", "runtime/debug"}
	impureNames   = map[string][]string{
		"time":          {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Local", "LoadLocation"},
		"fmt":           {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
		"path/filepath": {"Abs", "EvalSymlinks", "Glob", "Walk", "WalkDir"},
	}
)

// TestPurePackages keeps I/O, clock, randomness and environment out of the packages that are handed them.
func TestPurePackages(t *testing.T) {
	for _, f := range source(t) {
		if f.test || !slices.Contains(pure, f.dir) {
			continue
		}
		for _, path := range f.imports() {
			if slices.ContainsFunc(impureImports, func(wall string) bool { return covers(wall, path) }) {
				t.Errorf("%s imports %s, but %s is pure", f.path, path, f.dir)
			}
		}
		for path, names := range impureNames {
			for _, name := range names {
				if line := f.uses(path, name); line > 0 {
					t.Errorf("%s:%d: %s.%s, but %s is pure", f.path, line, path, name, f.dir)
				}
			}
		}
	}
}
