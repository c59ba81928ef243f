//go:build !unix

package board

import tea "charm.land/bubbletea/v2"

// suspend does nothing: the shells of this system have no jobs.
func (*model) suspend() tea.Cmd { return nil }
