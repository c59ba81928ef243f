package iteration

// A Memory is what the next iteration of a run needs to know of this one. A run that is started again begins with an empty one.
type Memory struct {
	// Stuck is the state before an agent left a git operation in progress that still is; nil for none. The next agent works
	// on the same: the plan is now that of the operation, which may be an old one.
	Stuck *State

	feedback feedback
	answers  map[string]answer // the last ones, by stage and task
	maxTasks int               // for VERIFY; 0 for no limit
}
