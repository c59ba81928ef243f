package githubcmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/test/githubserver"
)

// TestChildren guards: no git that a sync runs has the token that gh gave in its arguments or its environment, as /proc shows them.
func TestChildren(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("there is no /proc")
	}
	u := newUser(t)
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	seen := filepath.Join(bin, "seen")
	for name, script := range map[string]string{
		"gh":  "#!/bin/sh\necho " + githubserver.Token + "\n",
		"git": "#!/bin/sh\ncat /proc/$$/cmdline /proc/$$/environ >> '" + seen + "'\nexec '" + real + "' \"$@\"\n",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	u.Repo = u.Repo.Setenv("GH_TOKEN", "").Setenv("GITHUB_TOKEN", "").Setenv("PATH", bin+string(os.PathListSeparator)+u.Getenv("PATH"))
	u.server.Do(func() { u.server.Add(&githubserver.Issue{Title: "Sum"}) })
	u.must(0, "github", "pull")
	u.must(0, "item", "edit", "GH-1", "--name", "Total")
	u.must(0, "github", "sync")
	text, err := os.ReadFile(seen)
	if err != nil || !strings.Contains(string(text), "GH_TOKEN=\x00") {
		t.Fatalf("no child was seen: %v", err)
	}
	if strings.Contains(string(text), githubserver.Token) {
		t.Error("a child has the token")
	}
}
