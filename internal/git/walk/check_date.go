package walk

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A dateCheck reads a date word by word, as git's approxidate does. Git ignores what it does not know: a mistyped word or a day that does not
// exist gives some other date, often the present time.
type dateCheck struct {
	out   strings.Builder // the text in words that git knows
	after string          // the word, number or sign before this one
	last  string          // the word before this one

	number  string // a number that waits for its unit, such as 2, "two" or "last"; "" for none
	found   bool   // something of the text is a date or a time
	dated   bool   // there is a date of numbers, or a month
	whole   bool   // that date has a year: no other number is part of it
	timed   bool   // there is a time of day, or a number of seconds since 1970
	month   int    // that a word names
	day     int    // the first number that can be one
	weekday string // one that no number or "last" precedes
}

// checkDate returns a text in words that git knows, and why it is no date; "" where it is one. Of "2h" it makes "2 hours", of 20260131
// 2026-01-31.
func checkDate(text string) (known, wrong string) {
	c, rest := dateCheck{}, text
	if strings.EqualFold(strings.TrimSpace(rest), "today") {
		rest = "midnight" // git takes today for the present time
	}
	for rest != "" && wrong == "" {
		token := rest[:1]
		switch {
		case isDigit(rest[0]):
			token = c.numbers(rest)
			wrong = c.digits(token)
		case isLetter(rest[0]):
			token = run(rest, isLetter)
			wrong = c.word(token)
			c.last = strings.ToLower(token)
		default:
			c.out.WriteString(token)
		}
		c.after, rest = strings.ToLower(token), rest[len(token):]
	}
	if wrong == "" {
		wrong = c.end()
	}
	return c.out.String(), wrong
}

// isLetter reports whether a byte belongs to a word. Those of other scripts do, to words that git does not know.
func isLetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= utf8.RuneSelf }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// run returns the beginning of a text whose bytes are of a sort.
func run(text string, is func(byte) bool) string {
	end := 0
	for end < len(text) && is(text[end]) {
		end++
	}
	return text[:end]
}

// numbers returns the number that a text begins with, and those that one separator joins to it: a colon in a time of day, - / or a period
// in a date. A number after a month's name, as in Nov.14.2023, after T and of a fraction stands alone.
func (c *dateCheck) numbers(text string) string {
	end := len(run(text, isDigit))
	if end == len(text) || strings.IndexByte(":-/.", text[end]) < 0 || text[end] != ':' && (c.month != 0 || c.after == "t" || c.timed && c.after == ".") {
		return text[:end]
	}
	for separator := text[end]; end+1 < len(text) && text[end] == separator && isDigit(text[end+1]); {
		end += 1 + len(run(text[end+1:], isDigit))
	}
	return text[:end]
}

// digits reads a number, a date or a time of day, and returns what is wrong with it.
func (c *dateCheck) digits(token string) string {
	n, err := strconv.Atoi(token) // an error for more than a number
	if err == nil && len(token) == 8 && c.after != "@" && c.after != "." {
		token, err = token[:4]+"-"+token[4:6]+"-"+token[6:], strconv.ErrSyntax // git reads it only where a time follows
	}
	if c.after != "" && isLetter(c.after[0]) && c.after != "t" {
		c.out.WriteByte(' ') // git knows no word that a number follows
	}
	c.out.WriteString(token)
	if wrong := c.place(); wrong != "" {
		return wrong
	}
	isSigned := c.after == "+" || c.after == "-"
	switch {
	case strings.Contains(token, ":"):
		return c.time(strings.Split(token, ":"))
	case strings.ContainsAny(token, "-/."):
		return c.date(token)
	case c.after == "t" && len(token) == 6:
		return c.time([]string{token[:2], token[2:4], token[4:]})
	case c.after == "t":
		return token + " after T is not a time of day"
	case c.after == "@" && err == nil:
		c.found, c.timed = true, true
		return ""
	case c.timed && c.after == ".": // a fraction of a second
		return ""
	case c.timed && isSigned && (len(token) == 4 && n <= 1400 && n%100 < 60 || len(token) <= 2 && n <= 14 && c.whole): // a zone
		return ""
	}
	if c.number = token; len(token) > 8 {
		return c.place() // seconds since 1970, which a zone may follow
	}
	return ""
}

// time reads hours, minutes and perhaps seconds.
func (c *dateCheck) time(parts []string) string {
	c.found, c.timed = true, true
	if n := firstThree(parts); len(parts) > len(n) || n[0] > 24 || n[1] > 59 || n[2] > 60 || n[0] == 24 && n[1]+n[2] > 0 {
		return "there is no time " + strings.Join(parts, ":")
	}
	return ""
}

// firstThree returns the first three numbers, 0 for one that is not there; one that is too large stays so.
func firstThree(parts []string) (n [3]int) {
	for i := range min(len(parts), len(n)) {
		n[i], _ = strconv.Atoi(parts[i])
	}
	return n
}

// date reads a date of numbers: year, month and day, or day and month, with - and / in either order, and perhaps a year.
func (c *dateCheck) date(token string) string {
	if c.dated {
		return token + " is a second date"
	}
	parts := strings.FieldsFunc(token, func(r rune) bool { return !isDigit(byte(r)) })
	c.found, c.dated, c.whole = true, true, len(parts) > 2
	n := firstThree(parts)
	day, month, year := n[0], n[1], n[2]
	switch {
	case !c.whole && (isYear(n[0]) || isYear(n[1])):
		return token + " has no day"
	case !c.whole:
		year = 2000 // a leap year
	case n[0] > 70:
		day, year = n[2], n[0]
	}
	switch {
	case year < 70:
		year += 2000
	case year < 100:
		year += 1900
	}
	switch exists := isDay(year, month, day) || n[0] < 13 && !strings.Contains(token, ".") && isDay(year, day, month); {
	case len(parts) > len(n) || !exists:
		return "there is no day " + token
	case !isYear(year):
		return fmt.Sprintf("git knows the years %d to %d", firstYear, lastYear)
	}
	return ""
}

// The years that git knows, and the last second of them.
const firstYear, lastYear, lastSecond = 1970, 2099, 4_102_444_799

func isYear(n int) bool { return firstYear <= n && n <= lastYear }

// isDay reports whether a calendar has a day.
func isDay(year, month, day int) bool {
	y, m, d := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Date()
	return y == year && int(m) == month && d == day
}

// place finds what a number is that no unit follows: a day, a month, a year, or seconds since 1970.
func (c *dateCheck) place() string {
	text := c.number
	if text == "" {
		return ""
	}
	c.number = ""
	n, err := strconv.Atoi(text)
	isPart := n <= 31 || 70 <= n && n <= 99 || isYear(n) || 100_000_000 <= n && n <= lastSecond
	switch {
	case !isDigit(text[0]):
		return fmt.Sprintf("%q has no unit after it", text)
	case err != nil || n == 0 || c.whole || text[0] == '0' && len(text) > 2 || !isPart:
		return text + " is not part of a date"
	case n <= 31 && c.day == 0:
		c.day = n
	}
	c.found, c.timed = true, c.timed || n > lastYear
	return ""
}

// end returns what is wrong with the whole text.
func (c *dateCheck) end() string {
	if wrong := c.place(); wrong != "" {
		return wrong
	}
	seconds, at := strings.CutPrefix(strings.TrimSpace(c.out.String()), "@")
	switch {
	case c.weekday != "" && !c.dated:
		return fmt.Sprintf(`%q has no "last" before it`, c.weekday)
	case c.month != 0 && c.day != 0 && !isDay(2000, c.month, c.day):
		return fmt.Sprintf("there is no %s %d", time.Month(c.month), c.day)
	case !c.found:
		return "there is no date in it"
	case at && run(seconds, isDigit) == seconds:
		c.out.WriteString(" +0000") // without a zone, git takes a small number for a day
	}
	return ""
}

const zoneNames = "idlw cat hst hdt yst ydt pst pdt mst mdt cst cdt est edt ast adt wat gmt utc wet bst cet met mewt mest cest mesz fwt fst eet " +
	"eest wast wadt cct jst east eadt gst nzt nzst nzdt idle"

// word reads a word of a date, and returns what is wrong with it.
func (c *dateCheck) word(token string) string {
	word := strings.ToLower(token)
	unit, maxCount := unitOf(word)
	if c.number != "" && (c.after == c.number || c.after == " " || c.after == ".") { // not 2026-W48
		word = unit
	}
	c.out.WriteString(word)
	month := indexOf(12, word, func(i int) string { return time.Month(i + 1).String() })
	count, err := strconv.Atoi(c.number)
	switch {
	case isOneOf("st nd rd th t z", word) && c.after != "" && isDigit(c.after[0]):
	case month >= 0:
		c.month, c.dated, c.found = month+1, true, true
	case word == unit && maxCount > 0 && c.number == "":
		return fmt.Sprintf("%q has no number before it", word)
	case word == unit && maxCount > 0:
		if isDigit(c.number[0]) && (err != nil || count > maxCount) {
			return fmt.Sprintf("%s %s are more than git counts", c.number, word)
		}
		c.number, c.found = "", true
	case indexOf(7, word, func(i int) string { return time.Weekday(i).String() }) >= 0:
		if c.number == "" {
			c.weekday = token
		} else {
			c.number, c.found = "", true
		}
	case word == "now" && c.last == "from":
		return `git takes "from now" for "ago"`
	case isOneOf("yesterday today noon midnight tea never now", word):
		c.found = true
	case isOneOf("am pm", word):
		if err == nil && count > 24 {
			return "there is no hour " + c.number
		}
		c.number, c.found, c.timed = "", true, true
	case isOneOf("zero one two three four five six seven eight nine ten last", word):
		wrong := c.place()
		c.number = word
		return wrong
	case word == "ago" && c.number != "":
		return c.number + " has no unit after it"
	case !isOneOf("ago at of on in from the and", word) && !isOneOf(zoneNames, word):
		return fmt.Sprintf("unknown word %q", token)
	}
	return ""
}

// isOneOf reports whether a list has a word.
func isOneOf(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// indexOf returns which of n names begins with a word of three letters or more; -1 for none.
func indexOf(n int, word string, name func(int) string) int {
	for i := range n {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(name(i)), word) {
			return i
		}
	}
	return -1
}

// unitOf returns a unit of time in a word that git knows, and how many of them git counts: up to weeks in seconds, of 32 bits. Of a word that
// is no unit it returns that, and 0.
func unitOf(word string) (unit string, maxCount int) {
	const day = 24 * 60 * 60
	for _, u := range [...]struct {
		names    string // those after the plural are short ones, which git does not know
		maxCount int
	}{
		{"second seconds s sec secs", math.MaxInt32},
		{"minute minutes m min mins", math.MaxInt32 / 60},
		{"hour hours h hr hrs", math.MaxInt32 / (60 * 60)},
		{"day days d", math.MaxInt32 / day},
		{"week weeks w", math.MaxInt32 / (7 * day)},
		{"month months", 9999},
		{"year years", 9999},
	} {
		names := strings.Fields(u.names)
		switch at := slices.Index(names, word); {
		case at > 1:
			return names[1], u.maxCount
		case at >= 0:
			return word, u.maxCount
		}
	}
	return word, 0
}
