package merge_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/test/mergeoracle"
	"git-ralph/internal/undo"
)

// enough is a number of cases in which each change occurs dozens of times, with and without others of the same records.
const enough = 20_000

// TestUndo guards: undoing any change, with later ones on top, gives the plan without it, byte for byte, where nothing touched the
// same records since; else what the rules of merging say, as the oracle reads them. Redoing gives the plan before the undo, byte for byte.
func TestUndo(t *testing.T) {
	apart, met := map[string]int{}, map[string]int{}
	var judged mergeoracle.Verdict
	fewer(t, 8, func(t *rapid.T) {
		before := drawBefore(t)
		after, name := changedBy(t, before)
		if name == "" {
			t.Skip()
		}
		now := after
		for range pick(t, []int{0, 1, 2, 4}) {
			now = changedSince(t, before, after, now)
		}
		p := decode(now)
		got, err := undo.Take(p, before, after, false, neverAccepted)
		if err != nil {
			t.Fatalf("%s: %v\nbefore\n%s\nafter\n%s\nnow\n%s", name, err, before, after, now)
		}
		result := p.Encode()
		report := func(what string) {
			t.Fatalf("%s: %s\nbefore\n%s\nafter\n%s\nnow\n%s\nwithout\n%s%v", name, what, before, after, now, result, got.Merged.Conflicts)
		}
		if what := unlike(decode(now), p, got); what != "" {
			report(what)
		}
		verdict := mergeoracle.Check(after, now, before, result)
		judged.Both, judged.Open = judged.Both+verdict.Both, judged.Open+verdict.Open
		if verdict.Wrong != "" {
			report("the oracle: " + verdict.Wrong)
		}
		if touchesTheSame(decode(after), decode(before), decode(now)) || decidesAgain(decode(before), decode(after), decode(now)) {
			met[name]++
			checkKept(t, after, before, now, got.Merged)
			checkKept(t, after, now, before, got.Merged)
			if waits(result) && !waits(before) && !waits(after) && !waits(now) {
				report("tasks wait for each other")
			}
		} else {
			apart[name]++
			respelled := respelledIn(before, after, now)
			if want := without(before, after, now, respelled); !slices.Equal(want, keysIn(result, respelled)) {
				report(fmt.Sprintf("want the lines\n%q", want))
			}
		}
		if string(now) == string(after) && string(result) != string(before) {
			report("nothing happened since, and it is not as before")
		}
		if _, err := undo.Take(p, now, result, true, neverAccepted); err != nil || string(p.Encode()) != string(now) {
			report(fmt.Sprintf("redone (%v):\n%s", err, p.Encode()))
		}
	})
	if judged.Open*4 > judged.Both && judged.Both > 1000 {
		t.Error("the oracle leaves too much open")
	}
	cases := 0
	for name, n := range maps.All(apart) {
		cases += n + met[name]
	}
	t.Logf("%d records were changed on both sides; %d records are left to the laws", judged.Both, judged.Open)
	t.Logf("%d cases; nothing touched the same records: %v\nsomething did: %v", cases, apart, met)
	for _, d := range deeds {
		if cases >= enough && (apart[d.name] == 0 || met[d.name] == 0) && !t.Failed() {
			t.Errorf("%s: %d times with nothing and %d times with something that touched the same records", d.name, apart[d.name], met[d.name])
		}
	}
}

// decidesAgain reports whether a merge may decide again about what is recorded in a plan, by docs/merge.md: which of several specs is shown, where
// tasks or issues of one came or went; and which dependencies close a cycle.
func decidesAgain(before, after, now *plan.Plan) bool {
	specs := func(p *plan.Plan) map[string]bool {
		all := map[string]bool{}
		for _, r := range p.Records() {
			if r.Kind() == plan.KindTask || r.Kind() == plan.KindIssue {
				all[r.ID()+" "+r.Spec()] = true
			}
		}
		return all
	}
	return slices.ContainsFunc(now.Records(), func(r plan.Record) bool {
		v, _ := r.Get("conflict")
		field := r.Kind().WaitsField()
		if r.Kind() == plan.KindSpec {
			field = "spec"
		}
		isRecorded := len(candidates(v, field)) > 1
		return isRecorded && (field != "spec" || !maps.Equal(specs(before), specs(after)))
	})
}

// without returns the lines of the plan now without those that came from before to after, and with those that went: what is left where
// the two changes have nothing to do with each other. A line that was only spelled otherwise is compared by its meaning.
func without(before, after, now []byte, respelled map[string]bool) []string {
	count := map[string]int{}
	for _, part := range []struct {
		data []byte
		n    int
	}{{before, 1}, {after, -1}, {now, 1}} {
		for _, r := range decode(part.data).Records() {
			count[keyOf(r, respelled)] += part.n
		}
	}
	var all []string
	for line, n := range count {
		for range n {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

func keyOf(r plan.Record, respelled map[string]bool) string {
	if meaning := canon(value(r)); respelled[meaning] {
		return meaning
	}
	return r.JSON()
}

// respelledIn returns the meanings of the records that are spelled in several ways in some plans.
func respelledIn(plans ...[]byte) map[string]bool {
	respelled, spelled := map[string]bool{}, map[string]string{}
	for _, data := range plans {
		for _, r := range decode(data).Records() {
			meaning := canon(value(r))
			was, found := spelled[meaning]
			respelled[meaning], spelled[meaning] = respelled[meaning] || found && was != r.JSON(), r.JSON()
		}
	}
	return respelled
}

// keysIn returns the lines of a plan as without does.
func keysIn(data []byte, respelled map[string]bool) (all []string) {
	for _, r := range decode(data).Records() {
		all = append(all, keyOf(r, respelled))
	}
	slices.Sort(all)
	return all
}

// unlike returns in what the change that undo reports is not the one between two plans.
func unlike(before, after *plan.Plan, got undo.Revert) string {
	same := string(before.Encode()) == string(after.Encode())
	if same != got.Change.Empty() {
		return fmt.Sprintf("events %v", got.Change.Events)
	}
	named := map[string]bool{}
	for _, e := range got.Change.Events {
		named[e.ID] = true
	}
	lines := func(p *plan.Plan) map[string]bool {
		all := map[string]bool{}
		for _, r := range p.Records() {
			all[r.JSON()] = true
		}
		return all
	}
	old, now := lines(before), lines(after)
	for _, r := range got.Change.Records {
		if !now[r.JSON()] {
			return "reported and not there: " + r.JSON()
		}
	}
	for _, r := range got.Change.Removed {
		if !old[r.JSON()] {
			return "reported as removed and was not there: " + r.JSON()
		}
	}
	for _, d := range plandiff.Compare(before, after).Records {
		if r := d.Shown(); r.Kind().HasUniqueID() && r.ID() != "" && !named[r.ID()] {
			return "no event of " + r.JSON()
		}
	}
	return ""
}

func neverAccepted(plan.Record) (attempt string, ok bool) { return "", false }
