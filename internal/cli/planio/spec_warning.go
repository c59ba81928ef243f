package planio

import (
	"git-ralph/internal/cli/term"
	"git-ralph/internal/store"
)

// WarnOfSpec warns of a spec whose file an agent could not be given, since it may be written later.
func WarnOfSpec(e *term.Env, st *store.Store, spec string) {
	if spec == "" {
		return
	}
	if err := st.CheckSpec(spec); err != nil {
		e.Warn(err.Error())
	}
}
