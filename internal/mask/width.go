package mask

import "strings"

// Characters that make one emoji of several characters.
const (
	joiner        = '\u200d'
	emojiVariant  = '\ufe0f'
	keycap        = '\u20e3'
	lightestSkin  = '\U0001f3fb'
	darkestSkin   = '\U0001f3ff'
	firstOfSymbol = '\u2000' // what is below it is of a script, in which a joiner has another meaning
)

// PlainWidths returns a text without what terminals disagree about how wide it is: of an emoji that is made of several characters the first
// one is left, and nothing of characters that are not to be seen, as the soft hyphen.
func PlainWidths(text string) string {
	if !strings.ContainsFunc(text, hasNoPlainWidth) {
		return text
	}
	var b strings.Builder
	last, joined := rune(0), false
	for _, r := range text {
		switch {
		case joined: // what the joiner adds
			joined = false
		case r == joiner && last >= firstOfSymbol:
			joined = true
		case r == emojiVariant || r == keycap || isInvisible(r):
		case r >= lightestSkin && r <= darkestSkin && last >= firstOfSymbol:
		default:
			b.WriteRune(r)
			last = r
		}
	}
	return b.String()
}

func hasNoPlainWidth(r rune) bool {
	return r == joiner || r == emojiVariant || r == keycap || r >= lightestSkin && r <= darkestSkin || isInvisible(r)
}

// isInvisible reports whether a character says only where a line may be broken.
func isInvisible(r rune) bool {
	return r == '\u00ad' || r == '\u200b' || r == '\u2060' || r == '\ufeff'
}
