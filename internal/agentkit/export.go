package agentkit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/safefile"
)

// ErrNotEmpty: a directory for an export has something else in it.
var ErrNotEmpty = errors.New("the directory is not empty, and holds no export of git ralph")

// Export writes everything as a directory that is a plug-in for Claude Code, and the marketplace that offers it.
func Export(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	manifest, _ := safefile.Read(filepath.Join(dir, ".claude-plugin", "plugin.json")) //nolint:errcheck // then it is another directory
	if len(entries) > 0 && !strings.Contains(string(manifest), `"name": "git-ralph"`) {
		return ErrNotEmpty
	}
	for name, text := range exported() {
		if err := safefile.Write(dir, name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// exported returns the files of an export by their names.
func exported() map[string]string {
	all := map[string]string{
		".claude-plugin/plugin.json":      read("plugin/plugin.json"),
		".claude-plugin/marketplace.json": read("plugin/marketplace.json"),
		"hooks/hooks.json":                pluginHooks(),
		".mcp.json":                       "{\n  \"mcpServers\": {" + quote(serverName) + ": " + mcpServer + "}\n}\n",
		"skills/" + conventions:           Conventions(),
		spawnTemplate:                     read(spawnTemplate),
	}
	for _, name := range Skills() {
		all["skills/"+name+"/SKILL.md"] = asInPlugin(Skill(name))
	}
	for _, role := range Roles() {
		all["agents/ralph-"+role+".md"] = asInPlugin(Definition(role))
	}
	return all
}

// asInPlugin returns a text with the names that our tools have in a plug-in. Claude Code 2.1.330 puts the plug-in before the server, and
// knows a tool by no other name. It ignores the hooks of a plug-in's definitions: hooks.json has them.
func asInPlugin(text string) string {
	return strings.ReplaceAll(text, "mcp__"+serverName+"__", "mcp__plugin_"+serverName+"_"+serverName+"__")
}

// pluginHooks returns the hooks of the plug-in: those of the settings, so that an agent that has both runs them once.
func pluginHooks() string {
	var lines []string
	for _, h := range claudeHooks() {
		lines = append(lines, "    "+quote(h.event)+": ["+h.element+"]")
	}
	return "{\n  \"hooks\": {\n" + strings.Join(lines, ",\n") + "\n  }\n}\n"
}
