package policy

import (
	"context"
	"time"
)

// Watch scans the folder again and again until the context ends, and sends what changed, to be told to schedulers between
// two cycles; then it closes the channel. What is refused, and a folder that cannot be read, is logged. Where no process
// receives, the next scan waits. A hint has the folder looked at earlier; nil: there are none.
func (r *Registry) Watch(ctx context.Context, every time.Duration, hints <-chan struct{}) <-chan []Change {
	changes := make(chan []Change)
	go func() {
		defer close(changes)
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		again := time.NewTimer(every)
		defer again.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case _, open := <-hints:
				if !open {
					hints = nil
					continue
				}
				again.Reset(settling)
			case <-again.C:
			case <-ticks.C:
			}
			if found := r.scanAndLog(ctx); len(found) > 0 {
				select {
				case changes <- found:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return changes
}

// settling is how long after a hint the folder is looked at a second time, since files are read once they have looked the same twice.
const settling = 200 * time.Millisecond

func (r *Registry) scanAndLog(ctx context.Context) []Change {
	changes, refused, err := r.Scan(ctx)
	if err != nil {
		r.options.Log("", "error", err.Error())
	}
	for _, x := range refused {
		r.options.Log(x.Name, "warning", x.Error())
	}
	return changes
}
