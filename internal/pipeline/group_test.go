package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// parse reads items from lines such as "w-a #42 state=In Progress estimate=XS parent=w-e blocked=w-b,w-c files=a.go,b.go".
func parse(t testing.TB, lines ...string) []Item {
	t.Helper()
	var items []Item
	for _, line := range lines {
		id, rest, _ := strings.Cut(line, " ")
		it := Item{ID: id, State: Backlog, Title: "Title of " + id}
		for rest != "" {
			var field string
			field, rest = cutField(rest)
			name, value, _ := strings.Cut(field, "=")
			switch {
			case strings.HasPrefix(name, "#"):
				if _, err := fmt.Sscan(name[1:], &it.Number); err != nil {
					t.Fatal(err)
				}
			case name == "state":
				it.State = value
			case name == "estimate":
				it.Estimate = value
			case name == "parent":
				it.Parent = value
			case name == "blocked":
				it.BlockedBy = strings.Split(value, ",")
			case name == "files":
				it.Files = strings.Split(value, ",")
			default:
				t.Fatalf("unknown field %q", field)
			}
		}
		items = append(items, it)
	}
	return items
}

// cutField cuts the first field off a line: values may hold spaces, names not.
func cutField(text string) (field, rest string) {
	words := strings.Fields(text)
	n := 1
	for n < len(words) && !strings.ContainsAny(words[n], "=#") {
		n++
	}
	return strings.Join(words[:n], " "), strings.Join(words[n:], " ")
}

// group returns a group of items, those named or else all.
func group(t testing.TB, items []Item, ids ...string) *Group {
	t.Helper()
	if len(ids) == 0 {
		for _, it := range items {
			ids = append(ids, it.ID)
		}
	}
	g, err := NewItems(items).Group(ids...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func idsOf(items []*Item) string {
	var ids []string
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	return strings.Join(ids, " ")
}

func TestWhichItemsAreAGroup(t *testing.T) {
	items := parse(
		t,
		"w-epic #1 blocked=w-alone",
		"w-a #10 parent=w-epic",
		"w-b #11 parent=w-epic blocked=w-x",
		"w-c #12 parent=w-epic",
		"w-x #20",                 // joined by what it blocks
		"w-y #21 blocked=w-x",     // joined by what blocks it
		"w-z #22 blocked=w-y",     // joined through another one
		"w-alone #30",             // no relation at all
		"w-top #40",               // an epic of epics
		"w-mid #41 parent=w-top",  //
		"w-leaf #42 parent=w-mid", //
		"w-low #43 parent=w-top",  //
		"w-far #44 blocked=w-top",
		"w-dangling #50 parent=w-gone blocked=w-gone",
		"w-other #51 parent=w-gone",
	)
	for _, c := range []struct{ name, ids, want string }{
		{"one without relations", "w-alone", "w-alone"},
		{"one stands for its siblings, and what joins them", "w-a", "w-a w-c w-x w-b w-y w-z"},
		{"one that blocks others", "w-x", "w-x w-b w-y w-z"},
		{"one that is blocked", "w-z", "w-x w-b w-y w-z"},
		{"an epic stands for its sub-items, and what joins them", "w-epic", "w-a w-c w-x w-b w-y w-z"},
		{"an epic of epics stands for those below", "w-top", "w-leaf w-low"},
		{"an epic joins nothing", "w-far", "w-far"},
		{"a sibling that is an epic is left out", "w-low", "w-low"},
		{"siblings of a parent that is gone", "w-dangling", "w-dangling w-other"},
		{"several are exactly those", "w-c w-a", "w-a w-c"},
		{"several, blocked by one that is not named", "w-z w-b", "w-b w-z"},
		{"one of several is an epic and left out", "w-epic w-a", "w-a"},
		{"one named twice is one", "w-alone w-alone", "w-alone"},
		{"none", "", ""},
	} {
		g, err := NewItems(items).Group(strings.Fields(c.ids)...)
		if err != nil || idsOf(g.Members) != c.want {
			t.Errorf("%s: %v: %v, want %s", c.name, idsOf(g.Members), err, c.want)
		}
	}
	_, err := NewItems(items).Group("w-a", "w-nothing")
	var unknown *UnknownItemError
	if !errors.As(err, &unknown) || unknown.ID != "w-nothing" {
		t.Errorf("an unknown item: %v", err)
	}
}

func TestPrimaryIsTheFirstInDependencyOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		items []string
		want  string // all, in order
	}{
		{"ties by number, not by text", []string{"w-c #100", "w-b #9", "w-a #20"}, "w-b w-a w-c"},
		{"dependencies before numbers", []string{"w-a #1 blocked=w-b", "w-b #2", "w-c #3"}, "w-b w-a w-c"},
		{"a chain", []string{"w-a #1 blocked=w-b", "w-b #2 blocked=w-c", "w-c #3"}, "w-c w-b w-a"},
		{"without numbers last, by id", []string{"w-b", "w-a", "w-z #7"}, "w-z w-a w-b"},
		{"what is not in the group does not count", []string{"w-a #1 blocked=w-gone", "w-b #2"}, "w-a w-b"},
		{"an invalid cycle", []string{"w-c #3", "w-b #2 blocked=w-a", "w-a #1 blocked=w-b"}, "w-c w-a w-b"},
	} {
		g := group(t, parse(t, c.items...))
		if got := idsOf(g.Members); got != c.want || g.Primary().ID != strings.Fields(c.want)[0] {
			t.Errorf("%s: %s (primary %s), want %s", c.name, got, g.Primary().ID, c.want)
		}
	}
	if group(t, nil).Primary() != nil {
		t.Error("a group of nothing has a primary")
	}
}

func TestEpicIsDoneWhenItsSubItemsAre(t *testing.T) {
	for _, c := range []struct {
		name  string
		items []string
		want  string
	}{
		{"all done", []string{"w-a state=Done", "w-b state=Done"}, Done},
		{"one is not", []string{"w-a state=Done", "w-b state=In Review"}, Backlog},
		{"a canceled one does not count", []string{"w-a state=Done", "w-b state=Canceled"}, Done},
		{"nothing was done", []string{"w-a state=Canceled", "w-b state=Canceled"}, Backlog},
	} {
		lines := []string{"w-epic"}
		for _, line := range c.items {
			lines = append(lines, line+" parent=w-epic")
		}
		if got := NewItems(parse(t, lines...)).State("w-epic"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		shown := Shown(planOf(t, lines...), nil)
		if got := cmp.Or(shown["w-epic"], Backlog); got != c.want || len(shown) > 1 {
			t.Errorf("%s: readers see %v, want %s", c.name, shown, c.want)
		}
	}
	nested := NewItems(parse(t, "w-top", "w-mid parent=w-top", "w-leaf parent=w-mid state=Done"))
	if nested.State("w-top") != Done || nested.State("w-leaf") != Done || nested.State("w-gone") != "" {
		t.Error("an epic of epics is not done with them")
	}
}

// Items that are their own ancestors are parts of nothing: they are worked on, and shown, like all others.
func TestItemsThatContainThemselves(t *testing.T) {
	lines := []string{"w-a parent=w-b", "w-b parent=w-a", "w-c parent=w-c", "w-d parent=w-a state=Done"}
	items := NewItems(parse(t, lines...))
	if got := items.State("w-a") + ", " + items.State("w-b"); got != "Done, Backlog" {
		t.Errorf("states %q", got)
	}
	for id, want := range map[string]string{"w-a": "w-d", "w-b": "w-b", "w-c": "w-c"} {
		if g, err := items.Group(id); err != nil || idsOf(g.Members) != want {
			t.Errorf("group of %s: %s, %v; want %q", id, idsOf(g.Members), err, want)
		}
	}
	p := decode(t, string(planOf(t, lines...).Encode())+`{"t": "item", "name": "no id"}`+"\n") // nothing is a part of this one
	status, err := StatusOf(p, nil, nil)
	if err != nil || len(status.Items) != 3 || len(status.Items[0].SubItems) != 1 {
		t.Errorf("status %+v, %v", status.Items, err)
	}
}

// Two clones can give one number to two items. Only the first one is called by it, so that no task is for the wrong item.
func TestANumberThatTwoItemsHave(t *testing.T) {
	p := planOf(t, "w-a #7 state=In Review", "w-b #7 state=In Review", "w-c #8 state=In Review")
	extend(t, p, "w-a", "w-b", "w-c")
	want(t, p, "t-w-a-merge: Merge PR for GH-7 (integrator)")
	chains := newBuilder(p, nil).chains()
	if len(chains) != 1 || idsOf(chains[0].members) != "w-a w-c w-b" {
		t.Error(chains)
	}
	if _, err := Move(p, "w-b", HumanNeeded, "why?", stamp().Now, nil); err != nil {
		t.Fatal(err)
	}
	task, _ := p.Task("t-w-a-merge")
	if waits := p.BlockedBy(task); !slices.Equal(waits, []string{"w-b"}) {
		t.Errorf("waits for %v", waits)
	}
}

// Tasks are shown in the order of their steps: those of an earlier round that are used again come after what has to be done again.
func TestOrderOfTasksInAStatus(t *testing.T) {
	p := planOf(t, "w-a #1 state=Ready for Plan")
	extend(t, p, "w-a")
	finish(t, p, Result{}, "t-w-a-plan")
	finish(t, p, Result{Verdict: Approved}, "t-w-a-review")
	for _, state := range []string{HumanNeeded, ReadyForPlan} {
		if _, err := Move(p, "w-a", state, "why?", stamp().Now, nil); err != nil {
			t.Fatal(err)
		}
	}
	status, err := StatusOf(p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, task := range status.Items[0].Tasks {
		got = append(got, task.ID)
	}
	if want := "t-w-a-plan-2 t-w-a-review-2 t-w-a-implement t-w-a-pr t-w-a-merge"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
