package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// BenchmarkQuery10000 prints the state of a plan of 10,000 tasks.
func BenchmarkQuery10000(b *testing.B) {
	var text strings.Builder
	text.WriteString(`{"t": "spec", "spec": "s.md"}` + "\n")
	for i := range 10000 {
		fmt.Fprintf(&text, `{"t": "task", "id": "t-%06d", "spec": "s.md", "name": "Implement thing %d", "notes": %q, "deps": ["t-%06d"], "s": "p", "created_at": "2026-01-01T00:00:00.%03dZ"}`+"\n",
			i, i, strings.Repeat("what there is to know about it ", 4), i+1, i%1000) // the last one is ready
	}
	file := filepath.Join(b.TempDir(), "plan.jsonl")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		env := &term.Env{Dir: ".", Out: io.Discard, Err: io.Discard}
		if code := Main(context.Background(), []string{"git-ralph", "query", "--plan", file}, env); code != cmdline.ExitDone {
			b.Fatal(code)
		}
	}
}
