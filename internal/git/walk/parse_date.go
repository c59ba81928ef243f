package walk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"git-ralph/internal/git"
)

// ErrBadDate: the text is not a date that git reads.
var ErrBadDate = errors.New(`want a date, such as 2026-01-31 or "2 weeks ago", or a commit`)

// ParseDate reads a date as `git log --since` does, and returns it in seconds since 1970. Git takes every text that it does
// not understand, such as a mistyped branch, for the present time; a text that has no word of a date is ErrBadDate here. A number and the
// letter of a unit, such as 24h or 7d, are that long ago.
func ParseDate(ctx context.Context, r *git.Repo, date string) (string, error) {
	if ago := longAgo(date); ago != "" {
		date = ago
	}
	if !isDate(date) {
		return "", fmt.Errorf("invalid date %q: %w", date, ErrBadDate)
	}
	out, err := r.Git().Run(ctx, nil, "rev-parse", "--since="+date)
	return strings.TrimPrefix(out, "--max-age="), err
}

// longAgo returns 24h as "24 hours ago", and so on; "" for any other text.
func longAgo(date string) string {
	units := map[byte]string{'s': "seconds", 'm': "minutes", 'h': "hours", 'd': "days", 'w': "weeks"}
	if len(date) < 2 || len(date) > 6 || strings.Trim(date[:len(date)-1], "0123456789") != "" || units[date[len(date)-1]] == "" {
		return ""
	}
	return date[:len(date)-1] + " " + units[date[len(date)-1]] + " ago"
}

// Words of dates: whole words, and the beginnings of longer ones.
var (
	dateWords  = []string{"t", "z", "am", "pm", "st", "nd", "rd", "th", "now", "tea", "ago", "one", "two", "six", "ten"}
	dateBegins = []string{
		"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu", "fri",
		"sat", "sun", "sec", "min", "hou", "day", "wee", "yea", "tod", "yes", "noo", "mid", "nev", "las", "zer", "thr",
		"fou", "fiv", "sev", "eig", "nin", "utc", "gmt",
	}
)

// isDate reports whether git will find something in a text: a number and no words, or one word that it knows.
func isDate(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) })
	if len(words) == 0 {
		return strings.ContainsFunc(text, unicode.IsDigit)
	}
	for _, word := range words {
		if isDateWord(word) {
			return true
		}
	}
	return false
}

func isDateWord(word string) bool {
	for _, known := range dateWords {
		if word == known {
			return true
		}
	}
	for _, begin := range dateBegins {
		if strings.HasPrefix(word, begin) {
			return true
		}
	}
	return false
}
