//go:build unix && !linux && !darwin

package proc

// startOf cannot find out here when a process started.
func startOf(int) string { return "" }

func leaderOf(pid int) int { return -pid }
