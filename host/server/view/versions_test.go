package view

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/quern-project/quern/internal/await"
)

func TestVersions_EndSlowReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var v Versions
		first := v.Hold(version(t))
		await.Virtual(MostHeld)
		second := v.Hold(version(t))
		if n, bytes, oldest := v.Count(); n != 2 || bytes != first.Size()+second.Size() || oldest != MostHeld || first.Late() != nil {
			t.Errorf("%d versions are held, the oldest for %s: %v", n, oldest, first.Late())
		}
		await.Virtual(1)
		if !errors.Is(first.Late(), ErrHeld) || second.Late() != nil {
			t.Errorf("the first reader ends with %v, the second with %v", first.Late(), second.Late())
		}
		first.Release()
		if n, _, oldest := v.Count(); n != 1 || oldest != 1 {
			t.Errorf("%d versions are held, the oldest for %s", n, oldest)
		}
		second.Release()
		if n, bytes, oldest := v.Count(); n != 0 || bytes != 0 || oldest != 0 {
			t.Errorf("at the end %d versions are held, the oldest for %s", n, oldest)
		}
	})
}
