//go:build unix

package trust

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A FIFO, a device and a file that cannot be read are listed, and nothing waits for them.
func TestScanOfNoFiles(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".claude"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, ".claude", "settings.json"), 0o666); err != nil {
		t.Skip(err)
	}
	link(t, "/dev/zero", filepath.Join(root, ".mcp.json"))
	link(t, ".claude/settings.json", filepath.Join(root, "AGENTS.md"))
	all := scan(t, ScanOptions{Root: root, Spec: ".claude/settings.json"})
	same(t, all, "settings .claude/settings.json", "spec .claude/settings.json", "MCP servers .mcp.json", "instructions AGENTS.md")
	for _, e := range all {
		if e.Hash != "no-file" {
			t.Errorf("%s: %s", e.Path, e.Hash)
		}
	}
}
