package si

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"
)

// told is a message of a test.
type told struct{ list []string }

func say(o *outbox[told], rank int, what string) {
	o.put(rank, func(m *told) { m.list = append(m.list, what) })
}

// take returns the messages that a reader gets, with | between them.
func take(t *testing.T, o *outbox[told], reader int) string {
	t.Helper()
	var all []string
	for {
		m, _, err := o.message(reader)
		if err != nil {
			t.Fatal(err)
		}
		if m == nil {
			return strings.Join(all, "|")
		}
		all = append(all, strings.Join(m.list, " "))
	}
}

func TestAnswers_MergedInOrder(t *testing.T) {
	o := newOutbox[told](time.Now)
	for i, rank := range []int{rankNew, rankNew, rankAfter, rankNew, rankRejected, rankAfter} {
		say(o, rank, strconv.Itoa(i))
	}
	if found := take(t, o, o.attach()); found != "0 1 2|3 4 5" {
		t.Errorf("found %s", found)
	}
}

func TestWhatABrokenStreamMayHaveLostIsSentAgain(t *testing.T) {
	now := time.Unix(0, 0)
	o := newOutbox[told](func() time.Time { return now })
	first := o.attach()
	say(o, rankNew, "old")
	take(t, o, first)
	now = now.Add(deliveredFor + 1)
	say(o, rankNew, "lost")
	take(t, o, first)
	say(o, rankNew, "waiting")
	second := o.attach() // takes over
	if _, _, err := o.message(first); !errors.Is(err, errTakenOver) {
		t.Errorf("found %v", err)
	}
	o.detach(first, true) // too late to change anything
	if found := take(t, o, second); found != "lost waiting" {
		t.Errorf("found %s", found)
	}
	now = now.Add(deliveredFor + 1) // a stream that was idle before it broke
	o.detach(second, true)
	third := o.attach()
	if found := take(t, o, third); found != "" {
		t.Errorf("found %s", found)
	}
	say(o, rankNew, "read")
	take(t, o, third)
	o.detach(third, false)
	if found := take(t, o, o.attach()); found != "" {
		t.Errorf("what a stream that ended in good order has read was sent again: %s", found)
	}
}

func TestUnreadAnswers_TooManyAreALoss(t *testing.T) {
	o := newOutbox[told](time.Now)
	for range mostWaiting + 1 {
		say(o, rankNew, "x")
	}
	if _, _, err := o.message(o.attach()); !errors.Is(err, errFull) || len(o.waiting) > 0 {
		t.Errorf("found %v with %d answers", err, len(o.waiting))
	}
}
