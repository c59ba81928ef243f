package journal

import (
	"os"
	"path/filepath"

	"git-ralph/internal/jsonl"
)

const (
	hookLog     = "agent-hooks.jsonl"
	maxHookLog  = 1 << 20 // bytes, after which the log begins anew
	oldHookLog  = hookLog + ".old"
	hookLogPerm = 0o666
)

// WriteAgentHook adds a line about an agent's hook. A line that cannot be written is lost: an agent must not notice it.
func (j Journal) WriteAgentHook(event jsonl.Object) {
	path := filepath.Join(j.dir, hookLog)
	if info, err := os.Stat(path); err == nil && info.Size() > maxHookLog {
		os.Rename(path, filepath.Join(j.dir, oldHookLog)) //nolint:errcheck // then it grows
	}
	if os.MkdirAll(j.dir, 0o777) != nil {
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, hookLogPerm)
	if err != nil {
		return
	}
	defer f.Close()
	f.WriteString(event.Text() + "\n") //nolint:errcheck // see above
}
