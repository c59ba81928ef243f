package agent

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// ServiceLimitEnd parses the time at which a limit ends out of its message: "…|1767225600" in seconds since 1970, "try again in
// 20s", "retry after 2 hours 15 minutes", "resets 3pm (Europe/Berlin)". Ok is false if the message has no time. The time may be
// in the past.
func ServiceLimitEnd(words string, now time.Time) (end time.Time, ok bool) {
	if _, number, found := strings.Cut(words, "|"); found {
		digits := number[:len(number)-len(strings.TrimLeft(number, "0123456789"))]
		if seconds, err := strconv.ParseInt(digits, 10, 64); err == nil && len(digits) == len("1767225600") {
			return time.Unix(seconds, 0), true
		}
	}
	fields := strings.Fields(words)
	for i := range fields[:max(len(fields)-1, 0)] {
		switch word := strings.TrimRight(strings.ToLower(fields[i]), ":"); {
		case word == "in" || strings.HasSuffix(word, "after"):
			if wait, ok := duration(fields[i+1:]); ok {
				return now.Add(wait), true
			}
		case word == "resets" || word == "reset" || word == "again":
			if end, ok := timeOfDay(fields[i+1:], now); ok {
				return end, true
			}
		}
	}
	return time.Time{}, false
}

// precision returns how precisely a message gives the end of its limit: 0 not at all, 1 in words, 2 to the second.
func precision(words string) int {
	_, found := ServiceLimitEnd(words, time.Time{})
	switch {
	case found && strings.Contains(words, "|"):
		return 2
	case found:
		return 1
	}
	return 0
}

// punctuation may follow a word without being part of it.
const punctuation = ".,;)"

// maxLimit is the longest limit that is accepted, whatever the message says. It keeps times from overflowing.
const maxLimit = 1000 * 24 * time.Hour

// duration reads "20s", "1h 2m", "20", "20 seconds", "2 hours and 15 minutes" at the beginning of some words.
func duration(words []string) (sum time.Duration, ok bool) {
	for len(words) > 0 {
		used := 1
		word := strings.TrimRight(strings.ToLower(words[0]), punctuation)
		d, err := time.ParseDuration(word)
		if err != nil && word != "and" {
			unit := unitOf(words[1:])
			n, err := strconv.ParseFloat(word, 64)
			if isNumber := err == nil && n > 0; !isNumber || unit == 0 && sum > 0 {
				break
			}
			if unit == 0 {
				return times(n, time.Second), true
			}
			d, used = times(n, unit), 2
		}
		sum = min(sum+min(max(d, 0), maxLimit), maxLimit)
		if strings.HasSuffix(words[used-1], ".") { // the sentence ends
			break
		}
		words = words[used:]
	}
	return sum, sum > 0
}

func times(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(n*float64(unit), float64(maxLimit)))
}

// unitOf reads a unit of time, 0 where there is none.
func unitOf(words []string) time.Duration {
	if len(words) == 0 {
		return 0
	}
	word := strings.ToLower(words[0])
	for _, known := range [...]struct {
		name string
		unit time.Duration
	}{{"sec", time.Second}, {"min", time.Minute}, {"hour", time.Hour}, {"hr", time.Hour}, {"day", 24 * time.Hour}} {
		if strings.HasPrefix(word, known.name) {
			return known.unit
		}
	}
	return 0
}

// justNow is how long ago a time of day may be and still count as today's. Clocks differ, and services round.
const justNow = 2 * time.Hour

// timeOfDay reads "3pm", "at 15:04 UTC", "Jan 5, 3:04 PM (Europe/Berlin)" at the beginning of some words, as it is meant at
// the time now. A zone that is unknown or missing is that of now.
func timeOfDay(words []string, now time.Time) (end time.Time, ok bool) {
	words = withoutAt(words)
	day, words := dayIn(words)
	clock, words, ok := clockTime(withoutAt(words))
	if !ok {
		return time.Time{}, false
	}
	now = now.In(zone(words, now.Location()))
	year, month, date := now.Date()
	if !day.IsZero() {
		year, month, date = max(day.Year(), year), day.Month(), day.Day()
	}
	end = time.Date(year, month, date, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	switch {
	case !day.IsZero():
	case now.Sub(end) > justNow:
		end = end.AddDate(0, 0, 1)
	case end.Sub(now) > 24*time.Hour-justNow:
		end = end.AddDate(0, 0, -1)
	}
	return end, true
}

func withoutAt(words []string) []string {
	if len(words) > 0 && (strings.EqualFold(words[0], "at") || strings.EqualFold(words[0], "on")) {
		return words[1:]
	}
	return words
}

// dayIn reads "Jan 5," or "Jan 5th, 2026". It returns no day where there is none, and no year where none is named.
func dayIn(words []string) (day time.Time, rest []string) {
	if len(words) < 2 || len(words[0]) < len("Jan") {
		return time.Time{}, words
	}
	number := strings.TrimRight(words[1], "stndrh"+punctuation) // 1st, 2nd, 3rd, 4th
	day, err := time.Parse("Jan 2", words[0][:len("Jan")]+" "+number)
	if err != nil {
		return time.Time{}, words
	}
	rest = words[2:]
	if len(rest) > 0 {
		if year, err := strconv.Atoi(strings.TrimRight(rest[0], punctuation)); err == nil {
			return time.Date(year, day.Month(), day.Day(), 0, 0, 0, 0, time.UTC), rest[1:]
		}
	}
	return day.AddDate(1, 0, 0), rest // no day is the zero time
}

// clockTime reads "3pm", "3:04 PM" or "15:04".
func clockTime(words []string) (clock time.Time, rest []string, ok bool) {
	if len(words) == 0 {
		return time.Time{}, nil, false
	}
	text, rest := strings.ToLower(strings.TrimRight(words[0], punctuation)), words[1:]
	if len(rest) > 0 {
		if half := strings.ToLower(strings.TrimRight(rest[0], punctuation)); slices.Contains([]string{"am", "pm"}, half) {
			text, rest = text+half, rest[1:]
		}
	}
	for _, layout := range [...]string{"3pm", "3:04pm", "15:04"} {
		if clock, err := time.Parse(layout, text); err == nil {
			return clock, rest, true
		}
	}
	return time.Time{}, nil, false
}

// zone reads "(Europe/Berlin)" or "UTC".
func zone(words []string, otherwise *time.Location) *time.Location {
	if len(words) == 0 {
		return otherwise
	}
	name := strings.Trim(words[0], "("+punctuation)
	if name == "UTC" || strings.HasPrefix(words[0], "(") && name != "" {
		if place, err := time.LoadLocation(name); err == nil {
			return place
		}
	}
	return otherwise
}
