package mask

import (
	"testing"
)

// TestPlainWidths: of an emoji its first character is left; scripts, and what is one character anyway, stay as they are.
func TestPlainWidths(t *testing.T) {
	for _, c := range [][2]string{
		{"👨\u200d👩\u200d👧\u200d👦 family", "👨 family"},
		{"👩🏽\u200d🚀!", "👩!"},
		{"👍🏿👍🏻", "👍👍"},
		{"1\ufe0f\u20e3 ☺\ufe0f ©\ufe0f", "1 ☺ ©"},
		{"🏳\ufe0f\u200d🌈", "🏳"},
		{"\u00adso\u00adft\u200b zero\u2060\ufeff", "soft zero"},
		{"🇩🇪 👍 🏿", "🇩🇪 👍 🏿"},
		{"क\u094d\u200dष می\u200cخواهم e\u0301", "क\u094d\u200dष می\u200cخواهم e\u0301"},
	} {
		if got := PlainWidths(c[0]); got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}
