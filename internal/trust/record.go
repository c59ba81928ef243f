package trust

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/safefile"
)

// A Record is what a person has accepted in one clone. The zero Record is that of a clone that nobody has trusted.
type Record struct {
	At       string // when the clone was last trusted, RFC 3339; "" for never
	accepted []string
	checks   []string
}

// Trusted reports whether a person has trusted the clone.
func (r Record) Trusted() bool { return r.At != "" }

// Has reports whether the entry was accepted with this content.
func (r Record) Has(e Entry) bool { return slices.Contains(r.accepted, e.text()) }

// Unaccepted returns the entries that can run something and were not accepted as they are now.
func (r Record) Unaccepted(entries []Entry) []Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return !e.Runs() || r.Has(e) })
}

// text returns how a record names an entry, in ASCII.
func (e Entry) text() string { return e.Hash + " " + strconv.QuoteToASCII(e.Path) }

// The section of the configuration file.
const (
	heading  = `[ralph "trust"]`
	atKey    = "at"
	entryKey = "accepted"
	checkKey = "check"
)

// Load reads the record from a clone's own configuration file.
func Load(config string) (Record, error) {
	data, err := os.ReadFile(config)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, nil
	}
	r, _ := parse(string(data))
	return r, err
}

// Accept adds to the record that a person accepted entries. What was accepted before stays: other worktrees of the clone may
// have it. The errors are those of safefile.BeginEdit.
func Accept(config, at string, entries []Entry) error {
	return edit(config, func(r Record) Record {
		r.At = at
		for _, e := range entries {
			if !r.Has(e) {
				r.accepted = append(r.accepted, e.text())
			}
		}
		return r
	})
}

// Revoke removes the whole record.
func Revoke(config string) error {
	return edit(config, func(Record) Record { return Record{} })
}

// edit changes the record under git's own lock of the file.
func edit(config string, change func(Record) Record) error {
	e, err := safefile.BeginEdit(config)
	if err != nil {
		return err
	}
	defer e.Close()
	old, _ := e.Old()
	r, rest := parse(string(old))
	if err := e.Prepare([]byte(rest + change(r).section(rest))); err != nil {
		return err
	}
	return e.Commit()
}

// parse reads our section of a configuration, and returns the text without it.
func parse(text string) (r Record, rest string) {
	var b strings.Builder
	inside, kept := false, false // within our section; its heading is kept for a foreign line in it
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		key, value, _ := strings.Cut(trimmed, " = ")
		switch {
		case strings.HasPrefix(trimmed, "["):
			inside, kept = trimmed == heading, false
			if inside {
				continue
			}
		case inside && key == atKey:
			r.At = unquote(value)
			continue
		case inside && key == entryKey:
			r.accepted = append(r.accepted, unquote(value))
			continue
		case inside && key == checkKey:
			r.checks = append(r.checks, unquote(value))
			continue
		case inside && trimmed != "" && !kept:
			b.WriteString(heading + "\n")
			kept = true
		}
		b.WriteString(line)
	}
	return r, b.String()
}

// section returns the record as a section that is appended to a text.
func (r Record) section(text string) string {
	if !r.Trusted() && len(r.checks) == 0 {
		return ""
	}
	var b strings.Builder
	if text != "" && !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\\\n") {
		b.WriteByte('\n') // else the heading would belong to the last line
	}
	b.WriteString(heading + "\n")
	if r.Trusted() {
		b.WriteString("\t" + atKey + " = " + quote(r.At) + "\n")
	}
	for _, entry := range r.accepted {
		b.WriteString("\t" + entryKey + " = " + quote(entry) + "\n")
	}
	for _, check := range r.checks {
		b.WriteString("\t" + checkKey + " = " + quote(check) + "\n")
	}
	return b.String()
}

// quote quotes an ASCII text without control characters for git's configuration.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// unquote is the inverse of quote. Anything else becomes "", which accepts
// nothing.
func unquote(text string) string {
	inner, ok := strings.CutPrefix(text, `"`)
	inner, closed := strings.CutSuffix(inner, `"`)
	if !ok || !closed {
		return ""
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(inner)
}
