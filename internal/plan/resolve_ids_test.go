package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"git-ralph/internal/plan"
)

// TestResolveIDsReadsRecordsOnce guards: to name many items costs a reading of the plan, not one for each of them.
func TestResolveIDsReadsRecordsOnce(t *testing.T) {
	const items = 200
	var text strings.Builder
	numbers := make([]string, items)
	for i := range items {
		fmt.Fprintf(&text, `{"t": "item", "id": "w-%04d", "number": %d, "name": "n"}`+"\n", i, i+1)
		numbers[i] = fmt.Sprintf("GH-%d", i+1)
	}
	p, problems := plan.Decode(text.String())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	allocations := func(names []string) float64 {
		return testing.AllocsPerRun(5, func() {
			ids, err := p.ResolveIDs(plan.KindItem, append(names, names[0]))
			if err != nil || len(ids) != len(names) || ids[0] != "w-0000" {
				t.Fatalf("ResolveIDs = %v, %v", ids, err)
			}
		})
	}
	one, all := allocations(numbers[:1:1]), allocations(numbers)
	if all > one+10*items {
		t.Errorf("one name takes %v allocations, %d take %v", one, items, all)
	}
}
