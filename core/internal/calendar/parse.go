package calendar

import (
	"strconv"
	"strings"
)

// Syntax describes what Parse reads, for errors.
const Syntax = "five fields of cron: minute, hour, day of the month, month, day of the week"

// field describes one of the five fields.
type field struct {
	name        string
	least, most int
	names       string // of three letters each, for the values from least
}

var fields = [5]field{
	{"minute", 0, 59, ""}, {"hour", 0, 23, ""}, {"day of the month", 1, 31, ""},
	{"month", 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"}, {"day of the week", 0, 7, "sunmontuewedthufrisat"},
}

// Parse reads a schedule such as "0,30 8-18/2 * jan-mar mon". Its five fields are minute, hour, day of the month, month and day of the week. Each
// is a list of values, ranges and *, joined by commas; a range or * may have a step. expected is empty for a valid text. Otherwise it says what
// the wrong field may be, or, if their number is wrong, what the whole text may be.
func Parse(text string) (s Schedule, expected string) {
	parts := strings.Fields(text)
	if len(parts) != len(fields) {
		return Schedule{}, Syntax
	}
	var sets [len(fields)]uint64
	for i, part := range parts {
		set, ok := fields[i].parse(strings.ToLower(part))
		if !ok {
			return Schedule{}, fields[i].expected()
		}
		sets[i] = set
	}
	weekdays := sets[4]
	if weekdays>>7&1 != 0 { // 7 is Sunday, as 0 is
		weekdays = weekdays&^(1<<7) | 1
	}
	s = Schedule{minutes: sets[0], hours: sets[1], days: sets[2], months: sets[3], weekdays: weekdays,
		anyDay: strings.HasPrefix(parts[2], "*"), anyWeekday: strings.HasPrefix(parts[4], "*")}
	if _, ok := s.ShortestGap(); !ok {
		return Schedule{}, "a schedule with days that exist"
	}
	return s, ""
}

// expected describes the values of a field.
func (f *field) expected() string {
	text := "for the " + f.name + " values from " + strconv.Itoa(f.least) + " to " + strconv.Itoa(f.most)
	if f.names != "" {
		text += " or names of three letters"
	}
	return text + ", ranges or *, with steps as in */2, joined by commas"
}

// parse returns the values of a field as bits.
func (f *field) parse(text string) (set uint64, ok bool) {
	for item := range strings.SplitSeq(text, ",") {
		values, ok := f.item(item)
		if !ok {
			return 0, false
		}
		set |= values
	}
	return set, set != 0
}

// item returns the values of one item of a list.
func (f *field) item(text string) (set uint64, ok bool) {
	values, step, stepped := strings.Cut(text, "/")
	by := 1
	if stepped {
		if by, ok = number(step); !ok || by < 1 {
			return 0, false
		}
	}
	from, to := f.least, f.most
	if values != "*" {
		first, last, ranged := strings.Cut(values, "-")
		if from, ok = f.value(first); !ok {
			return 0, false
		}
		switch {
		case ranged:
			if to, ok = f.value(last); !ok || to < from {
				return 0, false
			}
		case stepped:
			return 0, false // a step needs a range
		default:
			to = from
		}
	}
	for value := from; value <= to; value += by {
		set |= 1 << uint(value)
	}
	return set, true
}

// value returns one value, by number or by name.
func (f *field) value(text string) (int, bool) {
	if len(text) == 3 {
		if at := strings.Index(f.names, text); at >= 0 && at%3 == 0 {
			return f.least + at/3, true
		}
	}
	value, ok := number(text)
	return value, ok && value >= f.least && value <= f.most
}

// number returns a number of at most three digits.
func number(text string) (int, bool) {
	if len(text) < 1 || len(text) > 3 || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	value, err := strconv.Atoi(text)
	return value, err == nil
}
