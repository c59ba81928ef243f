package git

import (
	"os"
)

// OutsideRepository returns a Repo without a repository, for the settings of the user and the machine. Only Config and
// ConfigFiles may be called, for the scopes ScopeGlobal and ScopeSystem.
func OutsideRepository(environ []string) *Repo {
	r := &Repo{git: newProgram(environ)}
	r.git.Env = append(childEnviron(r, environ, ""), "GIT_DIR="+os.DevNull)
	r.configFiles = newConfigFiles(r)
	return r
}

// IsOutside reports whether r came from OutsideRepository.
func (r *Repo) IsOutside() bool { return r.gitDir == "" }
