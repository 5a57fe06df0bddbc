package guest

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// Instance is one running copy of a module, with its arena. After an error it must be closed: its state is unknown.
type Instance struct {
	running EngineInstance
	limits  Limits
	points  []*point
	call    Call // the one that is made, used again for each
	copies  bool

	arena arena
	texts int // that the module was told
}

// point is a point that an instance serves.
type point struct {
	name     policy.Point
	function Function
	dense    [2]frame // for batches whose answers depend on a row alone: a small one and a large one
}

// NewInstance makes an instance of a copy that was just started, and lets it initialize itself with so much fuel. Where that
// fails the copy is closed.
func NewInstance(r EngineInstance, l Limits, initial int64) (*Instance, error) {
	in := &Instance{running: r, limits: l.WithDefaults(), copies: r.Copies()}
	for i, p := range abi.Points {
		if f := firstPoint + Function(i); r.Has(f) {
			in.points = append(in.points, &point{name: policy.Point(p.Name), function: f})
		}
	}
	if !r.Has(initialize) {
		return in, nil
	}
	if _, err := in.invoke(initialize, initial, 0, 0); err != nil {
		in.Close()
		return nil, fmt.Errorf("start: %w", err)
	}
	return in, nil
}

// Configure gives the instance the values of the parameters, in JSON; from now on these limits bound its calls.
func (in *Instance) Configure(l Limits, config []byte) error {
	in.limits = l.WithDefaults()
	return in.hand(configure, config)
}

// Close frees the instance.
func (in *Instance) Close() { in.running.Close() }

// invoke calls an exported function with so much fuel. Addresses and codes come back as they are.
func (in *Instance) invoke(f Function, budget int64, a, b uint32) (int32, error) {
	c := &in.call
	c.Function, c.Fuel, c.Args[0], c.Args[1] = f, budget, a, b
	result, err := in.running.Invoke(c)
	if in.copies {
		c.Written, c.Answers = c.Written[:0], Span{}
	}
	if err != nil {
		return 0, failure(f, budget, err)
	}
	return result, nil
}

// failure says why a call ended.
func failure(f Function, budget int64, err error) error {
	switch {
	case errors.Is(err, ErrFuel):
		return fmt.Errorf("%s: %w of %d", f, err, budget)
	case errors.Is(err, ErrEnded):
		return fmt.Errorf("%s: %w", f, err)
	}
	return fmt.Errorf("%s: it trapped: %w", f, err)
}

// result turns a return code into an error, with what the module says about it.
func (in *Instance) result(f Function, code int32) error {
	if code == abi.OK {
		return nil
	}
	meaning := map[int32]string{abi.BadFrame: "it does not understand the frame", abi.BadConfig: "the configuration cannot be used", abi.CannotServe: "it cannot answer"}[code]
	if meaning == "" {
		meaning = "unknown return code"
	}
	text := ""
	if in.running.Has(errorText) {
		if at, err := in.invoke(errorText, in.limits.Fuel, 0, 0); err == nil && at != 0 {
			text, _ = in.text(uint32(at), abi.MaxErrorText) // what cannot be read says nothing
		}
	}
	if text != "" {
		text = ": " + Printable(text)
	}
	return fmt.Errorf("%s: %s (%d)%s", f, meaning, code, text)
}

// text reads a text that ends with a NUL, at most so many bytes of it.
func (in *Instance) text(at uint32, most int) (string, error) {
	size := in.running.Size()
	if at >= size {
		return "", fmt.Errorf("expected an address within the memory of %d bytes, found %d", size, at)
	}
	view, ok := in.running.Read(at, min(uint32(most)+1, size-at))
	if !ok {
		return "", fmt.Errorf("expected an address within the memory of %d bytes, found %d", size, at)
	}
	end := bytes.IndexByte(view, 0)
	switch {
	case end >= 0:
		return string(view[:end]), nil
	case most == abi.MaxErrorText:
		return string(view), nil
	}
	return "", fmt.Errorf("expected a text that ends with a NUL after at most %d bytes, found none", most)
}

// hand gives a module bytes, in its arena, by a function that takes where they are and how many.
func (in *Instance) hand(f Function, data []byte) error {
	view, at, err := in.room(uint32(len(data)))
	if err != nil {
		return err
	}
	copy(view, data)
	if in.copies {
		in.note(0, uint32(len(data)))
	}
	code, err := in.invoke(f, mostFuel, at, uint32(len(data)))
	if err != nil {
		return err
	}
	return in.result(f, code)
}

// Printable makes a text of a module fit for one line: no control characters, nor what turns the direction of a line.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

var errNoRoom = errors.New("it has no room")
