package claim

import "time"

// Intent is a change that was pushed, written down before the push: its reply may be lost.
type Intent struct {
	ID     string // of the task
	Old    string // object that the reference pointed to, "" for none
	New    string // object that it is to point to, "" for none
	Token  string
	First  Clock // when it was first tried
	Within time.Duration
	Fresh  bool // Token is new with it: where the intent is given up, the token has ended
}

// settleTime is how long a push is repeated of a claim without a lease.
const settleTime = 15 * time.Minute

// NewIntent returns the intent of a change to a new object.
func NewIntent(c Change, object string, clock Clock) Intent {
	i := Intent{ID: c.ID, Old: c.Old, New: object, Token: c.New.Token, First: clock, Within: settleTime}
	i.Fresh = c.Fresh
	if c.New.Lease > 0 {
		i.Within = c.New.LeaseTime()
	}
	return i
}

// Settlement is what to do with an intent whose outcome is unknown, after the reference was read.
type Settlement string

const (
	Succeeded Settlement = "succeeded"    // the claim is as intended, or was and has changed since by the same holder
	PushAgain Settlement = "push again"   // nothing arrived so far: push the same object
	Failed    Settlement = "failed"       // somebody else was first, or it is too late: the token has ended
	Withdraw  Settlement = "withdraw"     // it arrived after we gave it up: delete it
	Ignore    Settlement = "nothing left" // what we gave up is not there
)

// Settle decides what to do with an intent. ended says that its token was ended or given up.
func (p Protocol) Settle(i Intent, h Held, ended bool, clock Clock) Settlement {
	ended = ended && p.keeps(ruleEnded)
	switch {
	case ended && i.Token != "" && h.Is(i.Token):
		return Withdraw
	case ended:
		return Ignore
	case i.New == "" && !h.Exists(), i.New != "" && (h.Object == i.New || h.Is(i.Token) && h.Object != i.Old):
		return Succeeded
	case h.Object != i.Old:
		return Failed
	case !p.keeps(ruleSettle) || i.InTime(clock):
		return PushAgain
	}
	return Failed
}

// InTime reports whether an intent is within its lease since the first attempt.
func (i Intent) InTime(clock Clock) bool {
	return i.First.Boot == clock.Boot && i.First.Now <= clock.Now && clock.Now-i.First.Now < i.Within
}
