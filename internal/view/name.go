package view

import (
	"strings"

	"git-ralph/internal/mask"
)

// Called returns what people see as the name of a record: its name, or "(no name)" where nothing of that can be seen.
func Called(name string) string {
	if strings.TrimSpace(mask.PlainWidths(name)) == "" {
		return "(no name)"
	}
	return name
}
