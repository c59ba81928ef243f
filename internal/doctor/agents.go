package doctor

import "git-ralph/internal/agentkit"

// agents checks what is installed for coding agents, for this repository and for the user. What is not installed is not missed.
func (p Repository) agents() (findings []Finding) {
	for _, scope := range []agentkit.Scope{agentkit.Project, agentkit.User} {
		if scope == agentkit.Project && p.Agents.Root == "" || scope == agentkit.User && p.Agents.Home == "" {
			continue
		}
		for _, agent := range agentkit.Agents() {
			f := Finding{Name: "agent " + agent, Level: Fine, Cause: "its hooks and skills are installed for the " + string(scope)}
			state, _, err := p.Agents.Status(agent, scope)
			switch {
			case err != nil:
				f.Level, f.Cause, f.Repair = Warning, "its settings cannot be read: "+err.Error(), "correct the file"
			case state == agentkit.Absent:
				continue
			case state == agentkit.Outdated:
				f.Level, f.Cause = Warning, "its hooks and skills for the "+string(scope)+" are not those of this version"
				f.Repair = "`git ralph agent install " + agent + " --" + string(scope) + "` brings them up to date"
			}
			findings = append(findings, f)
		}
	}
	return findings
}
