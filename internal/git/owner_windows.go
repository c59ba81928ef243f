package git

// trusted leaves the question of ownership to git, which is run before anything is written.
func trusted(_, _ string, _ place) bool { return true }
