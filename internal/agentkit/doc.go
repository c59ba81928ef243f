// Package agentkit holds what git ralph installs for coding agents: skills, definitions of sub-agents, hooks, a plug-in. Settings are edited in place, files of our
// own carry a checksum, and everything that is installed can be removed byte for byte.
package agentkit

import "embed"

//go:embed files
var files embed.FS

// read returns an embedded file.
func read(name string) string {
	data, err := files.ReadFile("files/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(data)
}

// conventions is the file that all skills share, beside them.
const conventions = "shared/conventions.md"

// Skills returns the names of the skills.
func Skills() (names []string) {
	entries, _ := files.ReadDir("files/skills")
	for _, e := range entries {
		if e.Name() != "shared" {
			names = append(names, e.Name())
		}
	}
	return names
}

// Skill returns the text of a skill.
func Skill(name string) string { return read("skills/" + name + "/SKILL.md") }

// Conventions returns what holds for all skills and definitions.
func Conventions() string { return read("skills/" + conventions) }

// Roles returns the roles that there are definitions of sub-agents for.
func Roles() []string { return []string{"analyst", "builder", "validator", "integrator"} }

// Definition returns the definition of the sub-agent of a role, as it is installed.
func Definition(role string) string { return read("agents/ralph-" + role + ".md") }
