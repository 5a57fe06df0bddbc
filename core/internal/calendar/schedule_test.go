package calendar

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core/instant"
)

func at(t *testing.T, text string) time.Duration {
	t.Helper()
	of, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(of.UnixNano())
}

func TestSchedule_Next(t *testing.T) {
	for _, c := range []struct{ schedule, after, expected string }{
		{"0 2 * * *", "2026-03-01 01:59:59", "2026-03-01 02:00:00"},
		{"0 2 * * *", "2026-03-01 02:00:00", "2026-03-02 02:00:00"},
		{"*/15 * * * *", "2026-03-01 02:00:01", "2026-03-01 02:15:00"},
		{"30 22 * * fri", "2026-03-01 00:00:00", "2026-03-06 22:30:00"},
		{"0 0 1 * *", "2026-12-31 23:59:59", "2027-01-01 00:00:00"},
		{"0 0 29 2 *", "2026-03-01 00:00:00", "2028-02-29 00:00:00"},
		{"0 0 29 2 *", "2096-03-01 00:00:00", "2104-02-29 00:00:00"},
		{"0 0 13 * 5", "2026-03-01 00:00:00", "2026-03-06 00:00:00"}, // Friday, or the 13th
		{"0 0 * * 7", "2026-03-02 00:00:00", "2026-03-08 00:00:00"},
		{"5,35 8-9 * jan-mar,dec 1-5", "2026-03-31 09:35:00", "2026-12-01 08:05:00"},
		{"0 0 1-31/10 * *", "2026-02-22 00:00:00", "2026-03-01 00:00:00"},
		{"0 0 * * *", "1969-12-30 12:00:00", "1969-12-31 00:00:00"},
	} {
		s, expected := Parse(c.schedule)
		if expected != "" {
			t.Fatalf("%s: expected %s", c.schedule, expected)
		}
		if found := s.Next(at(t, c.after)); found != at(t, c.expected) {
			t.Errorf("%s after %s: expected %s, found %s", c.schedule, c.after, c.expected, time.Unix(0, int64(found)).UTC())
		}
	}
	s, _ := Parse("* * * * *")
	if found := s.Next(instant.Never - 1); found != instant.Never {
		t.Errorf("at the end of the clock: found %s", found)
	}
}

// Next is compared with a search minute by minute.
func TestSchedule_NextMatchesEachMinute(t *testing.T) {
	for _, text := range []string{"7-59/13 */5 * * *", "0 12 */9 2,3 sun", "59 23 31 * *", "0 0 * * 1-5", "30 4 1 * 0"} {
		s, _ := Parse(text)
		now := at(t, "2027-12-20 00:00:00")
		next := s.Next(now)
		for range 100 * 24 * 60 {
			now += time.Minute //nolint:all // a short time
			of := time.Unix(0, int64(now)).UTC()
			matches := s.onDay(of) && s.hours>>uint(of.Hour())&1 != 0 && s.minutes>>uint(of.Minute())&1 != 0
			if matches != (now == next) {
				t.Fatalf("%s: at %s: matches is %t, and the next time is %s", text, of, matches, time.Unix(0, int64(next)).UTC())
			}
			if matches {
				next = s.Next(now)
			}
		}
	}
}

func TestParse_Refuses(t *testing.T) {
	const minute = "for the minute values from 0 to 59, ranges or *, with steps as in */2, joined by commas"
	for text, expected := range map[string]string{
		"":                 Syntax,
		"* * * *":          Syntax,
		"* * * * * *":      Syntax,
		"@daily":           Syntax,
		"60 * * * *":       minute,
		"-1 * * * *":       minute,
		"5-1 * * * *":      minute,
		"1/2 * * * *":      minute,
		"*/0 * * * *":      minute,
		"1,,2 * * * *":     minute,
		"99999999 * * * *": minute,
		"* * * * funday":   "for the day of the week values from 0 to 7 or names of three letters, ranges or *, with steps as in */2, joined by commas",
		"0 0 30 2 *":       "a schedule with days that exist",
	} {
		if _, found := Parse(text); found != expected {
			t.Errorf("%q: expected %q, found %q", text, expected, found)
		}
	}
}

func TestSchedule_ShortestGap(t *testing.T) {
	for text, expected := range map[string]time.Duration{
		"* * * * *":     time.Minute,
		"0 2 * * *":     24 * time.Hour,
		"0 2,4 * * *":   2 * time.Hour,
		"0 1,23 * * *":  2 * time.Hour,
		"0 0 * * sat":   7 * 24 * time.Hour,
		"0 0 1 * *":     28 * 24 * time.Hour,
		"0 0 28 2 *":    365 * 24 * time.Hour,
		"0 0 31 * *":    31 * 24 * time.Hour,
		"0 0 * * 5-7/2": 2 * 24 * time.Hour,
	} {
		s, _ := Parse(text)
		if found, ok := s.ShortestGap(); !ok || found != expected {
			t.Errorf("%s: expected %s, found %s", text, expected, found)
		}
	}
}
