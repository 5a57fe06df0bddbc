package wazero

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Lines of one instance: what is longer is cut, what comes faster is dropped and counted.
const (
	lineBytes = 512
	lineBurst = 20 // in a second
)

// serveImports makes what modules may import: quern.log, and WASI, of which the gate lets through only what stock Go
// needs. The library serves WASI with a clock that stands still, a fixed random source and no files.
func (r *Runtime) serveImports(ctx context.Context) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r.engine); err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	words := []api.ValueType{api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32}
	_, err := r.engine.NewHostModuleBuilder(abi.ImportModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(logLine), words, nil).Export(abi.ImportLog).Instantiate(ctx)
	if err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	return nil
}

// logLine is quern.log. An address outside of the memory is a line that cannot be read, no trap: logging changes nothing.
func logLine(ctx context.Context, guest api.Module, stack []uint64) {
	r := ctx.Value(runningKey{}).(*running)
	level, at, size := Level(uint32(stack[0])), uint32(stack[1]), uint32(stack[2])
	text, ok := guest.ExportedMemory(abi.ExportMemory).Read(at, min(size, lineBytes))
	if !ok {
		text = unreadable
	}
	r.say(min(level, Error), text)
}

var unreadable = []byte("(a line that cannot be read)")

// say passes on a line, as far as the quota goes. What is dropped costs next to nothing, since a flood of it is paid for with
// little fuel.
func (r *running) say(level Level, text []byte) {
	log := r.module.runtime.log
	if log == nil {
		return
	}
	ok, dropped := r.log.take(time.Now())
	if dropped > 0 {
		log(r.module.name, Warning, fmt.Sprintf("%d lines were dropped, since they came too fast", dropped))
	}
	if ok {
		log(r.module.name, level, guest.Printable(string(text)))
	}
}

// quota bounds the lines of a second.
type quota struct {
	since   time.Time
	lines   int
	dropped int
}

// take reports whether one more line may pass, and how many were dropped in the second before.
func (q *quota) take(now time.Time) (ok bool, dropped int) {
	if now.Sub(q.since) >= time.Second {
		dropped = q.dropped
		*q = quota{since: now}
	}
	if q.lines >= lineBurst {
		q.dropped++
		return false, dropped
	}
	q.lines++
	return true, dropped
}

// dice are the fixed random bytes: the same in every instance. A generator of quality takes three times as long as the fuel
// that a byte costs stands for, and callers may not rely on it.
type dice struct{ state uint64 }

// Read fills data.
func (d *dice) Read(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		d.state += 0x9e3779b97f4a7c15
		z := (d.state ^ d.state>>30) * 0xbf58476d1ce4e5b9
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], z^z>>31)
		rest = rest[copy(rest, word[:]):]
	}
	return len(data), nil
}

// stderr is where a module's standard error goes: line by line to the log.
type stderr struct{ r *running }

// Write passes on the beginning of what is written.
func (w stderr) Write(data []byte) (int, error) {
	w.r.say(Info, data[:min(len(data), lineBytes)])
	return len(data), nil
}
