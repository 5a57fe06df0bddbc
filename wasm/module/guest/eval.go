package guest

import (
	"fmt"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

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
	if !in.running.Has(dictionary) {
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
		if err := in.hand(dictionary, abi.Texts(uint32(in.texts)+1, some)); err != nil {
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
		if in.copies {
			in.noteDense(f, len(chunk))
		}
		if err := in.answer(p, f, len(chunk)); err != nil {
			return err
		}
		if err := takeDense(view, f, b, chunk); err != nil {
			return fmt.Errorf("%s: %w", p.function, err)
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
	if in.copies {
		in.noteAsked(f, b.Rows)
	}
	if err := in.answer(p, f, len(b.Rows)); err != nil {
		return err
	}
	if err := takeResident(view, f, b, b.Rows); err != nil {
		return fmt.Errorf("%s: %w", p.function, err)
	}
	return nil
}

// answer calls the function of a point.
func (in *Instance) answer(p *point, f *frame, rows int) error {
	budget := min(in.limits.Fuel+int64(rows)*in.limits.RowFuel, mostFuel)
	code, err := in.invoke(p.function, budget, in.arena.base+f.at, 0)
	if err != nil {
		return err
	}
	return in.result(p.function, code)
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
