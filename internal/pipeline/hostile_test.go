package pipeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"git-ralph/internal/plan"
)

// Whatever a plan says that can be read, no command panics, makes a plan that cannot be read, or never ends.
func TestHostilePlans(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 40))
	for range 3000 {
		text := hostilePlan(r)
		for _, do := range hostileChanges(r) {
			p, problems := plan.Decode(text)
			if !problems.Readable() {
				continue
			}
			before := string(p.Encode())
			if _, err := do(p); err != nil && string(p.Encode()) != before {
				t.Fatalf("%v, and a change of\n%s", err, text)
			}
			if _, problems := plan.Decode(string(p.Encode())); !problems.Readable() {
				t.Fatalf("%v after\n%s", problems, text)
			}
		}
	}
}

func hostileChanges(r *rand.Rand) []func(p *plan.Plan) (plan.Change, error) {
	ids := []string{hostileID(r, "w-"), hostileID(r, "w-")}
	task := hostileID(r, "t-w-a-")
	claimed := map[string]bool{task: true}
	states := plan.ItemStates()
	f := finishing(Result{Verdict: []string{"", Approved, NeedsIteration, Done, ResearchNeeded}[r.IntN(5)], Reason: "why", Artifact: "a.md", Files: []string{"f"}})
	f.Force, f.Gate, f.Claimed = r.IntN(2) == 0, r.IntN(2) == 0, claimed
	return []func(p *plan.Plan) (plan.Change, error){
		func(p *plan.Plan) (plan.Change, error) { return Extend(p, ids[:1+r.IntN(2)], claimed) },
		func(p *plan.Plan) (plan.Change, error) { return Finish(p, []string{task}, f, stamp()) },
		func(p *plan.Plan) (plan.Change, error) {
			return Move(p, ids[0], states[r.IntN(len(states))], "why", stamp().Now, claimed)
		},
		func(p *plan.Plan) (plan.Change, error) { return Approve(p, ids, f, stamp()) },
		func(p *plan.Plan) (plan.Change, error) { return Disapprove(p, ids[0], f, stamp()) },
		func(p *plan.Plan) (plan.Change, error) { return FollowLanding(p, landing()) },
		func(p *plan.Plan) (plan.Change, error) {
			_, err := StatusOf(p, ids[:r.IntN(3)], map[string]string{task: "x"})
			if g, found := Of(p).Group(ids[:1+r.IntN(2)]...); found == nil {
				g.Position(PhaseFormula, g.Streams().TotalStreams)
			}
			return plan.Change{}, err
		},
	}
}

func hostileID(r *rand.Rand, prefix string) string {
	if prefix == "w-" {
		return fmt.Sprintf("w-%c", 'a'+r.IntN(4))
	}
	rounds := []string{"", "", "-2", "-9223372036854775807"}
	return fmt.Sprintf("t-w-%c-%s%s", 'a'+r.IntN(4), Steps()[r.IntN(8)], rounds[r.IntN(len(rounds))])
}

// hostilePlan returns items and tasks whose fields name each other, and more than once, and say what makes no sense.
func hostilePlan(r *rand.Rand) string {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	refs := func() string {
		return pick("[]", "[1, 2]", `["w-a", "w-b", "GH-3"]`, `["w-z", {}, [1], null, 1e400, -0]`, `"w-a"`, "null", "[4, 4, 4]")
	}
	var lines []string
	for i := range 1 + r.IntN(5) {
		id := fmt.Sprintf("w-%c", 'a'+(i+r.IntN(2))%5)
		states := append(plan.ItemStates(), "", "Someday")
		lines = append(lines, fmt.Sprintf(
			`{"t": "item", "id": %q, "name": "n", "number": %s, "state": %q, "estimate": %q, "parent": %q, "blocked_by": [%q], "meta": %s}`,
			id, pick("1", "2", "3.0", "4", "null"), states[r.IntN(len(states))], pick("", "S", "XL", "?"), pick("", "", hostileID(r, "w-"), "w-z"), hostileID(r, "w-"),
			pick("{}", `{"round": 2}`, `{"round": 9223372036854775807}`, `{"round": "x", "escalation": 5}`, `{"escalation": {"from": "In Progress"}}`),
		))
	}
	for range r.IntN(8) {
		state := pick(`"s": "p"`, `"s": "p", "reject": "x"`, `"s": "d", "done_at": "0123456789ab"`)
		lines = append(lines, fmt.Sprintf(
			`{"t": "task", "id": %q, "name": %q, %s, "deps": [%q, %q], "meta": {"issue_number": %s, "group_members": %s, "phase": %s, "stream": %s, "round": %s, "awaits_approval": %s, "artifacts": %s}}`,
			pick(hostileID(r, "t-w-a-"), hostileID(r, "t-w-a-"), fmt.Sprint("t-", r.IntN(3))), pick("Plan GH-1", "Merge PR GH-2", "x"), state, hostileID(r, "t-w-a-"), hostileID(r, "t-w-a-"),
			pick("1", "2", `"w-a"`, "{}", "99"), refs(), pick(`"plan"`, `"pr"`, "5", `"none"`), pick(`"stream-1"`, "7", `""`), pick("1", "2", "-3"), pick("true", `"true"`, "null"), refs(),
		))
	}
	if r.IntN(4) == 0 {
		lines = append(lines, `{"t": "item", "name": "no id"}`, fmt.Sprintf(`{"t": "reject", "id": %q, "done_at": "0123456789ab", "reason": "x"}`, hostileID(r, "t-w-a-")))
	}
	return strings.Join(lines, "\n") + "\n"
}
