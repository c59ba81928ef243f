package team

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Role is what a worker is for.
type Role string

// The roles, in the order of a roster.
const (
	Analyst    Role = "analyst"
	Builder    Role = "builder"
	Validator  Role = "validator"
	Integrator Role = "integrator"
)

// Roles returns all roles.
func Roles() []Role { return []Role{Analyst, Builder, Validator, Integrator} }

// listRoles lists all roles for a message.
func listRoles() string {
	return fmt.Sprintf("%s, %s, %s or %s", Analyst, Builder, Validator, Integrator)
}

// DefaultRoster is the one where nothing else is said.
const DefaultRoster = "analyst=1,builder=3,validator=1,integrator=1"

// A Roster says how many workers of each role a team has.
type Roster map[Role]int

// maxWorkers is how many workers a team may have: more are a mistake in writing.
const maxWorkers = 512

// ErrRoster says that a roster is not valid.
var ErrRoster = errors.New("invalid roster")

// ParseRoster reads a roster such as "builder=3,validator=1". A role that is left out has no worker, but there is always a
// validator: work that nobody checks is not done.
func ParseRoster(text string) (Roster, error) {
	r := Roster{}
	for part := range strings.SplitSeq(text, ",") {
		name, number, found := strings.Cut(strings.TrimSpace(part), "=")
		role := Role(strings.TrimSpace(name))
		n, err := strconv.Atoi(strings.TrimSpace(number))
		_, twice := r[role]
		switch {
		case !found || err != nil || n < 0 || n > maxWorkers:
			return nil, fmt.Errorf("%w %q: want roles and numbers, such as builder=3,validator=1", ErrRoster, part)
		case !slices.Contains(Roles(), role):
			return nil, fmt.Errorf("%w: unknown role %q: want %s", ErrRoster, role, listRoles())
		case twice:
			return nil, fmt.Errorf("%w: %s is there twice: want each role once", ErrRoster, role)
		}
		r[role] = n
	}
	return r.withValidator()
}

func (r Roster) withValidator() (Roster, error) {
	if n, named := r[Validator]; named && n == 0 {
		return nil, fmt.Errorf("%w: validator=0: want at least one, who checks the work of the others", ErrRoster)
	}
	r[Validator] = max(r[Validator], 1)
	if r[Builder] == 0 {
		return nil, fmt.Errorf("%w: no builder: want at least builder=1", ErrRoster)
	}
	if n := len(r.Members()); n > maxWorkers {
		return nil, fmt.Errorf("%w: %d workers: want at most %d", ErrRoster, n, maxWorkers)
	}
	return r, nil
}

// AutoRoster is the word for a roster that the work of items decides.
const AutoRoster = "auto"

// HeroRoster returns the roster of a run whose workers do one job each: so many may do research beside the one that does anything else.
func HeroRoster(analysts int) (Roster, error) {
	if analysts < 1 || analysts > maxWorkers/2 {
		return nil, fmt.Errorf("invalid number of analysts %d: want 1 to %d", analysts, maxWorkers/2)
	}
	return Roster{Analyst: analysts, Builder: 1, Validator: 1, Integrator: 1}, nil
}

// A Member is one place in a roster. Its name is the same in each run, so that its worktree, and what was built there, serves
// the next run too.
type Member struct {
	Name string
	Role Role
}

// Members lists the places of a roster in order.
func (r Roster) Members() []Member {
	var all []Member
	for _, role := range Roles() {
		for i := range r[role] {
			all = append(all, Member{fmt.Sprintf("%s-%d", role, i+1), role})
		}
	}
	return all
}

// With returns a roster that has as many workers of each role as whichever of two rosters has more.
func (r Roster) With(other Roster) Roster {
	all := Roster{}
	for _, role := range Roles() {
		all[role] = max(r[role], other[role])
	}
	return all
}

// Left returns the roster of an earlier run that names are the members of, up to so many of each role.
func Left(names []string, limit int) Roster {
	r := Roster{}
	for _, role := range Roles() {
		for i, m := range (Roster{role: limit}).Members() {
			if slices.Contains(names, m.Name) {
				r[role] = i + 1
			}
		}
	}
	return r
}

// String returns the roster as ParseRoster reads it.
func (r Roster) String() string {
	var parts []string
	for _, role := range Roles() {
		if r[role] > 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", role, r[role]))
		}
	}
	return strings.Join(parts, ",")
}
