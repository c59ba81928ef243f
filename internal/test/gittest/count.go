package gittest

import (
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// Counter knows which programs were started through PATH.
type Counter struct {
	r   *Repo
	log string
}

// CountProcesses returns the repository with wrappers on PATH that note every start of git and sh, and the counter that
// reads the notes. What git itself starts is found through its own directory first, so it is not counted.
func (r *Repo) CountProcesses() (*Repo, *Counter) {
	r.t.Helper()
	needUnix(r.t)
	dir := r.t.TempDir()
	c := &Counter{r: r, log: filepath.Join(dir, "log")}
	for _, name := range []string{"git", "sh"} {
		real, err := proc.LookPath(name, r.Env)
		if err != nil {
			r.t.Fatal(err)
		}
		script := "#!" + shell(r) + "\nprintf '%s\\n' \"" + name + " $*\" >>'" + c.log + "'\nexec '" + real + "' \"$@\"\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o777); err != nil {
			r.t.Fatal(err)
		}
	}
	return r.Setenv("PATH", dir+string(os.PathListSeparator)+r.Getenv("PATH")), c
}

func shell(r *Repo) string {
	path, err := proc.LookPath("sh", r.Env)
	if err != nil {
		r.t.Skip("needs sh")
	}
	return path
}

// Started returns the programs started since the last call, one line each: "git cat-file --batch".
func (c *Counter) Started() []string {
	c.r.t.Helper()
	data, err := os.ReadFile(c.log)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		c.r.t.Fatal(err)
	}
	if err := os.Remove(c.log); err != nil {
		c.r.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}
