package mirror

import "testing"

// TestDocumentsArePlainPaths guards: no comment shows the first lines of a file that is hidden, such as .env, or outside of the worktree.
func TestDocumentsArePlainPaths(t *testing.T) {
	for _, name := range []string{"", ".env", "a/.env", ".git/config", ".GIT/config", "sub/.git/config", "../x.md", "/etc/passwd", "a\rb.md", "a\x1b[2J.md", "C:x.md"} {
		if got := safePath(name); got != "" {
			t.Errorf("safePath(%q) = %q, want none", name, got)
		}
	}
	const document = "thoughts/shared/plans/2026-02-22-GH-0042-receipts.md"
	if got := safePath(document); got != document {
		t.Errorf("safePath(%q) = %q", document, got)
	}
}
