package planprint

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/cli/term"
)

// Claims are what is shown of claims: by task, those that there are, which of them are ours, and which hold nobody back because their
// workers are known to have ended.
type Claims struct {
	Held      map[string]claim.Held
	Own       map[string]bool
	Abandoned map[string]bool
}

// Holds reports whether a task is claimed by somebody else.
func (c Claims) Holds(id string) bool {
	_, held := c.Held[id]
	return held && !c.Own[id]
}

// Claimed returns the tasks that somebody works on.
func (c Claims) Claimed() map[string]bool {
	claimed := make(map[string]bool, len(c.Held))
	for id := range c.Held {
		if !c.Abandoned[id] {
			claimed[id] = true
		}
	}
	return claimed
}

// maxClaimText is how many characters of a text in a claim are shown: it may come from a stranger.
const maxClaimText = 80

// ClaimField returns what is shown and kept of a text in a claim, which may come from a stranger: cut, and printable.
func ClaimField(text string) string {
	if len(text) <= maxClaimText && isPlain(text) {
		return text
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	if runes := []rune(text[:min(len(text), 4*maxClaimText+4)]); len(runes) > maxClaimText {
		text = string(runes[:maxClaimText]) + "…"
	}
	return term.Printable(text)
}

// isPlain reports whether a text is printable ASCII, which nearly all are: a query may print a thousand claims.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// HolderText returns who has a claim.
func HolderText(h claim.Held) string {
	if h.Bad != "" {
		return "somebody, by a claim that cannot be read"
	}
	return ClaimField(h.Claim.Holder())
}

// WriteClaim writes {"state", "worker", "role", "by", …, "own"}. The token is written only where it is wanted: to its owner.
func WriteClaim(w term.Sink, h claim.Held, own bool, more ...string) {
	o := term.Object{Sink: w}
	if h.Bad != "" {
		o.Str("state", "unreadable")
		o.Str("reason", ClaimField(h.Bad))
	} else {
		c := &h.Claim
		o.Str("state", string(c.State))
		for _, m := range [...]struct{ name, text string }{
			{"worker", c.Worker},
			{"role", c.Role},
			{"by", c.By},
			{"host", c.Host},
			{"run", c.Run},
			{"into", c.Into},
			{"branch", c.Branch},
			{"commit", c.Commit},
			{"at", c.At},
			{"feedback", c.Feedback},
		} {
			o.StrIf(m.name, ClaimField(m.text))
		}
		o.Value("lease", strconv.Itoa(c.Lease))
		for _, m := range [...]struct {
			name  string
			count int
		}{{"steals", c.Steals}, {"returns", c.Returns}} {
			if m.count > 0 {
				o.Value(m.name, strconv.Itoa(m.count))
			}
		}
	}
	o.Boolean("own", own)
	for i := 0; i+1 < len(more); i += 2 {
		o.StrIf(more[i], more[i+1])
	}
	o.End()
}

// claimText returns who has claimed a task, "" where nobody has.
func (s State) claimText(id string) string {
	h, held := s.Claims.Held[id]
	switch {
	case !held:
		return ""
	case s.Claims.Own[id]:
		return "claimed: own"
	}
	return "claimed: " + HolderText(h)
}

// ClaimsText lists the claims of tasks of the plan on one line, "" for none.
func (s State) ClaimsText() string {
	var texts []string
	for _, t := range s.Tasks() {
		if h, held := s.Claims.Held[t.ID()]; held {
			texts = append(texts, t.ID()+" "+cmp.Or(map[bool]string{true: "own"}[s.Claims.Own[t.ID()]], HolderText(h)))
		}
	}
	const listed = 3
	if len(texts) > listed {
		texts = append(slices.Clone(texts[:listed]), strconv.Itoa(len(texts)-listed)+" more")
	}
	return strings.Join(texts, ", ")
}
