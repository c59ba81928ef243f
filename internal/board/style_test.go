package board

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestContrast: each colour of a text can be read on the background, also where a card is selected.
func TestContrast(t *testing.T) {
	for _, look := range []struct {
		palette
		backgrounds []string
	}{
		{darkPalette(), []string{"#000000", dark.background}},
		{lightPalette(), []string{light.background}},
		{dark16Palette(), []string{"#000000"}},
		{light16Palette(), []string{light.background}},
	} {
		texts := slices.Collect(maps.Values(look.status))
		texts = append(texts, look.faint, look.accent, look.warn, look.bad, look.good, look.inserted, look.deleted)
		for _, s := range []style{look.marked, look.resting} {
			if s == plain {
				continue
			}
			look.backgrounds = append(look.backgrounds, colour256(strings.Split(string(s), ";")[2]))
		}
		for _, s := range texts {
			for _, background := range look.backgrounds {
				var set cellStyle
				if set.set(string(s)); set.text == "" {
					continue // the terminal's own
				}
				if got := contrast(set.text, background); got < 4.5 {
					t.Errorf("the contrast of %s on %s is %.1f, want 4.5 or more", s, background, got)
				}
			}
		}
	}
}

// contrast returns the contrast of two colours, as the Web Content Accessibility Guidelines have it.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	var r, g, b int
	fmt.Sscanf(colour, "#%02x%02x%02x", &r, &g, &b) //nolint:errcheck // it is one of ours
	linear := func(v int) float64 {
		c := float64(v) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// TestASCII: where the locale has nothing but ASCII, the signs of the board are, and everything is where it was.
func TestASCII(t *testing.T) {
	r := newRepo(t, bigPlan(60)...)
	for _, keys := range [][]string{nil, {"?"}, {"tab"}, {"right", "tab", "tab"}, {"/", "z"}, {"p"}, {"["}, {"enter"}} {
		u := open(t, r, 80, 24)
		u.press(keys...)
		want := strings.Split(u.screen(), "\n")
		u.m.ascii = asciiSigns()
		for i, line := range strings.Split(u.screen(), "\n") {
			if j := strings.IndexFunc(line, func(r rune) bool { return r > '~' }); j >= 0 {
				t.Fatalf("after %q line %d has signs that are not ASCII: %q", keys, i, line)
			}
			if a, b := strings.Fields(line), strings.Fields(want[i]); len(a) != len(b) {
				t.Fatalf("after %q line %d is %q, want what is in %q", keys, i, line, want[i])
			}
		}
	}
}

// TestFocus: which pane has the keys is seen without colour too.
func TestFocus(t *testing.T) {
	u := open(t, smallRepo(t), 80, 24)
	u.press("right")
	seen := []string{}
	for range 3 {
		screen := u.screen()
		for _, other := range seen {
			if screen == other {
				t.Errorf("two panes look the same with the keys:\n%s", screen)
			}
		}
		seen = append(seen, screen)
		u.press("tab")
	}
}
