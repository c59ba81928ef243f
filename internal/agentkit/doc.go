// Package agentkit holds what git ralph installs for coding agents: skills, hooks, a plug-in. Settings are edited in place, files of our
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

// Skills returns the names of the skills.
func Skills() (names []string) {
	entries, _ := files.ReadDir("files/skills")
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Skill returns the text of a skill.
func Skill(name string) string { return read("skills/" + name + "/SKILL.md") }
