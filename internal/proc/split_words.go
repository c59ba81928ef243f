package proc

import (
	"errors"
	"strings"
)

// ErrQuote: a quote in a command line is not closed.
var ErrQuote = errors.New("a quote is not closed")

// SplitWords splits a command line as a shell would, by quotes and backslashes, and nothing more: no shell is run. The error is
// ErrQuote.
func SplitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	begun, escaped := false, false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			begun, escaped = true, true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			begun, quote = true, r
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if quote != 0 || escaped {
		return nil, ErrQuote
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
