// Package agentsession keeps what hooks have to remember of an agent's session, in files of the git directory that worktrees
// share. Each session has its own, named by a hash of its id, so that no session ever sees what belongs to another.
package agentsession
