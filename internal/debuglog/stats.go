package debuglog

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Statistics are what events of one kind have in common.
type Statistics struct {
	Name   string // of the tool, category or day; "" for all
	Calls  int
	Errors int
	Mean   time.Duration
	P95    time.Duration // of 95 in 100 calls, the longest

	times []time.Duration
}

// ErrorRate returns which part of the calls failed, from 0 to 1.
func (s Statistics) ErrorRate() float64 {
	if s.Calls == 0 {
		return 0
	}
	return float64(s.Errors) / float64(s.Calls)
}

// A Grouping says by what events are counted.
type Grouping string

// The groupings.
const (
	ByTool     Grouping = "tool"
	ByCategory Grouping = "category"
	ByDay      Grouping = "day"
)

// Groupings returns all groupings.
func Groupings() []string { return []string{string(ByTool), string(ByCategory), string(ByDay)} }

// DayFormat is that of the name of a day.
const DayFormat = "2006-01-02"

// Statistics counts the events since a time: all of them, in groups, and by day. By tool, only calls
// of tools count. Beginnings do not count, since each has an end. Days are those of a time zone.
func (l Log) Statistics(since time.Time, by Grouping, zone *time.Location) (total Statistics, groups, days []Statistics, err error) {
	grouped, daily := map[string]*Statistics{}, map[string]*Statistics{}
	_, err = l.Read(since, nil, func(e Event) {
		if e.Result == Began || by == ByTool && e.Category != Tool {
			return
		}
		day := e.At.In(zone).Format(DayFormat)
		name := map[Grouping]string{ByTool: e.Name, ByCategory: string(e.Category), ByDay: day}[by]
		total.add(e)
		group(grouped, name).add(e)
		group(daily, day).add(e)
	})
	total.finish()
	return total, finished(grouped, by), finished(daily, ByDay), err
}

func group(all map[string]*Statistics, name string) *Statistics {
	if all[name] == nil {
		all[name] = &Statistics{Name: name}
	}
	return all[name]
}

func (s *Statistics) add(e Event) {
	s.Calls++
	if e.Result == Failed {
		s.Errors++
	}
	s.times = append(s.times, e.Took)
}

// finish computes the durations.
func (s *Statistics) finish() {
	if len(s.times) == 0 {
		return
	}
	slices.Sort(s.times)
	var sum float64 // no number of calls overflows it
	for _, d := range s.times {
		sum += float64(d)
	}
	s.Mean = time.Duration(sum / float64(len(s.times)))
	s.P95 = s.times[(95*len(s.times)+99)/100-1] // nearest rank
	s.times = nil
}

// finished returns groups: days in their order, others with the most calls first.
func finished(groups map[string]*Statistics, by Grouping) []Statistics {
	var all []Statistics
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		groups[name].finish()
		all = append(all, *groups[name])
	}
	if by != ByDay {
		slices.SortStableFunc(all, func(a, b Statistics) int { return cmp.Compare(b.Calls, a.Calls) })
	}
	return all
}
