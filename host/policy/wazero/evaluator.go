package wazero

import (
	"context"
	"fmt"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// Evaluator answers the batches of a scheduler with a module.
type Evaluator struct {
	module *Module
	config []byte
	acting *Instance
	spare  chan *Instance // at most one, made beside the scheduler; nil in it: none could be made
}

var _ policy.Evaluator = (*Evaluator)(nil)

// Evaluator makes an evaluator with an instance that is configured with the values of the parameters, in JSON, and a
// spare one. Close it.
func (m *Module) Evaluator(ctx context.Context, config []byte) (*Evaluator, error) {
	in, err := m.Instance(ctx, config)
	if err != nil {
		return nil, err
	}
	e := &Evaluator{module: m, config: config, acting: in}
	e.prepare(ctx)
	return e, nil
}

// prepare makes a spare instance beside the caller.
func (e *Evaluator) prepare(ctx context.Context) {
	e.spare = make(chan *Instance, 1)
	go func(spare chan *Instance) {
		defer close(spare)
		if in, err := e.module.Instance(ctx, e.config); err == nil { // what fails here fails again, and is told, when it is wanted
			spare <- in
		}
	}(e.spare)
}

// Close frees both instances. It waits for the spare one to be made.
func (e *Evaluator) Close() {
	if e.acting != nil {
		e.acting.Close()
		e.acting = nil
	}
	if in := <-e.spare; in != nil {
		in.Close()
	}
}

// Eval answers a batch. Where that fails it is tried once more on a fresh instance; the error is that of the second
// time.
func (e *Evaluator) Eval(b *policy.Batch) error {
	if len(b.Rows) == 0 {
		return nil
	}
	err := e.try(b)
	if err != nil {
		err = e.try(b)
	}
	return err
}

// try answers a batch with the acting instance, which goes where it fails.
func (e *Evaluator) try(b *policy.Batch) error {
	if e.acting == nil {
		if err := e.renew(); err != nil {
			return err
		}
	}
	err := e.acting.Eval(b)
	if err != nil {
		e.acting.Close()
		e.acting = nil
	}
	return err
}

// renew puts the spare instance in force, or a new one where there is none yet.
func (e *Evaluator) renew() error {
	ctx := context.Background()
	select {
	case in := <-e.spare: // nil: none could be made. Either way it is used up
		e.acting = in
		e.prepare(ctx)
	default:
	}
	if e.acting == nil {
		in, err := e.module.Instance(ctx, e.config)
		if err != nil {
			return err
		}
		e.acting = in
	}
	return nil
}

// Eval answers a batch. After an error the instance is of no more use.
func (in *Instance) Eval(b *policy.Batch) error {
	if err := in.tell(b.Texts); err != nil {
		return err
	}
	p, err := in.point(b.Point)
	if err != nil {
		return err
	}
	if b.Depends == policy.OnSiblings {
		return in.evalSiblings(p, b)
	}
	return in.evalRows(p, b)
}

// textBytes bounds the texts that are handed over at once, so that the fuel of a call suffices for them: a fresh instance is
// told all texts there are.
const textBytes = 64 << 10

// tell hands over the texts that the module does not know yet, if it wants them.
func (in *Instance) tell(texts []string) error {
	if len(texts) <= in.texts {
		return nil
	}
	if in.guest.ExportedFunction(abi.ExportDictionary) == nil {
		in.texts = len(texts)
	}
	for in.texts < len(texts) {
		some := texts[in.texts:]
		size := 0
		for i, t := range some {
			if size += 4 + len(t); size > textBytes && i > 0 {
				some = some[:i]
				break
			}
		}
		if err := in.hand(abi.ExportDictionary, abi.Texts(uint32(in.texts)+1, some)); err != nil {
			return err
		}
		in.texts += len(some)
	}
	return nil
}

func (in *Instance) evalRows(p *point, b *policy.Batch) error {
	for rows := b.Rows; len(rows) > 0; {
		f, err := in.denseFrame(p, b, len(rows))
		if err != nil {
			return err
		}
		chunk := rows[:min(len(rows), f.Rows)]
		rows = rows[len(chunk):]
		view := in.bytes(f)
		fillDense(view, f, b, chunk)
		if err := in.answer(p, f, len(chunk)); err != nil {
			return err
		}
		if err := takeDense(view, f, b, chunk); err != nil {
			return fmt.Errorf("%s: %w", p.export, err)
		}
	}
	return nil
}

func (in *Instance) evalSiblings(p *point, b *policy.Batch) error {
	f, err := in.residentFrame(b)
	if err != nil {
		return err
	}
	view := in.bytes(f)
	askResident(view, f, b.Rows)
	if err := in.answer(p, f, len(b.Rows)); err != nil {
		return err
	}
	if err := takeResident(view, f, b, b.Rows); err != nil {
		return fmt.Errorf("%s: %w", p.export, err)
	}
	return nil
}

// answer calls the function of a point.
func (in *Instance) answer(p *point, f *frame, rows int) error {
	budget := min(in.module.limits.Fuel+int64(rows)*in.module.limits.RowFuel, mostFuel)
	code, err := in.invoke(p.export, p.function, budget, in.arena.base+f.at)
	if err != nil {
		return err
	}
	return in.result(p.export, code)
}

// point finds a point that the module serves.
func (in *Instance) point(name policy.Point) (*point, error) {
	for _, p := range in.points {
		if p.name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("the module does not serve %s", name)
}

// Trial calls every point of the manifest as the scheduler will: about nothing, about one item of zeros, about two. It
// returns the fuel that each point took about one item.
func (e *Evaluator) Trial(points map[policy.Point]*policy.PointSpec) (map[policy.Point]int64, error) {
	spent := map[policy.Point]int64{}
	in := e.acting
	for _, p := range e.module.points() {
		point := policy.Point(p.Name)
		spec := points[point]
		for rows := range 3 {
			b := trialBatch(point, spec, rows)
			if err := in.trial(b); err != nil {
				in.Close()
				e.acting = nil
				return nil, fmt.Errorf("trial with %d rows: %w", rows, err)
			}
			if rows == 1 {
				spent[point] = in.spent(in.module.limits.Fuel + in.module.limits.RowFuel)
			}
		}
	}
	return spent, nil
}

// trial is Eval, but for batches without rows.
func (in *Instance) trial(b *policy.Batch) error {
	if len(b.Rows) > 0 {
		return in.Eval(b)
	}
	p, err := in.point(b.Point)
	if err != nil {
		return err
	}
	f, err := in.denseFrame(p, b, 0)
	if err != nil {
		return err
	}
	f.setRows(in.bytes(f), 0)
	return in.answer(p, f, 0)
}

// trialBatch is a batch of so many rows that hold 0, 1, 2 …
func trialBatch(p policy.Point, spec *policy.PointSpec, rows int) *policy.Batch {
	b := &policy.Batch{Point: p, Epoch: 1, Keys: spec.Keys, Columns: spec.Columns, Depends: spec.Depends, Out: make([]float64, rows*spec.Keys)}
	for range spec.Columns {
		column := make([]float64, rows)
		for r := range column {
			column[r] = float64(r)
		}
		b.Cols = append(b.Cols, column)
	}
	for r := range rows {
		b.Rows = append(b.Rows, int32(r))
	}
	b.Changed = b.Rows
	return b
}
