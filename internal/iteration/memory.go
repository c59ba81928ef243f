package iteration

// A Memory is what the next iteration of a run needs to know of this one. A run that is started again begins with an empty one.
type Memory struct {
	// Stuck is the state before an agent that left a git operation in progress, as long as it is; else nil. The next agent
	// works on that state: the plan in the middle of the operation may be an old one.
	Stuck *State

	// Refused says why git refuses to commit what was left uncommitted of a finished task of a Source; "" once a later commit has it.
	Refused string

	feedback feedback
	answers  map[string]answer // the last answers, by stage and task
	maxTasks int               // for VERIFY; 0 for no limit
}
