package claim

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// State says what happens with a claimed task.
type State string

const (
	Working State = "working" // its holder works on it
	Landing State = "landing" // the work is done and waits to become part of the target
)

// Claim says who works on a task. It is comparable: equal claims have equal texts.
type Claim struct {
	ID       string // of the task
	Token    string // random, and new for each holder
	State    State
	After    string // attempt of the task's newest tombstone when it was claimed, "" for none: the round of work
	Worker   string // name of the worker
	Role     string
	By       string // e-mail address of the person or agent
	Host     string
	Boot     string // id of the boot of the holder's machine
	Lock     string // name of the worker's lock file; "" for a claim of a short-lived command
	Run      string
	Into     string // full name of the target branch
	Base     string // commit that the work began at
	Branch   string // full name of the branch with the work
	Commit   string // tip of that branch, when it was done
	At       string // when it was taken, in RFC 3339
	Lease    int    // seconds; 0: until it is released
	Renewals int
	Steals   int    // how often it was taken as stale since the last commit on its branch
	Returns  int    // how often a landing returned it
	Feedback string // why it was returned

	text string // as it was read; members that are not known are kept
}

// MaxLease is the longest lease that counts.
const MaxLease = 24 * time.Hour

// ErrID: a text is not the id of a record, so no reference is named by it.
var ErrID = errors.New("invalid id")

// CheckID returns ErrID for a text that is not the id of a record.
func CheckID(id string) error {
	if !isID(id) {
		return fmt.Errorf("%w %q: want t-, i- or w- and small letters, digits and hyphens", ErrID, id)
	}
	return nil
}

// isID reports whether a text is the id of a record: t-, i- or w-, then small letters, digits and hyphens.
func isID(id string) bool {
	return len(id) > 2 && strings.IndexByte("tiw", id[0]) >= 0 && id[1] == '-' && id[2] != '-' && isWord(id[2:], true)
}

// IsToken reports whether a text can be a token, and so part of the name of a file or a branch.
func IsToken(token string) bool {
	return len(token) >= 8 && len(token) <= 64 && isWord(token, false)
}

// isWord reports whether a text has nothing but small letters, digits and, where they may be, hyphens.
func isWord(text string, hyphens bool) bool {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' || !hyphens) {
			return false
		}
	}
	return true
}

// LeaseTime returns how long the claim is safe after each change of its reference; 0 where it does not end by itself.
func (c Claim) LeaseTime() time.Duration { return min(time.Duration(c.Lease)*time.Second, MaxLease) }

// Holder returns who has the claim, for messages. It may come from a stranger.
func (c Claim) Holder() string {
	who := cmp.Or(c.Worker, c.By, "somebody")
	if c.Host != "" {
		who += " on " + c.Host
	}
	return who
}

// field is a member of the JSON object, as a pointer to a text or to a number.
type field struct {
	name   string
	text   *string
	number *int
	always bool // it is written when it is empty too
}

// fields lists the members in the order in which they are written.
func (c *Claim) fields() []field {
	return []field{
		{name: "id", text: &c.ID, always: true},
		{name: "token", text: &c.Token, always: true},
		{name: "state", text: (*string)(&c.State), always: true},
		{name: "after", text: &c.After, always: true},
		{name: "worker", text: &c.Worker},
		{name: "role", text: &c.Role},
		{name: "by", text: &c.By},
		{name: "host", text: &c.Host},
		{name: "boot", text: &c.Boot},
		{name: "lock", text: &c.Lock},
		{name: "run", text: &c.Run},
		{name: "into", text: &c.Into},
		{name: "base", text: &c.Base},
		{name: "branch", text: &c.Branch},
		{name: "commit", text: &c.Commit},
		{name: "at", text: &c.At, always: true},
		{name: "lease", number: &c.Lease, always: true},
		{name: "renewals", number: &c.Renewals},
		{name: "steals", number: &c.Steals},
		{name: "returns", number: &c.Returns},
		{name: "feedback", text: &c.Feedback},
	}
}

// Text returns the claim as a line of JSON.
func (c Claim) Text() string {
	var members []jsonl.Member
	known := map[string]bool{}
	for _, f := range c.fields() {
		known[f.name] = true
		switch {
		case f.text != nil && (*f.text != "" || f.always):
			members = append(members, jsonl.Member{Name: f.name, Value: jsonl.Quote(*f.text)})
		case f.number != nil && (*f.number != 0 || f.always):
			members = append(members, jsonl.Member{Name: f.name, Value: jsonl.Value(strconv.Itoa(*f.number))})
		}
	}
	if old, err := jsonl.ParseObject(c.text); err == nil {
		for _, m := range old.Members() {
			if !known[m.Name] {
				members = append(members, m)
			}
		}
	}
	return jsonl.Build(members).Text() + "\n"
}

// Parse reads the claim of a task from a blob. The error says why it is none; its reference then counts as held.
func Parse(id string, data []byte) (Claim, error) {
	object, err := jsonl.ParseObject(string(data))
	if err != nil {
		return Claim{}, fmt.Errorf("claim of %s: %w", id, err)
	}
	c := Claim{text: object.Text()}
	for _, f := range c.fields() {
		if value, ok := object.Get(f.name); ok && !f.set(value) {
			return Claim{}, fmt.Errorf("claim of %s: invalid %s %s", id, f.name, value)
		}
	}
	switch {
	case c.ID != id:
		return Claim{}, fmt.Errorf("claim of %s: invalid id %q: want that of its reference", id, c.ID)
	case !IsToken(c.Token):
		return Claim{}, fmt.Errorf("claim of %s: invalid token %q: want small letters and digits", id, c.Token)
	case c.State != Working && c.State != Landing:
		return Claim{}, fmt.Errorf("claim of %s: invalid state %q: want working or landing", id, c.State)
	case c.Lease < 0 || c.Renewals < 0 || c.Steals < 0 || c.Returns < 0:
		return Claim{}, fmt.Errorf("claim of %s: a number is negative", id)
	}
	if err := c.checkNames(); err != nil {
		return Claim{}, err
	}
	return c, nil
}

// checkNames refuses names that are used in commands and that git would not accept as what they are.
func (c Claim) checkNames() error {
	for _, f := range []struct{ name, text string }{{"branch", c.Branch}, {"into", c.Into}} {
		if f.text != "" && !isBranch(f.text) {
			return fmt.Errorf("claim of %s: invalid %s %q: want the full name of a branch", c.ID, f.name, f.text)
		}
	}
	for _, f := range []struct{ name, text string }{{"commit", c.Commit}, {"base", c.Base}} {
		if f.text != "" && !isCommit(f.text) {
			return fmt.Errorf("claim of %s: invalid %s %q: want the id of a commit", c.ID, f.name, f.text)
		}
	}
	return nil
}

// set reads the value of a member, and reports whether it is of the right kind.
func (f field) set(value jsonl.Value) (ok bool) {
	if f.text != nil {
		*f.text, ok = value.Str()
		return ok
	}
	n, err := strconv.Atoi(string(value))
	*f.number = n
	return err == nil && n <= 1<<31-1
}

// Trailer returns the line of a commit message that keeps what is worth knowing of a claim that ended: `Ralph-Claim: …`.
func (c Claim) Trailer(to string) string {
	value := jsonl.Build([]jsonl.Member{
		{Name: "worker", Value: jsonl.Quote(c.Worker)},
		{Name: "role", Value: jsonl.Quote(c.Role)},
		{Name: "from", Value: jsonl.Quote(c.At)},
		{Name: "to", Value: jsonl.Quote(to)},
		{Name: "steals", Value: jsonl.Value(strconv.Itoa(c.Steals))},
	})
	return "Ralph-Claim: " + c.ID + " " + value.Text()
}
