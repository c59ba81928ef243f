package claim

// Protocol decides. Its zero value keeps every rule; a test switches off one rule after the other to show that each is needed.
type Protocol struct{ without rule }

// rule is one rule of the protocol whose absence breaks it.
type rule string

const (
	ruleReread     rule = "the winner reads the target again"
	ruleFence      rule = "target and claims change in one transaction"
	ruleEvery      rule = "a landing holds the claim of every task that it makes done"
	rulePending    rule = "a landing meets each task pending, in the round of its claim"
	ruleCarry      rule = "the push that sets landing carries the branch"
	ruleLanding    rule = "a claim in landing is never stale"
	ruleReturn     rule = "a returned claim has the lease that it was taken with"
	ruleOver       rule = "a claim is over when the target shows its round ended"
	ruleMissing    rule = "a missing lock file proves nothing"
	ruleSeparately rule = "renewals do not depend on each other"
	ruleSettle     rule = "a lost push is repeated only within its lease"
	ruleEnded      rule = "a claim with an ended token is deleted, never used"
	ruleLimit      rule = "a task is taken three times in vain at most"
	ruleWake       rule = "who waits wakes when a lock comes free or a lease runs out"
)

// keeps reports whether a rule holds.
func (p Protocol) keeps(r rule) bool { return p.without != r }
