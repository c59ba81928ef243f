package trust

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.Symlink(target, path)); err != nil {
		t.Skip("no symbolic links here")
	}
}

func scan(t *testing.T, p ScanOptions) []Entry {
	t.Helper()
	entries, err := Scan(p)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// lines returns entries as "kind path", to be compared.
func lines(entries []Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, string(e.Kind)+" "+e.Path)
	}
	return all
}

func same(t *testing.T, got []Entry, want ...string) {
	t.Helper()
	if !slices.Equal(lines(got), want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(lines(got), "\n  "), strings.Join(want, "\n  "))
	}
}

// docs/loop.md, "Trust": whatever agents read is listed, however its name is spelt, wherever it is, and through symbolic
// links as agents follow them.
func TestScanFindsEverything(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		".claude/settings.json", ".claude/skills/a/SKILL.md", ".Claude./hooks/x.sh", ".codex/config.toml", ".gemini/.env", ".opencode/plugin/p.js",
		".agents/skills/b/SKILL.md", ".MCP.json", "long/.mcp.j\u017fon", "OpenCode.json", "AGENTS.md", ".env", "ralph/PROMPT_build.md", "ralph/specs/s.md", "src/main.go",
		"src/.claude/commands/c.md", "src/CLAUDE.md", "src/.env", ".git/.claude/settings.json", "real/settings.json", "sub/.git/config", "sub/.mcp.json",
	} {
		write(t, filepath.Join(root, name), name)
	}
	link(t, "../real", filepath.Join(root, "deep", ".gemini"))
	link(t, "../real", filepath.Join(root, "linked", ".claude"))
	link(t, "..", filepath.Join(root, "linked", ".codex", "loop"))
	link(t, "nowhere", filepath.Join(root, "CLAUDE.md"))
	same(t, scan(t, ScanOptions{Root: root, Spec: "ralph/specs/s.md"}),
		"settings .Claude./hooks/x.sh",
		"MCP servers .MCP.json",
		"skill .agents/skills/b/SKILL.md",
		"settings .claude/settings.json",
		"skill .claude/skills/a/SKILL.md",
		"settings .codex/config.toml",
		"environment variables .env",
		"environment variables .gemini/.env",
		"plugin or tool .opencode/plugin/p.js",
		"instructions AGENTS.md",
		"instructions CLAUDE.md",
		"settings OpenCode.json",
		"settings deep/.gemini/settings.json",
		"settings linked/.claude/settings.json",
		"settings linked/.codex/loop/.claude/settings.json",
		"MCP servers long/.mcp.j\u017fon",
		"prompt ralph/PROMPT_build.md",
		"spec ralph/specs/s.md",
		"agent or command src/.claude/commands/c.md",
		"instructions src/CLAUDE.md",
		"MCP servers sub/.mcp.json",
	)
	same(t, scan(t, ScanOptions{Root: root, Quick: true})[:2], "settings .Claude./hooks/x.sh", "MCP servers .MCP.json")
	if all := scan(t, ScanOptions{Root: root, Quick: true}); slices.ContainsFunc(all, func(e Entry) bool { return strings.HasPrefix(e.Path, "src/") }) {
		t.Errorf("a quick look goes into other directories: %v", lines(all))
	}
}

// Agents look above the worktree, too, where that is in another repository: a submodule, or a clone in a clone. The user's
// own directory is not a repository's, and other worktrees of the same one have their own, also where one is within another.
func TestScanAboveTheWorktree(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, "super", "lib", "sub")
	write(t, filepath.Join(home, ".claude", "settings.json"), "")
	write(t, filepath.Join(home, ".git", "HEAD"), "")
	write(t, filepath.Join(home, "super", ".git", "HEAD"), "")
	write(t, filepath.Join(home, "super", ".mcp.json"), "")
	write(t, filepath.Join(home, "super", "lib", ".env"), "")
	write(t, filepath.Join(home, "super", "other", ".mcp.json"), "")
	write(t, filepath.Join(root, "a.go"), "")
	write(t, filepath.Join(root, "trees", "x", ".mcp.json"), "")
	write(t, filepath.Join(root, "trees", "x", ".git"), "gitdir: ../../.git/worktrees/x\n")
	write(t, filepath.Join(root, "modules", "y", ".mcp.json"), "")
	write(t, filepath.Join(root, "modules", "y", ".git"), "gitdir: ../../.git/modules/y\n")
	same(t, scan(t, ScanOptions{Root: root, Common: filepath.Join(root, ".git"), Home: home}),
		"MCP servers ../../.mcp.json", "environment variables ../.env", "MCP servers modules/y/.mcp.json")
	same(t, scan(t, ScanOptions{Root: filepath.Join(root, "trees", "x"), Common: filepath.Join(root, ".git"), Home: home}), // as from the main worktree
		"MCP servers ../../.mcp.json", "environment variables ../.env", "MCP servers .mcp.json")
	if err := os.RemoveAll(filepath.Join(home, "super", ".git")); err != nil {
		t.Fatal(err)
	}
	same(t, scan(t, ScanOptions{Root: root, Common: filepath.Join(root, ".git"), Home: home}), "MCP servers modules/y/.mcp.json")
	same(t, scan(t, ScanOptions{Root: filepath.Join(root, "trees", "x"), Common: filepath.Join(root, ".git"), Home: home}), "MCP servers .mcp.json")
}

// What is too much for anybody to look at is refused, not left out.
func TestScanRefusesTooMuch(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".claude", "large"), "")
	if err := os.Truncate(filepath.Join(root, ".claude", "large"), maxSize+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Scan(ScanOptions{Root: root}); !errors.Is(err, ErrUntrustable) || !strings.Contains(err.Error(), ".claude/large") {
		t.Errorf("a large file: %v", err)
	}
	s := scanner{entries: make([]Entry, maxEntries)}
	if err := s.file(filepath.Join(root, "x"), "x", Settings); !errors.Is(err, ErrUntrustable) {
		t.Errorf("many files: %v", err)
	}
}

// A few links can make more directories than anybody has time for, and a large file many.
func TestScanEnds(t *testing.T) {
	root := t.TempDir()
	for i := range 40 {
		for _, name := range []string{"a", "b"} {
			link(t, filepath.Join("..", strconv.Itoa((i+1)%40)), filepath.Join(root, ".claude", strconv.Itoa(i), name))
		}
	}
	if _, err := Scan(ScanOptions{Root: root}); !errors.Is(err, ErrUntrustable) || !strings.Contains(err.Error(), "links") {
		t.Errorf("links to links: %v", err)
	}
	large := filepath.Join(t.TempDir(), "large")
	write(t, large, "")
	if err := os.Truncate(large, 2); err != nil {
		t.Fatal(err)
	}
	s := scanner{size: maxTotal - 3}
	if err := errors.Join(s.file(large, "a", Settings), s.file(large, "b", Settings)); !errors.Is(err, ErrUntrustable) || len(s.entries) != 1 {
		t.Errorf("more than all files may have: %v", err)
	}
}
