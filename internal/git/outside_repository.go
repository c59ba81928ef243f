package git

import (
	"os"
)

// Outside returns git without a repository, for what concerns the user or the machine. It has Config and ConfigFiles, of
// the scopes ScopeGlobal and ScopeSystem.
func Outside(environ []string) *Repo {
	r := &Repo{git: newProgram(environ)}
	r.git.Env = append(childEnviron(r, environ, ""), "GIT_DIR="+os.DevNull)
	r.configFiles = newConfigFiles(r)
	return r
}

// IsOutside reports whether r came from Outside.
func (r *Repo) IsOutside() bool { return r.gitDir == "" }
