package trust

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A command that was accepted is read back, and no other one is: words that are cut in another way are other words. The
// trust in the repository is another matter, and neither adds the other nor takes it away.
func TestChecksReturn(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config")
	rapid.Check(t, func(t *rapid.T) {
		const before = "[ralph \"checks\"]\n\tallow = make\n"
		if err := os.WriteFile(config, []byte(before), 0o666); err != nil {
			t.Fatal(err)
		}
		word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", "b", "a b", "", "1:a", "\"", "\\", "\n"}))
		words := rapid.SliceOfN(word, 1, 4)
		one, other := words.Draw(t, "one"), words.Draw(t, "other")
		if err := AcceptChecks(config, [][]string{one, one}); err != nil {
			t.Fatal(err)
		}
		r, err := Load(config)
		if err != nil || r.Trusted() || !r.HasCheck(one) || len(r.checks) != 1 || r.HasCheck(other) != slices.Equal(one, other) {
			t.Fatalf("%+v %v", r, err)
		}
		if err := Accept(config, "2026-01-02T03:04:05.678Z", []Entry{{Path: "x", Kind: Settings, Hash: "sha1:1"}}); err != nil {
			t.Fatal(err)
		}
		if r, err = Load(config); err != nil || !r.Trusted() || !r.HasCheck(one) {
			t.Fatalf("%+v %v", r, err)
		}
		if err := RevokeChecks(config, [][]string{one}); err != nil {
			t.Fatal(err)
		}
		if r, err = Load(config); err != nil || !r.Trusted() || r.HasCheck(one) {
			t.Fatalf("%+v %v", r, err)
		}
		if err := Revoke(config); err != nil {
			t.Fatal(err)
		}
		if after, _ := os.ReadFile(config); string(after) != before {
			t.Fatalf("%q", after)
		}
	})
}
