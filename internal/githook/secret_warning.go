package githook

import (
	"context"

	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
)

// CodeSecret is the code of the warning that a record seems to contain a secret. Such a plan is valid.
const CodeSecret plan.Code = "secret"

// Secrets returns a warning for each record that contains what looks like a key, token or password, by the small list alone.
func Secrets(p *plan.Plan) plan.Problems {
	masker := mask.New()
	var warnings plan.Problems
	for _, r := range p.Records() {
		if masker.HasSecret(r.JSON()) {
			w := problem(r, "it seems to contain a secret: a key, a token or a password", "whoever can read the commit can read it: take it out and revoke it")
			w.Code = CodeSecret
			warnings = append(warnings, w)
		}
	}
	return warnings
}

// newSecrets returns the warnings for records that the parent's plan does not have.
func (r run) newSecrets(ctx context.Context, staged *plan.Plan, parent string) plan.Problems {
	warnings := Secrets(staged)
	if len(warnings) == 0 {
		return nil
	}
	before, err := r.parentPlan(ctx, parent)
	if err != nil {
		return warnings
	}
	known := map[string]bool{}
	for _, old := range before.Records() {
		known[old.JSON()] = true
	}
	var fresh plan.Problems
	for _, w := range warnings {
		for _, now := range staged.Records() {
			if now.Line() == w.Line && !known[now.JSON()] {
				w.Message = w.ID + ": " + w.Message
				fresh = append(fresh, w)
			}
		}
	}
	return fresh
}
