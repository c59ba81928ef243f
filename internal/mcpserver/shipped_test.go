package mcpserver_test

import (
	"regexp"
	"strings"
	"testing"

	"git-ralph/internal/agentkit"
)

// What is shipped for agents names only tools that this server has, and only operations that they have.
func TestShippedTextsNameTools(t *testing.T) {
	schemas := map[string]string{}
	for _, tool := range shownTools(t) {
		schemas[tool.Name] = string(tool.InputSchema)
	}
	texts := map[string]string{"conventions": agentkit.Conventions()}
	for _, name := range agentkit.Skills() {
		texts[name] = agentkit.Skill(name)
	}
	for _, role := range agentkit.Roles() {
		texts["ralph-"+role] = agentkit.Definition(role)
	}
	granted, operations := 0, 0
	for name, text := range texts {
		for _, m := range regexp.MustCompile("mcp__git-ralph__([a-z_]+)").FindAllStringSubmatch(text, -1) {
			granted++
			if schemas[m[1]] == "" {
				t.Errorf("%s: there is no tool %s", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`([a-z_]+)`,? \\(?(?:with )?op\\s+`([a-z_]+)`").FindAllStringSubmatch(text, -1) {
			operations++
			if !strings.Contains(schemas[m[1]], `"`+m[2]+`"`) {
				t.Errorf("%s: %s has no operation %s", name, m[1], m[2])
			}
		}
	}
	if granted < 40 || operations < 12 {
		t.Errorf("%d tools and %d operations were found", granted, operations)
	}
}
