package aged

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/decay"
	"github.com/quern-project/quern/core/resource"
)

func amounts(n int64) resource.Amounts { return resource.Vec{n}.Amounts() }

func float(a decay.Amount) float64 {
	units, part := a.Units()
	return float64(units) + float64(part)/(1<<32)
}

// TestLedger_FollowsTheClosedForm compares the ledger with the sum of what each allocation has left: amount * (2^-(t-end)/H - 2^-(t-begin)/H).
func TestLedger_FollowsTheClosedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		halfLife := time.Duration(rapid.Int64Range(int64(time.Second), int64(100*time.Hour)).Draw(t, "half-life"))
		l := New(1)
		id := l.Start(Name{Path: "root.a"}, instant.Delay(halfLife), 0)
		type use struct {
			amount     int64
			begin, end time.Duration
		}
		var uses []use
		now := time.Duration(0)
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			now += time.Duration(rapid.Int64Range(0, int64(2*halfLife)).Draw(t, "wait"))
			if running := len(uses) - 1; running >= 0 && uses[running].end < 0 && rapid.Bool().Draw(t, "end") {
				uses[running].end = now
				l.Free(id, now, amounts(uses[running].amount))
				continue
			}
			amount := rapid.Int64Range(1, 1<<40).Draw(t, "amount")
			uses = append(uses, use{amount, now, -1})
			l.Use(id, now, amounts(amount))
		}
		at := now + time.Duration(rapid.Int64Range(0, int64(3*halfLife)).Draw(t, "read after"))
		left := func(since time.Duration) float64 { return math.Exp2(-float64(at-since) / float64(halfLife)) }
		want, scale := 0.0, 1.0
		for _, u := range uses {
			until := 1.0
			if u.end >= 0 {
				until = left(u.end)
			}
			want += float64(u.amount) * (until - left(u.begin))
			scale += float64(u.amount)
		}
		got := float(l.View().At(id, 0, at))
		if math.Abs(got-want) > 1e-9*scale {
			t.Fatalf("expected %v, found %v", want, got)
		}
	})
}

func TestLedger_ReadingStoresNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		often, seldom := New(1), New(1)
		name := Name{Path: "root.a", User: "u", OfUser: true}
		halfLife := instant.Delay(rapid.Int64Range(int64(time.Second), int64(time.Hour)).Draw(t, "half-life"))
		a, b := often.Start(name, halfLife, 0), seldom.Start(name, halfLife, 0)
		now := time.Duration(0)
		ahead := decay.Over(1, 10)
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			for range 3 {
				now += time.Duration(rapid.Int64Range(0, int64(halfLife)).Draw(t, "wait"))
				often.View().At(a, 0, now)
				shown := often.View().Shown(a, now, ahead)
				shown.Type(0)
				often = often.Freeze().Fork()
			}
			amount := rapid.Int64Range(1, 1000).Draw(t, "amount")
			often.Use(a, now, amounts(amount))
			seldom.Use(b, now, amounts(amount))
		}
		one, other := often.View().Shown(a, now, ahead), seldom.View().Shown(b, now, ahead)
		if one.Type(0) != other.Type(0) || often.View().At(a, 0, now) != seldom.View().At(b, 0, now) {
			t.Fatalf("expected %v, found %v", other.Type(0), one.Type(0))
		}
	})
}

func TestLedger_OrdersSeeTheLastMultiple(t *testing.T) {
	l := New(1)
	id := l.Start(Name{Path: "root.a"}, instant.Delay(time.Hour), 0)
	l.Use(id, 0, amounts(8))
	period := Period(instant.Delay(time.Hour))
	only := decay.Over(0, 1) // aged usage alone
	at := func(now time.Duration) decay.Amount {
		r := l.View().Shown(id, now, only)
		return r.Type(0)
	}
	before := at(period)
	if between := at(2*period - 1); between != before || before == (decay.Amount{}) {
		t.Errorf("between multiples: expected %v, found %v", before, between)
	}
	l.Free(id, period+time.Second, amounts(8))
	if after := at(2*period - 1); after != before {
		t.Errorf("after a change between multiples: expected %v, found %v", before, after)
	}
	if next := at(2 * period); next == before {
		t.Errorf("at the next multiple: expected another amount than %v", before)
	}
}

func TestLedger_ForgetsAfterTwentyHalfLives(t *testing.T) {
	l := New(1)
	h := time.Minute
	id := l.Start(Name{Path: "root.a"}, instant.Delay(h), 0)
	l.Use(id, 0, amounts(1<<40))
	l.Free(id, h, amounts(1<<40))
	l.Leave(id, h)
	if got := l.View().At(id, 0, 21*h-1); got.IsZero() {
		t.Error("expected something just before twenty half-lives")
	}
	if got := l.View().At(id, 0, 21*h); !got.IsZero() {
		t.Errorf("expected nothing after twenty half-lives, found %v", got)
	}
	l.Return(id, 21*h)
	if got := l.View().At(id, 0, 21*h); !got.IsZero() {
		t.Errorf("expected nothing after the return, found %v", got)
	}
}
