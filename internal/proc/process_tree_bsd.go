//go:build unix && !linux && !darwin

package proc

// startOf returns "": this system does not report when a process started.
func startOf(int) string { return "" }

func signalTarget(pid int) int { return -pid }
