package endtoend

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"git-ralph/internal/mergedriver"
	"git-ralph/internal/test/gittest"
)

// docs/merge.md, "What can go wrong": killed at any moment, the driver leaves
// the merged plan or markers, and git stops; never ours, never half a file.
func TestDriverKilledAtRandom(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	r := withProgram(t, gittest.NewRepo(t))
	register(t, r)
	base, ours, theirs := killedSides()
	r.Commit("base", map[string]string{".gitattributes": "*.jsonl merge=ralph\n", planFile: base})
	r.Git("checkout", "-q", "-b", "theirs")
	r.Commit("theirs", map[string]string{planFile: theirs})
	r.Git("checkout", "-q", "main")
	r.Commit("ours", map[string]string{planFile: ours})
	r.Git("merge", "-q", "-m", "merge", "theirs")
	want := r.ReadFile(planFile)
	seen := map[string]int{}
	for n := range 40 {
		r.Git("reset", "-q", "--hard", "ORIG_HEAD")
		killed := r.Setenv("PATH", impatient(t, n%20)+string(os.PathListSeparator)+r.Getenv("PATH"))
		if _, err := killed.TryGit("merge", "-q", "-m", "merge", "theirs"); err == nil {
			t.Fatal("git went on without a look")
		}
		switch text := r.ReadFile(planFile); {
		case text == want:
			seen["merged"]++
		case strings.Contains(text, "\n=======\n") && strings.HasSuffix(text, theirs[len(theirs)-80:]):
			seen["markers"]++
		default:
			t.Fatalf("after %d steps the plan is neither merged nor has it markers:\n%s", n%20, text[:200])
		}
		if left, _ := filepath.Glob(r.Path(".merge_file_*")); len(left) > 0 {
			t.Fatalf("left behind: %q", left)
		}
		r.Git("merge", "--abort")
	}
	t.Log(seen)
}

// docs/merge.md, "What can go wrong": where the driver is missing and the disk is
// full, ours stays whole, nothing is left beside it, and git stops. A
// limit on the size of files stands for the disk, met by a signal or an error.
func TestFallbackOnFullDisk(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash for its ulimit -f")
	}
	base, ours, theirs := killedSides()
	line := strings.NewReplacer("git-ralph-merge-driver", "no-such-program", "%O", "base", "%A", "ours", "%B", "theirs", "%L", "7", "%P", "p").
		Replace(mergedriver.Command(false))
	for _, disk := range []string{"", "trap '' XFSZ; ulimit -f 8; ", "ulimit -f 8; "} {
		r := gittest.NewRepo(t)
		for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
			r.WriteFile(name, text)
		}
		cmd := exec.Command(bash, "-c", disk+line)
		cmd.Dir, cmd.Env = r.Dir, r.Env
		out, _ := cmd.CombinedOutput()
		text, isMerged := r.ReadFile("ours"), strings.Contains(r.ReadFile("ours"), "\n=======\n")
		if cmd.ProcessState.ExitCode() != 1 || isMerged != (disk == "") || !isMerged && text != ours || r.Exists("ours.ralph") {
			t.Errorf("%q: exit code %d, ours has %d bytes of %d: %s", disk, cmd.ProcessState.ExitCode(), len(text), len(ours), out)
		}
	}
}

// killedSides are plans that take a moment to merge, and that conflict as text.
func killedSides() (base, ours, theirs string) {
	var lines []string
	for i := range 3000 {
		lines = append(lines, taskOf(fmt.Sprintf("t-%04d", i), `"s": "p"`))
	}
	edited := func(with string) string {
		return strings.Replace(records(lines...), lines[7], strings.Replace(lines[7], `"s": "p"`, with, 1), 1)
	}
	return records(lines...), edited(`"s": "p", "x": 1`), edited(`"s": "p", "y": 1`)
}

// impatient returns a directory with a driver that is killed after some moments.
func impatient(t *testing.T, moments int) string {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n'%s' \"$@\" &\ni=0\nwhile [ $i -lt %d ]; do i=$((i + 1)); done\nkill -9 $!\nwait $!\nexit 137\n",
		filepath.Join(bin, "git-ralph-merge-driver"), moments*1000)
	if err := os.WriteFile(filepath.Join(dir, "git-ralph-merge-driver"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}
