package walk

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// word reads a word of a date, and returns what is wrong with it.
func (c *dateCheck) word(token string) string {
	word := strings.ToLower(token)
	if unit := longUnit(word); unit != "" && c.number != "" && (c.after == c.number || c.after == " ") {
		word = unit
	}
	c.out.WriteString(word)
	month := indexOf(12, word, func(i int) string { return time.Month(i + 1).String() })
	weekday := indexOf(7, word, func(i int) string { return time.Weekday(i).String() })
	switch {
	case isOneOf("st nd rd th t z", word) && c.after != "" && isDigit(c.after[0]):
	case month >= 0:
		c.month, c.dated, c.found = month+1, true, true
	case maxCount(word) > 0:
		return c.unit(word)
	case weekday >= 0 && c.number == "":
		c.friday = token
	case weekday >= 0:
		c.number, c.found = "", true
	case word == "now" && c.last == "from":
		return `of "from now" git makes "ago"`
	case isOneOf("yesterday today noon midnight tea never now", word):
		c.found = true
	case isOneOf("am pm", word):
		return c.half()
	case isOneOf(numberWords, word):
		wrong := c.place()
		c.number = word
		return wrong
	case word == "ago" && c.number != "":
		return c.number + " has no unit after it"
	case isOneOf("ago at of on in from the and", word) || isOneOf(zoneNames, word):
	default:
		return fmt.Sprintf("dates of git have no word %q", token)
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

// unit reads a unit of time, of which there is a number.
func (c *dateCheck) unit(word string) string {
	if c.number == "" {
		return fmt.Sprintf("%q has no number before it", word)
	}
	if n, err := strconv.Atoi(c.number); isDigit(c.number[0]) && (err != nil || n > maxCount(word)) {
		return fmt.Sprintf("%s %s are more than git counts", c.number, word)
	}
	c.number, c.found = "", true
	return ""
}

// maxCount returns how many of a unit git counts; 0 for a word that is no unit. Up to weeks it counts in seconds, of 32 bits.
func maxCount(word string) int {
	switch strings.TrimSuffix(word, "s") {
	case "second":
		return math.MaxInt32
	case "minute":
		return math.MaxInt32 / 60
	case "hour":
		return math.MaxInt32 / (60 * 60)
	case "day":
		return math.MaxInt32 / (24 * 60 * 60)
	case "week":
		return math.MaxInt32 / (7 * 24 * 60 * 60)
	case "month", "year":
		return 9999
	}
	return 0
}

// longUnit returns the unit that a short word stands for, which git does not know; "" for none.
func longUnit(word string) string {
	switch word {
	case "s", "sec", "secs":
		return "seconds"
	case "m", "min", "mins":
		return "minutes"
	case "h", "hr", "hrs":
		return "hours"
	case "d":
		return "days"
	case "w":
		return "weeks"
	}
	return ""
}

// half reads am or pm.
func (c *dateCheck) half() string {
	if n, err := strconv.Atoi(c.number); err == nil && n > 24 {
		return "there is no hour " + c.number
	}
	c.number, c.found, c.timed = "", true, true
	return ""
}

// The numbers, and the names of time zones, that git knows.
const (
	numberWords = "zero one two three four five six seven eight nine ten last"
	zoneNames   = "idlw cat hst hdt yst ydt pst pdt mst mdt cst cdt est edt ast adt wat gmt utc wet bst cet met mewt mest cest mesz fwt fst eet " +
		"eest wast wadt cct jst east eadt gst nzt nzst nzdt idle"
)
