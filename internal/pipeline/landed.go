package pipeline

import (
	"git-ralph/internal/plan"
)

// A Following says how a plan follows what has landed in it.
type Following struct {
	Head        string // the commit that has the plan
	Stamp       plan.Stamp
	Claimed     map[string]bool // tasks that somebody works on
	Integration Integration
}

// FollowLanding changes a plan by what follows from work that has landed in it. Research, triage and splits are accepted, since the documents that they
// wrote are there, unless a check is to prove them. A group whose last research came along is divided into its streams. Pull requests and merges are finished
// where that is the landing's part, and accepted; where an Implement was rejected, its items go back.
func FollowLanding(p *plan.Plan, how Following) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		b := newBuilder(p, how.Claimed)
		if err := b.catchUp(); err != nil {
			return plan.Change{}, err
		}
		if err := b.settle(); err != nil {
			return plan.Change{}, err
		}
		err := b.followLanding(how)
		return b.change, err
	})
}

// followLanding is FollowLanding for a plan whose items follow their tasks.
func (b *builder) followLanding(how Following) error {
	if err := b.accept((*Task).isProvedByLanding); err != nil {
		return err
	}
	if err := b.sendBack(); err != nil {
		return err
	}
	if how.Integration == ByLanding {
		done := Finishing{DoneOptions: plan.DoneOptions{Head: how.Head}}
		if err := (finisher{b, done, how.Stamp}).integrate(); err != nil {
			return err
		}
	}
	return b.acceptIntegrated()
}

// Follows reports whether anything follows from what has landed in a plan, which stays as it is.
func Follows(p *plan.Plan, claimed map[string]bool, by Integration) bool {
	same := *p
	stamp := plan.Stamp{Random: func(int) int { return 0 }}
	change, err := FollowLanding(&same, Following{Head: "HEAD", Stamp: stamp, Claimed: claimed, Integration: by})
	return err == nil && !change.Empty()
}
