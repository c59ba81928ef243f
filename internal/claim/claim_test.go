package claim

import (
	"strings"
	"testing"
)

// A claim that is read and written keeps the members that this program does not know.
func TestUnknownMembers(t *testing.T) {
	const text = `{"id": "t-1a2b", "token": "abcdefgh1", "state": "working", "after": "", "at": "2026-01-02T03:04:05Z", "lease": 900, "colour": "red"}`
	c, err := Parse("t-1a2b", []byte(text+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Text(); got != text+"\n" {
		t.Errorf("got %s", got)
	}
	c.State, c.Renewals = Landing, 3
	again, err := Parse("t-1a2b", []byte(c.Text()))
	if err != nil || again.Renewals != 3 || !strings.Contains(again.Text(), `"colour": "red"`) {
		t.Errorf("got %+v, %v", again, err)
	}
}

// What is no claim is an error, so that it counts as held.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "{}", "[]", `{"id": "t-2", "token": "abcdefgh1", "state": "working"}`, `{"id": "t-1", "token": "x", "state": "working"}`,
		`{"id": "t-1", "token": "abcdefgh1", "state": "idle"}`, `{"id": "t-1", "token": "abcdefgh1", "state": "working", "lease": -1}`,
		`{"id": "t-1", "id": "t-1", "token": "abcdefgh1", "state": "working"}`, `{"id": "t-1", "token": "abcdefgh1", "state": "working", "lease": "1"}`,
	} {
		if c, err := Parse("t-1", []byte(text)); err == nil {
			t.Errorf("%s: got %+v", text, c)
		}
	}
}

// What a claim names is used in commands: a branch is a branch, and a commit an id.
func TestParseRefusesNames(t *testing.T) {
	id := strings.Repeat("a1", 20)
	for member, values := range map[string][2][]string{
		"branch": {
			{"refs/heads/x", "refs/heads/ralph-work/t-1.ab12", "refs/heads/ö/@"},
			{"x", "refs/tags/x", "refs/heads/", "refs/heads/a:refs/heads/main", "refs/heads/a b", "refs/heads/-x", "refs/heads/a..b", "refs/heads/a\nb", "refs/heads/a.lock", "+refs/heads/x", "refs/heads/*"},
		},
		"commit": {{id, strings.Repeat("a", 64)}, {"HEAD", "--all", "^" + id, id[:12], strings.ToUpper(id), id + "\n"}},
	} {
		for i, texts := range values {
			for _, text := range texts {
				_, err := Parse("t-1", []byte(Claim{ID: "t-1", Token: "abcdefgh1", State: Working, Branch: map[bool]string{true: text}[member == "branch"], Commit: map[bool]string{true: text}[member == "commit"]}.Text()))
				if (err == nil) != (i == 0) {
					t.Errorf("%s %q: %v", member, text, err)
				}
			}
		}
	}
}

// The trailer keeps what is worth knowing of a claim that ended.
func TestTrailer(t *testing.T) {
	c := Claim{ID: "t-1", Worker: "w\n1", Role: "builder", At: "2026-01-02T03:04:05Z", Steals: 1}
	want := `Ralph-Claim: t-1 {"worker": "w\n1", "role": "builder", "from": "2026-01-02T03:04:05Z", "to": "2026-01-02T04:04:05Z", "steals": 1}`
	if got := c.Trailer("2026-01-02T04:04:05Z"); got != want {
		t.Errorf("got %s", got)
	}
}

// The compact form holds all of a claim, also members that are not known; cut short it is none.
func TestCompact(t *testing.T) {
	text := `{"id": "t-1", "token": "token001", "state": "landing", "after": "x", "worker": "ö\n", "role": "r", "by": "b", "host": "h", "boot": "o", "lock": "l", ` +
		`"run": "u", "into": "refs/heads/i", "base": "` + strings.Repeat("a", 40) + `", "branch": "refs/heads/a", "commit": "` + strings.Repeat("b", 64) + `", "at": "t", "lease": 900, "renewals": 3, "steals": 2, "returns": 1, "feedback": "f", "more": [1]}`
	c, err := Parse("t-1", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	data := string(c.AppendCompact(nil))
	var got Claim
	rest, ok := got.CutCompact(data + "rest")
	if !ok || got != c || rest != "rest" || got.Text() != c.Text() {
		t.Errorf("got %+v, %q, %v", got, rest, ok)
	}
	plain, err := Parse("t-1", []byte(Claim{ID: "t-1", Token: "token001", State: Working, Lease: 900}.Text()))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := got.CutCompact(string(plain.AppendCompact(nil))); !ok || got.Text() != plain.Text() || got.text != "" {
		t.Errorf("without members that are not known: %+v, %v", got, ok)
	}
	for n := range len(data) {
		if _, ok := got.CutCompact(data[:n]); ok {
			t.Errorf("%d of %d bytes are a claim", n, len(data))
		}
	}
}
