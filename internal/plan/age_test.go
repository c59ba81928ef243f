package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawCreated draws a time of creation as another program may spell it, or what
// only looks like one. "" stands for none.
func drawCreated(t *rapid.T) string {
	if rapid.IntRange(0, 4).Draw(t, "odd") == 0 {
		return rapid.SampledFrom([]string{
			"", "", "yesterday", "2026-01-01", "2026-13-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z",
			"2026-01-01T00:00:60.000Z", "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "9999-99-99T99:99:99.999Z",
			"2026-01-01t00:00:00z", "0001-01-01T00:00:00Z",
		}).Draw(t, "spelling")
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.Int64Range(-3, 3).Draw(t, "half ms")) * 500 * time.Microsecond)
	zone := time.FixedZone("", 60*rapid.SampledFrom([]int{0, 0, 60, -90, 839}).Draw(t, "offset"))
	layout := rapid.SampledFrom([]string{timeFormat, time.RFC3339Nano, "2006-01-02T15:04:05.000000Z07:00", "2006-01-02T15:04:05-07:00"}).Draw(t, "layout")
	if layout == timeFormat {
		zone = time.UTC
	}
	return at.In(zone).Format(layout)
}

func drawAged(t *rapid.T) *Plan {
	var lines []string
	for i := range rapid.IntRange(2, 8).Draw(t, "records") {
		kind := rapid.SampledFrom([]string{"task", "issue"}).Draw(t, "kind")
		member := ""
		if created := drawCreated(t); created != "" {
			member = fmt.Sprintf(`, "created_at": %q`, created)
		}
		lines = append(lines, fmt.Sprintf(`{"t": %q, "id": "t-%d%d", "name": "x", "s": "p"%s}`, kind, rapid.IntRange(0, 9).Draw(t, "id"), i, member))
	}
	return read(t, lines...)
}

func byAge(p *Plan) []Record {
	records := slices.Clone(p.Records())
	slices.SortStableFunc(records, func(a, b Record) int { return CompareAge(&a, &b) })
	return records
}

// Formatting keeps the order of work, however the times of creation are spelled
// (docs/plan-format.md, "Order").
func TestFormatKeepsAge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawAged(t)
		before := string(p.Encode())
		want := idsOf(byAge(p))
		p.Format(testStamp())
		again, _ := Decode(string(p.Encode()))
		for _, now := range []*Plan{p, again} {
			if got := idsOf(byAge(now)); got != want {
				t.Fatalf("order of work was %s, is %s\n%s%s", want, got, before, p.Encode())
			}
		}
	})
}

// CompareAge is a total order, and CreatedNumber agrees with it.
func TestOlderIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawAged(t).records
		for _, a := range records {
			for _, b := range records {
				ab := CompareAge(&a, &b)
				if ab != -CompareAge(&b, &a) || ab == 0 && a.ID() != b.ID() {
					t.Fatalf("%s, %s: %d, %d", a.text, b.text, ab, CompareAge(&b, &a))
				}
				if a.CreatedNumber() != 0 && b.CreatedNumber() != 0 && a.CreatedNumber() < b.CreatedNumber() && ab >= 0 {
					t.Fatalf("%s, %s: born %d, %d, older %d", a.text, b.text, a.CreatedNumber(), b.CreatedNumber(), ab)
				}
				for _, c := range records {
					if ab <= 0 && CompareAge(&b, &c) <= 0 && CompareAge(&a, &c) > 0 {
						t.Fatalf("%s\n%s\n%s", a.text, b.text, c.text)
					}
				}
			}
		}
	})
}

// Times are compared as times, whatever their offset and fraction; what is no
// time comes after them, as text.
func TestOlderReadsTimes(t *testing.T) {
	ordered := []string{
		"2026-01-01T01:00:00+02:00", "2025-12-31T23:30:00Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.0005Z", "2026-01-01T00:00:00.001Z",
		"2026-01-01T00:00:00.1Z", "2025-12-31T23:00:01-01:00", "2026-01-01t00:00:02z", "2025-13-01T00:00:00.000Z", "last year",
	}
	var lines []string
	for i, created := range ordered {
		lines = append(lines, fmt.Sprintf(`{"t": "task", "id": "t-%d", "created_at": %q}`, len(ordered)-i, created))
	}
	slices.Reverse(lines)
	var got []string
	for _, r := range byAge(read(t, lines...)) {
		got = append(got, r.CreatedAt())
	}
	if !slices.Equal(got, ordered) {
		t.Errorf("got %s", strings.Join(got, ", "))
	}
}
