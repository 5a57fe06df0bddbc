package config

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// leastHalfLife is the shortest half-life. Orders follow aged usage once a second at most.
const leastHalfLife = instant.Delay(time.Second)

// halfLife reads fairness.half-life. A value that is not valid is an error, since without aging the queue would share in another way.
func (d *decoder) halfLife(queue string, f *field) instant.Delay {
	delay, ok := parseDelay(f.value.text)
	if f.value.kind != scalar || !ok || delay != 0 && delay < leastHalfLife {
		d.add(f.value.at, queue, f.name, "a duration of 1s or more, such as 24h, or 0s for none", f.value.found())
		return 0
	}
	return d.warnLongDelay(f.value.at, queue, f.name, f.value.text, delay)
}

// lookAhead reads fairness.look-ahead.
func (d *decoder) lookAhead(queue string, f *field) instant.Delay {
	delay, ok := parseDelay(f.value.text)
	if f.value.kind != scalar || !ok || delay < 0 {
		d.add(f.value.at, queue, f.name, "a duration such as 1h, or 0s for none", f.value.found())
		return 0
	}
	return d.warnLongDelay(f.value.at, queue, f.name, f.value.text, delay)
}

// LookAhead returns how far ahead the order by aged usage looks.
func (q *Queue) LookAhead() instant.Delay {
	if q.OwnLookAhead != nil {
		return *q.OwnLookAhead
	}
	return q.HalfLife / 10
}

// SortsUsers reports whether the order of applications in a leaf compares the usage of users.
func (q *Queue) SortsUsers() bool { return q.Leaf && q.AppSort == FairUsers }
