package proc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		`a  b`:              {"a", "b"},
		`'a b' "c \" d" ''`: {"a b", `c " d`, ""},
		`a\ b 'c\d'`:        {"a b", `c\d`},
		`$(x) ; y`:          {"$(x)", ";", "y"},
	} {
		if got, err := SplitWords(line); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %q %v", line, got, err)
		}
	}
}
