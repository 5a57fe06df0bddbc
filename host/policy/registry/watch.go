package registry

import (
	"context"
	"fmt"
	"maps"
	"slices"
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
		said := r.refusals() // by module
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
			if found := r.scanAndLog(ctx, said); len(found) > 0 {
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

// refusals are those of Open, which its caller has logged, as texts by module.
func (r *Registry) refusals() map[string]string {
	said := map[string]string{}
	for _, x := range r.Refused() {
		said[x.Name] = x.Error()
	}
	return said
}

// scanAndLog scans the folder. What is wrong with it or with a module is logged once, until it is another error, and its end is, too.
func (r *Registry) scanAndLog(ctx context.Context, said map[string]string) []Change {
	changes, _, err := r.Scan(ctx)
	now := map[string]string{}
	if err != nil { // nothing is known of the modules
		maps.Copy(now, said)
		now[""] = err.Error()
	} else {
		for _, x := range r.Refused() {
			now[x.Name] = x.Error()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if level := map[bool]string{true: "error", false: "warning"}[name == ""]; now[name] != said[name] {
			r.options.Log(name, level, now[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		if _, still := now[name]; !still {
			r.options.Log(name, "info", ended(name))
		}
	}
	clear(said)
	maps.Copy(said, now)
	return changes
}

func ended(module string) string {
	if module == "" {
		return "the folder of policies can be read again"
	}
	return fmt.Sprintf("policy %q is no longer refused", module)
}
