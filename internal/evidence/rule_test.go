package evidence

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/trust"
)

func allows(t *testing.T, r Rule, check string) bool {
	t.Helper()
	words, err := Words(check)
	if err != nil && !errors.Is(err, ErrUnusable) {
		t.Fatal(err)
	}
	return err == nil && r.Allows(words)
}

// docs/teams.md, "Whose command is run": a value of ralph.checks.allow covers the words that it consists of, and names behind
// them; never options, assignments, paths that lead out of the worktree, or anything that only looks like the words.
func TestAllow(t *testing.T) {
	r, err := NewRule([]string{"make test", "go test", "go  vet -all", "'my tool' check"}, trust.Record{})
	if err != nil {
		t.Fatal(err)
	}
	for check, want := range map[string]bool{
		"make test":               true,
		"  make   test ":          true,
		"'make' \"test\"":         true, // the same words
		"make test unit":          true,
		"go test ./...":           true,
		"go test ./a/b.c ./d":     true,
		"go vet -all ./x":         true,
		"my\\ tool check":         true,
		"make":                    false,
		"make testing":            false,
		"make 'test unit'":        false,
		"make test; rm x":         false,
		"make test ;rm x":         false,
		"make test ; rm x":        false,
		"make test && rm x":       false,
		"make test | sh":          false,
		"make test $(rm x)":       false,
		"make test `rm`":          false,
		"make test > x":           false,
		"make test\nrm":           false,
		"make test\n":             false,
		"make\ntest":              false,
		"make\ttest":              false,
		"make test\r":             false,
		"make test\x00":           false,
		"make\u00a0test":          false,
		"make\u2003test":          false,
		"make test\u2003unit":     false,
		"make test\u200bunit":     false,
		"make test\u202eunit":     false,
		"make test \xff":          false,
		"m\u0430ke test":          false, // a Cyrillic letter
		"make test -f evil.mk":    false,
		"make test --file=evil":   false,
		"make test SHELL=/tmp/x":  false,
		"make test CC=evil":       false,
		"go test -exec evil":      false,
		"go test ./... -exec x":   false,
		"go test '-exec' x":       false,
		"go test \\-exec x":       false,
		"go test '' -exec x":      false,
		"go test '-exec x'":       false,
		"go 'test -exec' x":       false,
		"go test \"-toolexec=x\"": false,
		"go test evil@latest":     false,
		"go test ../other":        false,
		"go test ./a/../../b":     false,
		"go test /tmp/evil":       false,
		"go test ~/evil":          false,
		"go test ''":              false,
		"go test 'a b'":           false,
		"go vet -vettool=x":       false,
		"go vet":                  false,
		"GO test":                 false,
		"./make test":             false,
		"/tmp/make test":          false,
		"env make test":           false,
		"X=1 make test":           false,
		"sh -c 'make test'":       false,
		"make test '":             false,
		"make test \\":            false,
		"":                        false,
		" ":                       false,
		"''":                      false,
	} {
		if got := allows(t, r, check); got != want {
			t.Errorf("%q: %v, want %v", check, got, want)
		}
	}
}

// Nothing is allowed where nobody said so, and a value that allows nothing is reported.
func TestAllowNothing(t *testing.T) {
	if (Rule{}).Allows([]string{"true"}) {
		t.Error("an empty rule allows something")
	}
	for _, value := range []string{"", " ", "''", "make 'test", "make\ntest"} {
		if _, err := NewRule([]string{value}, trust.Record{}); !errors.Is(err, ErrUnusable) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// A command that was accepted by itself is allowed in exactly these words.
func TestTrustedCheck(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config")
	if err := trust.AcceptChecks(config, [][]string{{"make", "test", "CC=x; y"}}); err != nil {
		t.Fatal(err)
	}
	record, err := trust.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRule(nil, record)
	if err != nil {
		t.Fatal(err)
	}
	for check, want := range map[string]bool{
		"make test 'CC=x; y'": true, "make  test CC=x\\;\\ y": true, "make test CC=x; y": false, "make test": false, "make test 'CC=x; y' z": false,
	} {
		if got := allows(t, r, check); got != want {
			t.Errorf("%q: %v, want %v", check, got, want)
		}
	}
}

// Whatever is put behind an allowed command, only plain names pass.
func TestAllowedWordsArePlain(t *testing.T) {
	r, err := NewRule([]string{"go test"}, trust.Record{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		behind := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a./-=;|&$`'\"\\ \n\t\x00\u00a0~@+*")))).Draw(t, "behind")
		words, err := Words("go test" + behind)
		if err != nil || !r.Allows(words) {
			return
		}
		for _, word := range words[2:] {
			if strings.HasPrefix(word, "-") || strings.HasPrefix(word, "/") || strings.ContainsAny(word, "=;|&$`'\"\\ \n\t\x00\u00a0~@+*") || strings.Contains("/"+word+"/", "/../") {
				t.Fatalf("%q is allowed", words)
			}
		}
	})
}
