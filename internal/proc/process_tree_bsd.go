//go:build unix && !linux && !darwin

package proc

// startOf cannot find out here when a process started.
func startOf(int) string { return "" }

func signalTarget(pid int) int { return -pid }
