//go:build !linux

package proc

// Only Linux lets a process adopt orphans, and read the process table without starting a program.

func adoptOrphans() {}

func reapOrphans(map[int]bool) {}

func descendants(map[int]bool) map[int]bool { return nil }

// remaining lists the leader of a job, if it is still the process that was recorded. Other processes of the job are not found.
func remaining(id ID, _ string) []int {
	if !id.Alive() {
		return nil
	}
	return []int{signalTarget(id.PID)}
}

// RunningIn lists the programs of that name that run in one of dirs. That cannot be determined here: it is never ok.
func RunningIn(string, ...string) (running []ID, ok bool) { return nil, false }
