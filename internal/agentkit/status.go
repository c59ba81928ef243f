package agentkit

import "os"

// A State says how much of what belongs to an agent is installed.
type State string

const (
	Absent   State = "absent"
	Current  State = "current"
	Outdated State = "outdated" // something is missing, or of another version

	Unreadable State = "unreadable" // a file of settings cannot be read
)

// Status returns what is installed for an agent, and the files of ours that are there.
func (p Places) Status(agent string, scope Scope) (State, []string, error) {
	removal, err := p.changes(agent, scope, item.uninstall)
	if err != nil {
		return Unreadable, nil, err
	}
	var present []string
	for _, c := range removal {
		if c.Action != Leave {
			present = append(present, c.Path)
		}
	}
	if len(present) == 0 {
		return Absent, nil, nil
	}
	missing, err := p.changes(agent, scope, item.install)
	for _, c := range missing {
		if c.Action != Leave {
			return Outdated, present, err
		}
	}
	return Current, present, err
}

// HomeOf returns the user's directory, by an environment; "" where it is not known.
func HomeOf(getenv func(string) string) string {
	if home := getenv("HOME"); home != "" {
		return home
	}
	home, _ := os.UserHomeDir() //nolint:errcheck // then there is none
	return home
}
