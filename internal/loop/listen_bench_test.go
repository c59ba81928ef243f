package loop

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/agent"
	"git-ralph/internal/journal"
	"git-ralph/internal/mask"
)

// BenchmarkListening is what the loop takes while an agent prints in Claude's format: what tools gave back, and what it says.
func BenchmarkListening(b *testing.B) {
	words := strings.Repeat("some words of an output ", 40)
	for name, line := range map[string]string{
		"plain": words[:200],
		"tools": `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"` + words + `"}]}}`,
		"words": `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"` + words + `"}],"usage":{"input_tokens":750,"output_tokens":1}}}`,
	} {
		format := agent.Claude
		if name == "plain" {
			format = agent.Plain
		}
		b.Run(name, func(b *testing.B) { benchmarkListening(b, format, line+"\n") })
	}
}

func benchmarkListening(b *testing.B, format agent.Format, line string) {
	run, err := journal.Of(b.TempDir()).Begin("20260101T000000.000-0001", "test", 1)
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	const lines = 16 << 10
	file := filepath.Join(b.TempDir(), "output")
	if err := os.WriteFile(file, bytes.Repeat([]byte(line), lines), 0o600); err != nil {
		b.Fatal(err)
	}
	masker := mask.NewFull()
	b.SetBytes(int64(lines * len(line)))
	b.ReportAllocs()
	for b.Loop() {
		log, err := run.OpenLog(1)
		if err != nil {
			b.Fatal(err)
		}
		r := agent.Run{
			Profile: agent.Profile{Command: []string{"cat", file}, Format: format}, Prompt: os.DevNull, Dir: b.TempDir(), Log: log, Masker: masker,
		}
		if _, err := r.Do(context.Background()); err != nil {
			b.Fatal(err)
		}
		log.Close()
	}
}
