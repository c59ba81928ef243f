package install

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git/config"
	"git-ralph/internal/safefile"
)

// A project may say for many files what the plan is not meant with, such as `*.jsonl merge=union`. Its .gitattributes is stronger than
// all attributes that an environment can set. But git prefers a driver that is configured under the name of its own one, and such a
// driver can treat the plan differently from other files.

// overUnion returns the driver to configure where attributes may have git join the lines of the plan's versions.
func (o Options) overUnion(current *config.Config) (found bool, s config.Setting) {
	driver, _ := current.Get("merge.ralph.driver")
	if driver == "" {
		driver = o.Driver
	}
	s = config.Setting{Key: "merge.union.driver", Value: unionDriver(o.PlanPath, driver)}
	if own, _ := current.Get(s.Key); own != "" {
		return false, s
	}
	files := []string{filepath.Join(o.Repo.CommonDir(), "info", "attributes")}
	for dir := path.Dir(o.PlanPath); dir != "."; dir = path.Dir(dir) {
		files = append(files, filepath.Join(o.Repo.Root(), filepath.FromSlash(dir), AttributesName))
	}
	files = append(files, filepath.Join(o.Repo.Root(), AttributesName))
	if slices.ContainsFunc(files, o.setsMerge) {
		return false, s // for the plan itself
	}
	return slices.ContainsFunc(files, joinsLines), s
}

// joinsLines reports whether a file of attributes has git join the lines of some files.
func joinsLines(file string) bool {
	text, err := safefile.Read(file)
	return err == nil && slices.Contains(strings.Fields(string(text)), "merge=union")
}

// unionDriver is a driver that merges the plan by another one, and other files as git's own does.
func unionDriver(planPath, driver string) string {
	name := "'" + strings.ReplaceAll(strings.ReplaceAll(planPath, "'", `'\''`), "%", "%%") + "'"
	return "if test %P = " + name + "; then " + driver +
		"; else git merge-file -q --union --marker-size=%L %A %O %B; test $? = 0; fi"
}
