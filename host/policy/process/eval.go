package process

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin/wire"
)

// Eval answers a batch within the deadline, or says why not. After an error the batch's answers may hold anything.
func (p *Process) Eval(b *policy.Batch) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	rows, err := p.check(b)
	if err != nil {
		return fmt.Errorf("process policy: %s: %w", b.Point, err)
	}
	t := p.tables.of(b)
	t.follow(b, p.running, rows)
	if err := p.ask(t, b, rows); err != nil {
		return fmt.Errorf("process policy: %s: %w", b.Point, err)
	}
	return nil
}

// check says why a batch cannot be asked about at all, and how many rows it has. None of it is the program's fault now.
func (p *Process) check(b *policy.Batch) (rows int, err error) {
	spec, declared := p.points[string(b.Point)]
	switch {
	case p.running == nil:
		return 0, fmt.Errorf("it is not running: %w", p.down)
	case !p.configured:
		return 0, errors.New("expected a configuration before the first call")
	case !declared:
		return 0, errors.New("expected a point of the manifest")
	case spec.Keys != b.Keys:
		return 0, fmt.Errorf("expected a batch of %d keys, as in the manifest, found %d", spec.Keys, b.Keys)
	case len(b.Columns) != len(b.Cols) || len(b.Cols) > abi.MaxColumns:
		return 0, fmt.Errorf("expected at most %d columns, as many as are declared, found %d of %d", abi.MaxColumns, len(b.Cols), len(b.Columns))
	}
	rows = len(b.Out) / b.Keys
	for _, list := range [2][]int32{b.Changed, b.Rows} {
		for _, row := range list {
			if row < 0 || int(row) >= rows {
				return 0, fmt.Errorf("expected rows below %d, found %d", rows, row)
			}
		}
	}
	for i, col := range b.Cols {
		if len(col) < rows {
			return 0, fmt.Errorf("column %v: expected %d rows, found %d", b.Columns[i], rows, len(col))
		}
	}
	return rows, nil
}

// ask makes the round trip; a second one, in full, where the program forgot the table.
func (p *Process) ask(t *table, b *policy.Batch, rows int) error {
	ctx, cancel := context.WithTimeout(p.ended, p.options.Deadline)
	defer cancel()
	for {
		d := t.delta(b, rows)
		texts, err := p.newTexts(b)
		if err != nil {
			return err
		}
		d.Texts = texts
		if size := d.Size(); size > wire.MaxMessage-16 {
			t.sent(nil)
			return fmt.Errorf("expected a batch of at most %d bytes, found %d rows of %d columns, %d bytes", wire.MaxMessage, rows, len(b.Cols), size)
		}
		p.calls++
		d.Call = p.calls
		reply, err := p.exchange(ctx, &d)
		if err != nil {
			return p.fault(fmt.Errorf("call %d about %d of %d rows: %w", d.Call, len(b.Rows), rows, err))
		}
		p.running.texts = max(p.running.texts, len(b.Texts))
		if reply.Code == wire.Resend {
			t.sent(nil)
			continue
		}
		t.sent(p.running)
		for i, row := range b.Rows {
			for j := range b.Keys {
				b.Out[int(row)*b.Keys+j] = reply.Answer(i, j)
			}
		}
		return nil
	}
}

// newTexts are the texts that the instance does not have yet.
func (p *Process) newTexts(b *policy.Batch) ([]byte, error) {
	known := p.running.texts
	switch {
	case len(b.Texts) == known:
		return nil, nil
	case len(b.Texts) < known:
		return nil, fmt.Errorf("expected a dictionary of at least %d texts, as before, found %d: one process serves one dictionary", known, len(b.Texts))
	}
	return abi.Texts(uint32(known+1), b.Texts[known:]), nil
}

// exchange sends a request and checks the reply: it answers this call, and every row of it or Resend.
func (p *Process) exchange(ctx context.Context, d *wire.Delta) (wire.Reply, error) {
	p.request = d.Append(p.request[:0])
	expected := wire.ReplySize + 8*len(d.Asked)*int(d.Keys)
	data, err := p.running.wire.Eval(ctx, p.request, expected+abi.MaxErrorText)
	if cap(p.request) > 1<<20 {
		p.request = nil // a table in full is seldom
	}
	if err != nil {
		return wire.Reply{}, p.explainCall(ctx, err, expected)
	}
	r, err := wire.ReadReply(data)
	switch {
	case err != nil:
		return r, err
	case r.Call != d.Call || r.Table != d.Table || r.Epoch != d.Epoch:
		return r, fmt.Errorf("expected an answer to call %d, table %d, epoch %d, found one to call %d, table %d, epoch %d", d.Call, d.Table, d.Epoch, r.Call, r.Table, r.Epoch)
	case r.Code == wire.Resend && d.Flags&wire.Full != 0:
		return r, errors.New("expected an answer, found a demand for the table, which was sent in full")
	case r.Code == wire.Resend:
		return r, nil
	case r.Code != abi.OK:
		return r, fmt.Errorf("return code %d: %w", r.Code, short(errors.New(r.Text)))
	case int(r.Rows) != len(d.Asked) || r.Keys != d.Keys && r.Rows > 0:
		return r, fmt.Errorf("expected answers of %d keys to %d rows, found %d keys to %d rows", d.Keys, len(d.Asked), r.Keys, r.Rows)
	}
	return r, nil
}

// explainCall says why there is no reply. A connection breaks a little before the end of the process is known.
func (p *Process) explainCall(ctx context.Context, err error, expected int) error {
	switch status.Code(err) {
	case codes.ResourceExhausted:
		return fmt.Errorf("expected an answer of %d bytes: %w", expected, short(err))
	case codes.Unavailable:
		select {
		case <-p.running.child.exited:
		case <-ctx.Done():
			return fmt.Errorf("the connection broke: %w", short(err))
		}
	}
	return explain(ctx.Err(), err, "an answer", p.options.Deadline, p.running.child)
}
