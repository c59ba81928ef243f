//go:build unix

package authority_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The script that judges a crowd finds each thing that must not happen.
func TestCrowdScript(t *testing.T) {
	const (
		first = "begin 1.00 9\nchange 9 0000 a1 refs/ralph/claims/t-1\ncommitted 9\n"
		ready = "begin 2.00 9\nchange 9 a1 a2 refs/ralph/claims/t-1\ncommitted 9\n"
		lands = "begin 3.00 9\nchange 9 c0 c1 refs/heads/target\nchange 9 a2 0000 refs/ralph/claims/t-1\ncommitted 9\n"
	)
	claimed := func(object, token, state, worker string) string {
		return fmt.Sprintf("%s blob 99\n{\"id\": \"t-1\", \"token\": %q, \"state\": %q, \"worker\": %q}\n\n", object, token, state, worker)
	}
	objects := claimed("a1", "aaaa", "working", "w1.1") + claimed("a2", "aaaa", "landing", "w1.1") + claimed("b1", "bbbb", "working", "w2.1") +
		claimed("b2", "bbbb", "landing", "w2.1") + "c1 commit 99\ntree x\n\ncrowd\n\ndone t-1 aaaa\n\n"
	for name, test := range map[string]struct{ ended, log, want string }{
		"all is well":           {"nobody", first + ready + lands, ""},
		"a refused change":      {"nobody", first + ready + "begin 2.50 8\nchange 8 a2 0000 refs/ralph/claims/t-1\naborted 8\n" + lands, ""},
		"one that cannot begin": {"nobody", first + ready + "aborted 9\n" + lands, ""},
		"killed":                {"w1", first + "begin 1.10 9\nchange 9 a1 b1 refs/ralph/claims/t-1\ncommitted 9\n", "0 of 1 tasks landed"},
		"two holders":           {"nobody", first + "begin 2.00 9\nchange 9 0000 b1 refs/ralph/claims/t-1\ncommitted 9\n", "t-1 changed from 0000, and was a1"},
		"robbed":                {"nobody", first + "begin 2.00 9\nchange 9 a1 b1 refs/ralph/claims/t-1\ncommitted 9\n", "t-1 was taken from w1.1 after 1 s"},
		"robbed while landing":  {"w1", first + ready + "begin 9.00 9\nchange 9 a2 b1 refs/ralph/claims/t-1\ncommitted 9\n", "t-1 was taken while it waited to land"},
		"landed twice":          {"nobody", first + ready + lands + first + ready + lands, "t-1 landed twice"},
		"not the holder":        {"w1", first + "begin 2.00 9\nchange 9 a1 b1 refs/ralph/claims/t-1\nchange 9 b1 b2 refs/ralph/claims/t-1\ncommitted 9\n" + strings.ReplaceAll(lands, "a2", "b2"), "landed under the claim of somebody else"},
		"without its claim":     {"nobody", first + ready + "begin 3.00 9\nchange 9 c0 c1 refs/heads/target\ncommitted 9\n", "its claim did not end with that"},
		"before it was done":    {"nobody", first + strings.ReplaceAll(lands, "a2", "a1"), "landed while somebody worked on it"},
		"left":                  {"nobody", first, "t-1 is still claimed"},
	} {
		dir := t.TempDir()
		var files []string
		for i, text := range []string{test.ended + "\n", objects, test.log} {
			files = append(files, filepath.Join(dir, fmt.Sprint(i)))
			if err := os.WriteFile(files[i], []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command("awk", append([]string{"-v", "tasks=1", "-v", "lease=2", "-f", "testdata/crowd.awk"}, files...)...).CombinedOutput()
		if (err == nil) != (test.want == "") || !strings.Contains(string(out), test.want) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
