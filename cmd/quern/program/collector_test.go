package program

import (
	"runtime"
	"testing"
	"time"
)

func TestAfterCollection_CallsUntilStopped(t *testing.T) {
	calls := make(chan int, 1)
	n := 0
	afterCollection(func() bool {
		n++
		calls <- n
		return n < 3
	})
	for want := 1; want <= 3; want++ {
		for deadline := time.After(time.Minute); ; {
			runtime.GC()
			select {
			case found := <-calls:
				if found != want {
					t.Fatalf("expected call %d, found %d", want, found)
				}
			case <-deadline:
				t.Fatalf("call %d did not come", want)
			default:
				continue
			}
			break
		}
	}
	runtime.GC()
	runtime.GC()
	select {
	case found := <-calls:
		t.Errorf("expected no further call, found %d", found)
	default:
	}
}
