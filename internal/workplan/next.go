package workplan

import "slices"

// Next returns the task to do now: one that is in progress, else the one with the highest priority, else the first of the file.
func (f *File) Next() (Task, bool) {
	open := f.Unfinished()
	if len(open) == 0 {
		return Task{}, false
	}
	return slices.MinFunc(open, func(a, b Task) int { return a.rank() - b.rank() }), true
}

// rank is lower for what is to be done sooner.
func (t Task) rank() int {
	rank := slices.Index(Priorities(), t.Priority)
	if rank < 0 {
		rank = len(Priorities())
	}
	if t.Status != InProgress {
		rank += len(Priorities()) + 1
	}
	return rank
}
