package view

import "time"

// A Tick is a mark of an axis of time.
type Tick struct {
	At    time.Time
	Label string
}

// Ticks returns at most max marks of an axis between two times: at whole seconds, minutes, hours, days or months of the first one's location.
func Ticks(from, until time.Time, max int) []Tick {
	for _, s := range tickSteps() {
		if until.Sub(from)/s.about > time.Duration(max) {
			continue
		}
		var ticks []Tick
		at := s.first(from)
		for ; at.Before(from); at = s.next(at) {
		}
		for ; !at.After(until) && len(ticks) < max; at = s.next(at) {
			ticks = append(ticks, Tick{at, at.Format(s.layout)})
		}
		return ticks
	}
	return nil
}

// A tickStep is how far marks are apart.
type tickStep struct {
	about  time.Duration // how long a step is, at most
	layout string
	first  func(time.Time) time.Time // a mark at or before a time
	next   func(time.Time) time.Time
}

func tickSteps() (steps []tickStep) {
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location()) }
	for _, seconds := range [...]int{1, 5, 15} {
		step := time.Duration(seconds) * time.Second
		steps = append(steps, tickStep{step, "15:04:05", func(t time.Time) time.Time { return t.Truncate(step) }, func(t time.Time) time.Time { return t.Add(step) }})
	}
	for _, minutes := range [...]int{1, 5, 15, 60, 180, 360, 720} {
		step := time.Duration(minutes) * time.Minute
		layout := "15:04"
		if minutes >= 60 {
			layout = "Jan 2 15:04"
		}
		steps = append(steps, tickStep{step, layout, func(t time.Time) time.Time {
			return day(t).Add(t.Sub(day(t)).Truncate(step))
		}, func(t time.Time) time.Time { return t.Add(step) }})
	}
	for _, days := range [...]int{1, 2, 7, 14} {
		steps = append(steps, tickStep{time.Duration(days) * 24 * time.Hour, "Jan 2", day, func(t time.Time) time.Time { return t.AddDate(0, 0, days) }})
	}
	for _, months := range [...]int{1, 3, 12, 60, 1200} {
		steps = append(steps, tickStep{
			time.Duration(months) * 31 * 24 * time.Hour, "Jan 2006",
			func(t time.Time) time.Time { return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, t.Location()) },
			func(t time.Time) time.Time { return t.AddDate(0, months, 0) },
		})
	}
	return steps
}
