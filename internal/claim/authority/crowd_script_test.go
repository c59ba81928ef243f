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
		first = "begin 1.00 9\nchange 9 0000 a1 refs/ralph/claims/t-1\ncommitted 9 1.1\n"
		ready = "begin 2.00 9\nchange 9 a1 a2 refs/ralph/claims/t-1\ncommitted 9 1.1\n"
		lands = "begin 3.00 9\nchange 9 c0 c1 refs/heads/target\nchange 9 a2 0000 refs/ralph/claims/t-1\ncommitted 9 1.1\n"
	)
	claimed := func(object, token, state, worker string) string {
		return fmt.Sprintf("%s blob 99\n{\"id\": \"t-1\", \"token\": %q, \"state\": %q, \"worker\": %q}\n\n", object, token, state, worker)
	}
	objects := claimed("a1", "aaaa", "working", "w1.1") + claimed("a2", "aaaa", "landing", "w1.1") + claimed("b1", "bbbb", "working", "w2.1") +
		claimed("b2", "bbbb", "landing", "w2.1") + "c1 commit 99\ntree x\n\ncrowd\n\ndone t-1 aaaa\n\n"
	const (
		calls = "made w1.1 c1\n"
		late  = "saw two 9 10 t-1 a1 fresh\nsaw two 12.5 13 t-1 a1 fresh\n"
	)
	for name, test := range map[string]struct{ ended, log, calls, kept, want string }{
		"all is well":                   {"nobody", first + ready + lands, calls, "c1", ""},
		"a refused change":              {"nobody", first + ready + "begin 2.50 8\nchange 8 a2 0000 refs/ralph/claims/t-1\naborted 8\n" + lands, calls, "c1", ""},
		"one that cannot begin":         {"nobody", first + ready + "aborted 9\n" + lands, calls, "c1", ""},
		"killed":                        {"w1", first + "begin 1.10 9\nchange 9 a1 b1 refs/ralph/claims/t-1\ncommitted 9 1.1\n", calls, "c1", "0 of 1 tasks landed"},
		"two holders":                   {"nobody", first + "begin 2.00 9\nchange 9 0000 b1 refs/ralph/claims/t-1\ncommitted 9 1.1\n", calls, "c1", "t-1 changed from 0000, and was a1"},
		"robbed":                        {"nobody", first + "begin 2.00 9\nchange 9 a1 b1 refs/ralph/claims/t-1\ncommitted 9 1.1\n", calls, "c1", "t-1 was taken from w1.1 after 1 s"},
		"robbed while landing":          {"w1", first + ready + "begin 9.00 9\nchange 9 a2 b1 refs/ralph/claims/t-1\ncommitted 9 1.1\n", calls, "c1", "t-1 was taken while it waited to land"},
		"landed twice":                  {"nobody", first + ready + lands + first + ready + lands, calls, "c1", "t-1 landed twice"},
		"not the holder":                {"w1", first + "begin 2.00 9\nchange 9 a1 b1 refs/ralph/claims/t-1\nchange 9 b1 b2 refs/ralph/claims/t-1\ncommitted 9 1.1\n" + strings.ReplaceAll(lands, "a2", "b2"), calls, "c1", "landed under the claim of somebody else"},
		"without its claim":             {"nobody", first + ready + "begin 3.00 9\nchange 9 c0 c1 refs/heads/target\ncommitted 9 1.1\n", calls, "c1", "its claim did not end with that"},
		"before it was done":            {"nobody", first + strings.ReplaceAll(lands, "a2", "a1"), calls, "c1", "landed while somebody worked on it"},
		"left":                          {"nobody", first, calls, "c1", "t-1 is still claimed"},
		"held for too long":             {"nobody", first + ready + lands, calls + late, "c1", "t-1 was not stale 2.5 s after it was first seen"},
		"seen as stale":                 {"nobody", first + ready + lands, calls + "saw two 9 10 t-1 a1 fresh\nsaw two 12.5 13 t-1 a1 stale\n", "c1", ""},
		"changed":                       {"nobody", first + ready + lands, calls + "saw two 9 10 t-1 a1 fresh\nsaw two 12.5 13 t-1 a3 fresh\n", "c1", ""},
		"within a lease":                {"nobody", first + ready + lands, calls + "saw two 9 10 t-1 a1 fresh\nsaw two 11.9 12.5 t-1 a1 fresh\n", "c1", ""},
		"a first look that took long":   {"nobody", first + ready + lands, calls + "saw two 7 9 t-1 a1 fresh\nsaw two 12.5 13 t-1 a1 fresh\n", "c1", ""},
		"replaced during the last look": {"nobody", first + strings.ReplaceAll(ready, "2.00", "12.70") + lands, calls + late, "c1", ""},
		"a call before that":            {"nobody", first + ready + lands, calls + "began 3 two 0.5\nended 3 two 9\n" + late, "c1", "t-1 was not stale"},
		"a call that overlaps":          {"nobody", first + ready + lands, calls + "began 3 two 0.5\nended 3 two 11\n" + late, "c1", ""},
		"one that was killed":           {"nobody", first + ready + lands, calls + "began 3 two 0.5\ndied 3 - 11\n" + late, "c1", ""},
		"one that read a copy":          {"nobody", first + ready + lands, calls + "began 3 two 0.5\nbegan 4 two 5\nended 3 two 6\nended 4 two 11\n" + late, "c1", ""},
		"one of another clone":          {"nobody", first + ready + lands, calls + "began 3 one 0.5\nended 3 one 11\n" + late, "c1", "t-1 was not stale"},
		"a read that failed":            {"nobody", first + ready + lands, calls + "began 3 two 10.5\nfailed 3\nended 3 two 11\n" + late, "c1", ""},
		"a read that succeeded":         {"nobody", first + ready + lands, calls + "began 3 two 10.5\nended 3 two 11\n" + late, "c1", "t-1 was not stale"},
		"a lost commit":                 {"nobody", first + ready + lands, calls + "made w2.1 c2\n", "c1", "commit c2 of w2.1 is lost"},
	} {
		dir := t.TempDir()
		var files []string
		for i, text := range []string{test.ended + "\n", objects, test.log, test.calls, test.kept + "\n"} {
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
