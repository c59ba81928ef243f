package agentkit_test

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/agentkit"
	"git-ralph/internal/jsonc"
	"git-ralph/internal/safefile"
)

// A tree maps the files below a directory to their permissions and content, or the target of a link.
type tree map[string]string

func treeOf(t *testing.T, root string) tree {
	t.Helper()
	all := tree{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if e.Type()&fs.ModeSymlink != 0 {
			target, _ := os.Readlink(path)
			content, err = []byte("-> "+target+"\n"+string(content)), nil
		}
		all[path] = info.Mode().String() + "\n" + string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t *testing.T, path, text string, perm fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), perm)); err != nil {
		t.Fatal(err)
	}
}

func change(t *testing.T, p agentkit.Places, agent string, scope agentkit.Scope, find func(agentkit.Places, string, agentkit.Scope) ([]agentkit.Change, error)) []agentkit.Change {
	t.Helper()
	changes, err := find(p, agent, scope)
	if err == nil {
		err = agentkit.Apply(changes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// settings are the files that are edited, by agent.
func settings(agent string) string {
	return map[string]string{
		"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "cursor": ".cursor/hooks.json", "gemini": ".gemini/settings.json", "opencode": ".opencode/opencode.jsonc",
	}[agent]
}

// ownServer returns an entry of the user's for our MCP server, as `claude mcp add` writes it.
func ownServer(agent string) string {
	if agent == "opencode" {
		return `"mcp": {"git-ralph": {"type": "local", "command": ["git-ralph", "mcp"], "enabled": true}}`
	}
	return `"mcpServers": {"git-ralph": {"type": "stdio", "command": "git-ralph", "args": ["mcp"], "env": {}}}`
}

// drawSettings returns a file of settings with hooks and other things of the user's, in one of many layouts.
func drawSettings(agent string, random *rand.Rand) string {
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	event := map[string]string{"claude": "Stop", "codex": "Stop", "cursor": "stop", "gemini": "AfterAgent", "opencode": "x"}[agent]
	mine := `{"hooks": [{"type": "command", "command": "` + pick("npm test # git-ralph", "echo git-ralph agent hook", "timeout 5 git-ralph agent hook claude Stop", "git-ralph agent hook claude Stop; say done") + `"}]}`
	if agent == "cursor" {
		mine = `{"command": "./mine.sh", "loop_limit": null}`
	}
	hooks := pick("{}", "{ }", `{"`+event+`": []}`, `{"`+event+`": [`+mine+`]}`, `{"`+event+`": [`+mine+`, ], "other": [`+mine+`]}`, "{ // none\n    }", "{\n    \""+event+"\": [\n      "+mine+"\n    ]\n  }")
	var members []string
	for _, m := range []string{`"hooks": ` + hooks, `"version": 1`, `"permissions": {"allow": ["Bash(git *)"]}`, `"model":"opus"`, `"enabledPlugins": {"x@y": true}`, `"名": "日本"`, ownServer(agent)} {
		if random.IntN(2) == 0 {
			members = append(members, m)
		}
	}
	random.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
	if len(members) == 0 {
		return pick("", "\n", "{}", "{}\n", "{\n}\n", "// nothing yet\n{}\n")
	}
	line := pick("\n", "\n", "\r\n")
	gap := pick(line+"  ", line+"\t", " ", "", line+"    ")
	text := pick("", "\ufeff", "// settings\n") + "{" + gap + strings.Join(members, ","+gap)
	return text + pick("", ",", " /* end */", ", // end"+line) + pick(line, "", " ") + "}" + pick("", line)
}

// drawTOML returns settings of codex with tables and servers of the user's, in one of many layouts.
func drawTOML(random *rand.Rand) string {
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	parts := []string{"model = \"gpt-5\" # 日本"}
	for _, part := range []string{
		"[mcp_servers.other]\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n  \"x\",\n]", "[mcp_servers]", "[[profiles]]\nname = 'a'",
		"# [mcp_servers.git-ralph]", "[notes]\ntext = \"\"\"\n# not a comment \\\"\n\"\"\"", "[projects.\"/x/git-ralph\"]\ntrust_level = \"trusted\"", "\t[a]\n\tb.c = 1",
	} {
		if random.IntN(2) == 0 {
			parts = append(parts, part)
		}
	}
	text := strings.Join(parts[random.IntN(2):], pick("\n", "\n\n"))
	if random.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return pick("", "\ufeff") + text + pick("", "\n", "\r\n", "\n\n", " # end")
}

// TestRestoresEverything guards: after an uninstall every file is byte for byte what it was, for each agent, over 100 random files of
// settings, also behind a symbolic link and with permissions of their own; installing twice is the same as once.
func TestRestoresEverything(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, agent := range agentkit.Agents() {
		for n := range 100 {
			root := t.TempDir()
			write(t, filepath.Join(root, "README"), "x", 0o644)
			path := filepath.Join(root, settings(agent))
			switch n % 5 {
			case 0: // no file
			case 1:
				write(t, filepath.Join(root, "dotfiles", "settings"), drawSettings(agent, random), 0o600)
				write(t, filepath.Join(filepath.Dir(path), "x"), "x", 0o644)
				if err := os.Symlink("../dotfiles/settings", path); err != nil {
					t.Skip(err)
				}
			default:
				write(t, path, drawSettings(agent, random), []fs.FileMode{0o644, 0o640, 0o600}[n%3])
			}
			if agent == "codex" && n%5 > 0 {
				write(t, filepath.Join(root, ".codex", "config.toml"), drawTOML(random), 0o600)
			}
			before := treeOf(t, root)
			p := agentkit.Places{Root: root}
			change(t, p, agent, agentkit.Project, agentkit.Places.Install)
			installed := treeOf(t, root)
			if state, _, err := p.Status(agent, agentkit.Project); state != agentkit.Current || err != nil {
				t.Fatalf("%s: %s, %v", agent, state, err)
			}
			if again := change(t, p, agent, agentkit.Project, agentkit.Places.Install); len(again) > 0 || !maps.Equal(treeOf(t, root), installed) {
				t.Fatalf("%s: installing again did %+v", agent, again)
			}
			change(t, p, agent, agentkit.Project, agentkit.Places.Uninstall)
			if after := treeOf(t, root); !maps.Equal(after, before) {
				t.Fatalf("%s:\n%q\n%q\n%q", agent, before[path], installed[path], after[path])
			}
		}
	}
}

// TestOlderVersionIsReplaced guards: our own entries and files of another version are replaced, and nothing else.
func TestOlderVersionIsReplaced(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, ".claude", "settings.json")
	write(t, path, `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}, {"hooks": [{"type": "command", "command": "git-ralph agent hook claude Stop --old"}]}]}}`, 0o644)
	p := agentkit.Places{Root: root}
	change(t, p, "claude", agentkit.Project, agentkit.Places.Install)
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "--old") || strings.Count(string(data), "hook claude Stop ||") != 1 || !strings.Contains(string(data), `"mine"`) {
		t.Errorf("%s, %v", data, err)
	}
}

// TestLeavesOthersFiles guards: a skill of the user's with the name of ours, a changed one and a link are left alone, by install and by
// uninstall.
func TestLeavesOthersFiles(t *testing.T) {
	root := t.TempDir()
	p := agentkit.Places{Root: root}
	own := filepath.Join(root, ".claude/skills/create-plan/SKILL.md")
	write(t, own, "mine\n", 0o644)
	changes := change(t, p, "claude", agentkit.Project, agentkit.Places.Install)
	if i := slices.IndexFunc(changes, func(c agentkit.Change) bool { return c.Path == own }); i < 0 || changes[i].Action != agentkit.Leave {
		t.Errorf("%+v", changes)
	}
	edited := filepath.Join(root, ".claude/skills/draft-idea/SKILL.md")
	data, err := os.ReadFile(edited)
	if err != nil {
		t.Fatal(err)
	}
	write(t, edited, "more\n"+string(data), 0o644)
	change(t, p, "claude", agentkit.Project, agentkit.Places.Install)
	change(t, p, "claude", agentkit.Project, agentkit.Places.Uninstall)
	left := slices.Sorted(maps.Keys(treeOf(t, root)))
	if !slices.Equal(left, []string{own, edited}) {
		t.Errorf("left %v", left)
	}
}

// TestReadOnlyChangesNothing guards: where a file must not be written, or is no JSON, nothing at all changes.
func TestReadOnlyChangesNothing(t *testing.T) {
	for _, agent := range agentkit.Agents() {
		root := t.TempDir()
		p := agentkit.Places{Root: root}
		path := filepath.Join(root, settings(agent))
		write(t, path, "{}", 0o444)
		before := treeOf(t, root)
		changes, err := p.Install(agent, agentkit.Project)
		if err == nil {
			err = agentkit.Apply(changes)
		}
		if !errors.Is(err, safefile.ErrReadOnly) || !maps.Equal(treeOf(t, root), before) {
			t.Errorf("%s: %v, %v", agent, err, treeOf(t, root))
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		write(t, path, "{oops", 0o644)
		if _, err := p.Install(agent, agentkit.Project); !errors.Is(err, jsonc.ErrSyntax) {
			t.Errorf("%s: %v", agent, err)
		}
	}
}

// TestUserScope guards: what is for the user goes where each agent looks for it, also where its directory was moved.
func TestUserScope(t *testing.T) {
	home := t.TempDir()
	p := agentkit.Places{Home: home, Getenv: func(name string) string {
		return map[string]string{"CODEX_HOME": filepath.Join(home, "moved")}[name]
	}}
	for agent, want := range map[string]string{
		"claude": ".claude/settings.json", "codex": "moved/hooks.json", "cursor": ".cursor/hooks.json", "gemini": ".gemini/settings.json", "opencode": ".config/opencode/plugins/git-ralph.ts",
	} {
		change(t, p, agent, agentkit.User, agentkit.Places.Install)
		if _, err := os.Stat(filepath.Join(home, want)); err != nil {
			t.Errorf("%s: %v", agent, err)
		}
		change(t, p, agent, agentkit.User, agentkit.Places.Uninstall)
	}
	if left := treeOf(t, home); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// TestMovedDirectories guards: the variables that move an agent's own directory move what is installed there, seen with gemini 0.61.0 and
// opencode 1.18.33. A path that is not absolute moves nothing.
func TestMovedDirectories(t *testing.T) {
	for _, row := range [][3]string{
		{"claude", "CLAUDE_CONFIG_DIR", "moved/settings.json"},
		{"codex", "CODEX_HOME", "moved/hooks.json"},
		{"gemini", "GEMINI_CLI_HOME", "moved/.gemini/settings.json"},
		{"opencode", "OPENCODE_CONFIG_DIR", "moved/opencode.json"},
		{"opencode", "XDG_CONFIG_HOME", "moved/opencode/opencode.json"},
	} {
		for _, want := range []string{row[2], ""} {
			home := t.TempDir()
			value := "moved" // not absolute, so nothing is moved
			if want != "" {
				value = filepath.Join(home, value)
			}
			p := agentkit.Places{Home: home, Getenv: func(name string) string { return map[string]string{row[1]: value}[name] }}
			change(t, p, row[0], agentkit.User, agentkit.Places.Install)
			if _, err := os.Stat(filepath.Join(home, "moved")); (err == nil) != (want != "") {
				t.Errorf("%v, %q: %v", row, value, err)
			}
			if _, err := os.Stat(filepath.Join(home, want)); err != nil {
				t.Errorf("%v, %q: %v", row, value, err)
			}
			change(t, p, row[0], agentkit.User, agentkit.Places.Uninstall)
			if left := treeOf(t, home); len(left) > 0 {
				t.Errorf("%v: left %v", row, left)
			}
		}
	}
}

// TestLinksOutOfTheRepository guards: what is installed for a project is not written to where a link in the repository leads outside
// of it; the link is named, and nothing changes. In the user's own directories links are followed.
func TestLinksOutOfTheRepository(t *testing.T) {
	for _, agent := range agentkit.Agents() {
		file := strings.Replace(settings(agent), ".jsonc", ".json", 1)
		dir := filepath.Dir(file)
		for _, row := range [][2]string{{dir, "HOME"}, {dir, "HOME/missing"}, {dir, ".git"}, {file, "HOME/settings"}, {file, "HOME/missing"}, {file, "../.git/config"}} {
			root, home := t.TempDir(), t.TempDir()
			link, target := filepath.Join(root, row[0]), strings.Replace(row[1], "HOME", home, 1)
			write(t, filepath.Join(home, "settings"), "{}", 0o644)
			write(t, filepath.Join(root, ".git", "config"), "", 0o644)
			if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o777), os.Symlink(target, link)); err != nil {
				t.Skip(err)
			}
			before, outside := treeOf(t, root), treeOf(t, home)
			p := agentkit.Places{Root: root}
			_, err := p.Install(agent, agentkit.Project)
			if !errors.Is(err, agentkit.ErrLink) || !strings.Contains(err.Error(), link) {
				t.Errorf("%s %v: %v", agent, row, err)
			}
			if state, _, err := p.Status(agent, agentkit.Project); state != agentkit.Absent || err != nil {
				t.Errorf("%s %v: %s, %v", agent, row, state, err)
			}
			if !maps.Equal(treeOf(t, root), before) || !maps.Equal(treeOf(t, home), outside) {
				t.Errorf("%s %v: %v, %v", agent, row, treeOf(t, root), treeOf(t, home))
			}
		}
	}
}

// TestUserLinks guards: the user's own settings may be a link, as those that manage dotfiles make.
func TestUserLinks(t *testing.T) {
	home, dotfiles := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dotfiles, "claude", "settings.json"), "{}", 0o644)
	if err := os.Symlink(filepath.Join(dotfiles, "claude"), filepath.Join(home, ".claude")); err != nil {
		t.Skip(err)
	}
	p := agentkit.Places{Home: home, Getenv: func(string) string { return "" }}
	change(t, p, "claude", agentkit.User, agentkit.Places.Install)
	if state, _, err := p.Status("claude", agentkit.User); state != agentkit.Current || err != nil {
		t.Errorf("%s, %v", state, err)
	}
}

// TestLeavesNoDirectories guards: an uninstall removes the directories that the install made, for each agent and scope.
func TestLeavesNoDirectories(t *testing.T) {
	for _, agent := range agentkit.Agents() {
		for _, scope := range []agentkit.Scope{agentkit.Project, agentkit.User} {
			root := t.TempDir()
			p := agentkit.Places{Root: root, Home: root, Getenv: func(string) string { return "" }}
			change(t, p, agent, scope, agentkit.Places.Install)
			change(t, p, agent, scope, agentkit.Places.Uninstall)
			if left, err := os.ReadDir(root); len(left) > 0 || err != nil {
				t.Errorf("%s %s: left %v, %v", agent, scope, left, err)
			}
		}
	}
}

// TestKilledInstall guards: whatever a killed install left beside the files of an agent is removed, with the directories that were made
// for it, also where nothing else is to be done.
func TestKilledInstall(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a lock file that was left is not recognised")
	}
	for _, agent := range agentkit.Agents() {
		root := t.TempDir()
		p := agentkit.Places{Root: root, Home: t.TempDir()}
		write(t, filepath.Join(root, "README"), "x", 0o644)
		before := treeOf(t, root)
		changes, err := p.Install(agent, agentkit.Project)
		if err != nil || len(changes) == 0 {
			t.Fatal(changes, err)
		}
		for _, c := range changes {
			left := filepath.Join(filepath.Dir(c.Path), "."+filepath.Base(c.Path)+".git-ralph-1.lock")
			write(t, left, "half", 0o644)
			if err := os.Link(left, c.Path+".lock"); err != nil {
				t.Skip(err)
			}
		}
		change(t, p, agent, agentkit.Project, agentkit.Places.Uninstall)
		p.RemoveLeftovers(agent, agentkit.Project)
		if entries, _ := os.ReadDir(root); len(entries) != 1 || !maps.Equal(treeOf(t, root), before) {
			t.Errorf("%s: left %v", agent, entries)
		}
	}
}
