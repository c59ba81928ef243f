package team

import (
	"errors"
	"strings"
	"testing"
)

func TestRosters(t *testing.T) {
	for text, want := range map[string]string{
		DefaultRoster:              DefaultRoster,
		"builder=3":                "builder=3,validator=1",
		" validator=2 , builder=1": "builder=1,validator=2",
		"builder=1,analyst=0":      "builder=1,validator=1",
		"builder":                  `"builder": want roles and numbers`,
		"builder=-1":               "want roles and numbers",
		"builder=1,builder=2":      "builder is there twice",
		"writer=1":                 `unknown role "writer"`,
		"builder=1,validator=0":    "want at least one, who checks",
		"analyst=1":                "want at least builder=1",
		"builder=512":              "want at most 512",
		"":                         "want roles and numbers",
	} {
		r, err := ParseRoster(text)
		if err != nil && (!errors.Is(err, ErrRoster) || !strings.Contains(err.Error(), want)) || err == nil && r.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, r, err, want)
		}
	}
}

// A worker's name is the same in each run, and shows its role.
func TestMembersAreNamedByRole(t *testing.T) {
	r, err := ParseRoster("builder=2")
	if err != nil {
		t.Fatal(err)
	}
	members := r.Members()
	if len(members) != 3 || members[1] != (Member{"builder-2", Builder}) || members[2] != (Member{"validator-1", Validator}) {
		t.Error(members)
	}
}

// The places of an earlier run are taken again, as far as a role has so many.
func TestPlacesThatAreLeft(t *testing.T) {
	got := Left([]string{"analyst-1", "builder-2", "builder-7", "anna", "validator-1"}, 3).With(Roster{Builder: 1, Integrator: 1})
	if want := "analyst=1,builder=2,validator=1,integrator=1"; got.String() != want {
		t.Errorf("%s, want %s", got, want)
	}
}
