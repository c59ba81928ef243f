//go:build unix

package safefile_test

import (
	"context"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"git-ralph/internal/proc"
	"git-ralph/internal/safefile"
)

// writeTooMuch plays a process whose disk is full after 4 KiB.
func writeTooMuch(root string) {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
		fmt.Println("skip", err)
		return
	}
	fmt.Println(safefile.Write(root, "plan.jsonl", make([]byte, 8192), 0o666))
}

// docs/promises.md, a mutation is one transaction: a disk that is full leaves the old file and a clear error.
func TestWriteOnFullDisk(t *testing.T) {
	root := t.TempDir()
	if err := safefile.Write(root, "plan.jsonl", []byte("old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	res, err := proc.Run(context.Background(), child(t, "full", root))
	if err != nil {
		t.Fatal(err)
	}
	if out := string(res.Stdout); !strings.Contains(out, "write plan.jsonl") || !strings.Contains(out, "too large") {
		t.Errorf("the error is %q", out)
	}
	if got := read(t, root, "plan.jsonl"); got != "old\n" {
		t.Errorf("the file is %q", got)
	}
	onlyFile(t, root, "plan.jsonl")
}
