package planio

import (
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// WarnOfSpec warns of a spec that no agent could be given. It may be written later.
func WarnOfSpec(e *term.Env, st *store.Store, spec string) {
	if spec == "" {
		return
	}
	if err := st.CheckSpec(spec); err != nil {
		e.Warn(err.Error())
	}
}

// Codes of problems that no plan shows by itself.
const (
	CodeMissingSpec plan.Code = "missing-spec"
	CodeMissingFile plan.Code = "missing-file"
)
