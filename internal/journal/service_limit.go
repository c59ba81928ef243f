package journal

import (
	"os"
	"strings"
	"time"
)

// RecordServiceLimit records that a limit of its service ended the agent of an iteration, by the name of the iteration's log. A record
// that cannot be written is lost: an agent must not notice it.
func (j Journal) RecordServiceLimit(log, text string) {
	if path, err := j.serviceLimitPath(log); err == nil {
		os.WriteFile(path, []byte(text), private) //nolint:errcheck // see above
	}
}

// ServiceLimit returns what was recorded, and when; "" for nothing.
func (j Journal) ServiceLimit(log string) (text string, at time.Time) {
	path, err := j.serviceLimitPath(log)
	if err != nil {
		return "", at
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", at
	}
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime()
	}
	return string(data), at
}

func (j Journal) forgetServiceLimit(log string) {
	if path, err := j.serviceLimitPath(log); err == nil {
		os.Remove(path) //nolint:errcheck // usually there is none
	}
}

func (j Journal) serviceLimitPath(log string) (string, error) {
	path, err := j.LogPath(log)
	return strings.TrimSuffix(path, ".log") + ".limit", err
}
