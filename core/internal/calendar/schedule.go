// Package calendar holds schedules of five fields, as cron has them, in UTC: minute, hour, day of the month, month and day of the week. It parses
// them, finds the next time of one, and the shortest time between two. Package config reads the schedules of windows with it, and the state asks
// for their times.
//
// If both days are restricted, a day matches that meets either of them, as in cron.
package calendar

import (
	"math/bits"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// Schedule is a set of minutes. Only Parse makes one that has any.
type Schedule struct {
	minutes, hours, days, months, weekdays uint64 // bits
	anyDay, anyWeekday                     bool   // the field begins with *, so it restricts no day beside the other
}

// Next returns the first time of the schedule that is after an instant since 1970, or instant.Never if there is none within the clock's range.
func (s *Schedule) Next(after time.Duration) time.Duration {
	t := time.Unix(0, int64(after)).UTC().Truncate(time.Minute).Add(time.Minute)
	for range searchedDays {
		if s.onDay(t) {
			if at, ok := s.within(t); ok {
				return since1970(at)
			}
		}
		t = time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, time.UTC)
	}
	return instant.Never
}

// searchedDays is more than there can be between two days of a schedule, eight years around a century without a leap year, and weekdays.
const searchedDays = 41 * 366

// since1970 returns the instant of a time.
func since1970(t time.Time) time.Duration {
	if t.Year() > lastYear {
		return instant.Never
	}
	return time.Duration(t.UnixNano())
}

// lastYear is a year whose times an instant can express.
const lastYear = 2261

// onDay reports whether the schedule has times on the day of t.
func (s *Schedule) onDay(t time.Time) bool {
	if s.months>>uint(t.Month())&1 == 0 {
		return false
	}
	day, weekday := s.days>>uint(t.Day())&1 != 0, s.weekdays>>uint(t.Weekday())&1 != 0
	if s.anyDay || s.anyWeekday {
		return day && weekday
	}
	return day || weekday
}

// within returns the first time of the schedule on the day of t that is not before t.
func (s *Schedule) within(t time.Time) (time.Time, bool) {
	minutes := s.minutes >> uint(t.Minute())
	hour := t.Hour()
	if s.hours>>uint(hour)&1 != 0 && minutes != 0 {
		return t.Add(time.Duration(bits.TrailingZeros64(minutes)) * time.Minute), true
	}
	hours := s.hours >> uint(hour+1)
	if hours == 0 {
		return t, false
	}
	hour += 1 + bits.TrailingZeros64(hours)
	return time.Date(t.Year(), t.Month(), t.Day(), hour, bits.TrailingZeros64(s.minutes), 0, 0, time.UTC), true
}

// ShortestGap returns the shortest time between two times of the schedule. ok is false if it has no two times, as on 30 February.
func (s *Schedule) ShortestGap() (gap time.Duration, ok bool) {
	if gap, ok = s.gapInDay(); ok && gap <= time.Minute {
		return gap, true
	}
	first := time.Duration(bits.TrailingZeros64(s.hours))*time.Hour + time.Duration(bits.TrailingZeros64(s.minutes))*time.Minute
	last := time.Duration(63-bits.LeadingZeros64(s.hours))*time.Hour + time.Duration(63-bits.LeadingZeros64(s.minutes))*time.Minute
	before, seen := 0, false
	t := time.Date(sampledYear, 1, 1, 0, 0, 0, 0, time.UTC)
	for day := range sampledDays {
		if s.onDay(t) {
			between := time.Duration(day-before)*24*time.Hour - last + first
			if seen && (!ok || between < gap) {
				gap, ok = between, true
			}
			before, seen = day, true
		}
		t = t.AddDate(0, 0, 1)
	}
	return gap, ok && seen
}

// The days that ShortestGap looks at: all years with their weekdays, except those around a century without a leap year, which have no shorter gaps.
const (
	sampledYear = 2000
	sampledDays = 28*365 + 7
)

// gapInDay returns the shortest time between two times of one day.
func (s *Schedule) gapInDay() (gap time.Duration, ok bool) {
	before := -1
	for minute := range 24 * 60 {
		if s.hours>>uint(minute/60)&1 == 0 || s.minutes>>uint(minute%60)&1 == 0 {
			continue
		}
		if between := time.Duration(minute-before) * time.Minute; before >= 0 && (!ok || between < gap) {
			gap, ok = between, true
		}
		before = minute
	}
	return gap, ok
}
