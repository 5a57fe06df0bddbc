package plan

import (
	"math/rand"
	"testing"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/resource"
)

func needs(amounts ...int64) Needs {
	var list []index.Need
	for lane, n := range amounts {
		if n > 0 {
			list = append(list, index.Need{Lane: lane, Min: n})
		}
	}
	return readonly.Of(list)
}

func TestProfile_FindsTheFirstInstantThatLasts(t *testing.T) {
	p := New(0, resource.Vec{10, 4})
	p.Use(needs(8), 0, 10)
	p.Use(needs(4), 15, 20)
	for _, c := range []struct {
		need           Needs
		from, walltime time.Duration
		want           time.Duration
	}{
		{needs(2), 0, 5, 0},
		{needs(3), 0, 5, 10},
		{needs(7), 0, 5, 10},
		{needs(7), 0, 6, 20},
		{needs(7), 0, 0, 20},
		{needs(6), 12, 0, 12},
		{needs(11), 0, 1, instant.Never},
		{needs(2, 4), 3, 1, 3},
		{needs(2, 5), 3, 1, instant.Never},
	} {
		if got := p.Next(c.need, c.from, c.walltime); got != c.want {
			t.Errorf("%v from %d for %d: got %d, want %d", c.need, c.from, c.walltime, got, c.want)
		}
	}
	p.Return(needs(8), 0, 10)
	p.Return(needs(4), 15, 20)
	if p.Steps() != 1 {
		t.Errorf("expected no steps to be left, found %d", p.Steps())
	}
}

func TestProfile_UnlimitedStaysUnlimited(t *testing.T) {
	p := New(0, resource.Vec{resource.Most})
	p.Use(needs(5), 0, instant.Never)
	if p.Free(0, 7) != resource.Most || p.IsNegative() {
		t.Error("expected an unlimited amount")
	}
}

// TestProfile_AgreesWithAnArray compares a profile with one amount for each instant.
func TestProfile_AgreesWithAnArray(t *testing.T) {
	const end = 40
	r := rand.New(rand.NewSource(1))
	for range 3000 {
		p, array, now := New(0, resource.Vec{20, 6}), [end][2]int64{}, time.Duration(0)
		for i := range array {
			array[i] = [2]int64{20, 6}
		}
		for range 12 {
			from, until := time.Duration(r.Intn(end)), time.Duration(r.Intn(end))
			need := [2]int64{int64(r.Intn(9)), int64(r.Intn(3))}
			if r.Intn(4) == 0 {
				until = instant.Never
			}
			switch r.Intn(5) {
			case 0:
				now = max(now, min(from, end/2))
				p.Advance(now)
			default:
				p.Use(needs(need[:]...), from, until)
				for i := max(from, now); i < min(until, end); i++ {
					array[i][0] -= need[0]
					array[i][1] -= need[1]
				}
			}
			want := [2]int64{int64(r.Intn(12)), int64(r.Intn(4))}
			walltime := time.Duration(r.Intn(15))
			from = max(from, now)
			if got, expected := p.Next(needs(want[:]...), from, walltime), nextOf(array, want, from, walltime); got != expected {
				t.Fatalf("next: got %d, want %d", got, expected)
			}
			until = from + max(walltime, 1)
			if got, expected := p.Fits(needs(want[:]...), from, until), fitsIn(array, want, from, min(until, end)); until <= end && got != expected {
				t.Fatalf("fits: got %v, want %v", got, expected)
			}
		}
	}
}

func fitsIn[T ~[40][2]int64](array T, need [2]int64, from, until time.Duration) bool {
	for i := from; i < until; i++ {
		if need[0] > 0 && array[i][0] < need[0] || need[1] > 0 && array[i][1] < need[1] {
			return false
		}
	}
	return true
}

func nextOf(array [40][2]int64, need [2]int64, from, walltime time.Duration) time.Duration {
	for start := from; start < 40; start++ {
		until := min(start+walltime, 40)
		if walltime == 0 {
			until = 40
		}
		if fitsIn(array, need, start, until) {
			return start
		}
	}
	return instant.Never
}
