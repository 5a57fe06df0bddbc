package tool

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/quern-project/quern/host/policy/wazero"
)

// startRepeats are how many instances are made for the time of one.
const startRepeats = 20

func since(start time.Time) float64 { return float64(time.Since(start).Nanoseconds()) / 1000 }

// starts measures what comes before the first call.
func starts(ctx context.Context, h *Host) ([]StartTime, error) {
	if h.Subject.Process {
		return processStarts(ctx, h)
	}
	cold, err := compile(ctx, h, "", nil)
	if err != nil {
		return nil, err
	}
	cache, err := os.MkdirTemp("", "quern-bench-")
	if err != nil {
		return nil, err
	}
	list := []StartTime{{"compile", cold}}
	err = cached(ctx, h, cache, &list)
	return list, errors.Join(err, os.RemoveAll(cache))
}

// cached fills a cache, and measures what is left to do with it.
func cached(ctx context.Context, h *Host, cache string, list *[]StartTime) error {
	if _, err := compile(ctx, h, cache, nil); err != nil {
		return err
	}
	again, err := compile(ctx, h, cache, func(m *wazero.Module) error {
		start := time.Now()
		for range startRepeats {
			in, err := m.Instance(ctx, h.Announced.Parsed.Configuration)
			if err != nil {
				return err
			}
			in.Close()
		}
		*list = append(*list, StartTime{"instantiate and configure", since(start) / startRepeats})
		return nil
	})
	*list = append(*list, StartTime{"load from the cache", again})
	(*list)[1], (*list)[2] = (*list)[2], (*list)[1]
	return err
}

// compile measures a load in a fresh runtime, which passes the gate, compiles and reads the manifest; then, beside the
// measured time, it does more with the module.
func compile(ctx context.Context, h *Host, cache string, more func(*wazero.Module) error) (us float64, err error) {
	runtime, err := wazero.New(ctx, wazero.Options{Cache: cache})
	if err != nil {
		return 0, err
	}
	start := time.Now()
	m, err := h.Load(ctx, runtime)
	us = since(start)
	if err == nil && more != nil {
		err = more(m)
	}
	return us, errors.Join(err, runtime.Close(ctx))
}

func processStarts(ctx context.Context, h *Host) ([]StartTime, error) {
	start := time.Now()
	p, err := h.Start(ctx, 0)
	if err != nil {
		return nil, err
	}
	list := []StartTime{{"start and handshake", since(start)}}
	start = time.Now()
	err = p.Configure(h.Announced.Parsed.Configuration)
	list = append(list, StartTime{"configure", since(start)})
	return list, errors.Join(err, p.Close())
}
