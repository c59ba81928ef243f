package schedule

// Claims say who works on tasks, as far as the order of work depends on it.
type Claims struct {
	Own    map[string]bool // tasks claimed by this worker: they come first
	Others map[string]bool // tasks claimed by others: they are passed over
}

// With returns the schedule of the same plan under claims.
func (s *Schedule) With(claims Claims) *Schedule {
	other := *s
	other.claims = claims
	return &other
}
