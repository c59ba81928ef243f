package trust

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What a person accepted is read back, whatever the names are; git reads the file, and revoking gives it back as it was.
func TestRecordReturns(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config")
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SampledFrom([]string{
			"", "[core]\n\tbare = false\n", "[core]\n\tbare = false", "[a]\n\tb = c \\\n", "[ralph]\n\tplan = x\n[Ralph \"trust\"]\n\tat = 1\n",
		}).Draw(t, "before")
		if err := os.WriteFile(config, []byte(before), 0o666); err != nil {
			t.Fatal(err)
		}
		names := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a\"\\\n\r\x00\x1b[]#;=. ")))), 1, 5).Draw(t, "names")
		var entries []Entry
		for _, name := range names {
			entries = append(entries, Entry{Path: name, Kind: Settings, Hash: "sha1:1"})
		}
		for _, some := range [][]Entry{entries[:1], entries, entries} {
			if err := Accept(config, "2026-01-02T03:04:05.678Z", some); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Load(config)
		if err != nil || !r.Trusted() || len(r.Unaccepted(entries)) != 0 {
			t.Fatalf("%v %v", r, err)
		}
		other := Entry{Path: names[0], Kind: Settings, Hash: "sha1:2"}
		if got := r.Unaccepted([]Entry{other, {Path: names[0], Kind: Instructions}}); !slices.Equal(got, []Entry{other}) {
			t.Fatalf("%v", got)
		}
		if err := Revoke(config); err != nil {
			t.Fatal(err)
		}
		if after, _ := os.ReadFile(config); strings.TrimRight(string(after), "\n") != strings.TrimRight(before, "\n") {
			t.Fatalf("%q became %q", before, after)
		}
	})
}
