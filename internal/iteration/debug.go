package iteration

import (
	"git-ralph/internal/agent"
	"git-ralph/internal/debuglog"
)

// recordTools returns what records the calls of an agent's tools in the debug log; nil where there is none.
func (p Workspace) recordTools() func(agent.ToolCall) {
	log := p.Store.Repo().Git().Debug
	if log == nil {
		return nil
	}
	return func(c agent.ToolCall) {
		e := debuglog.Event{Category: debuglog.Tool, Name: c.Name, Params: c.On, Took: c.Took}
		if c.Failed {
			e.Type, e.Error = "failed", c.Error
		}
		log.Record(e)
	}
}
