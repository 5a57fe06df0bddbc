package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

// Back-off between the end of an instance and the next start: it doubles from firstDelay to lastDelay, and restarts
// after an instance that ran for steady.
const (
	firstDelay = time.Second
	lastDelay  = 5 * time.Minute
	steady     = time.Minute
)

var errClosed = errors.New("the process was closed")

// supervise follows the instances until Close: it ends each that failed, and starts the next.
func (p *Process) supervise(in *instance) {
	defer close(p.done)
	delay := firstDelay
	for in != nil {
		began := p.options.clock.Now()
		select {
		case <-in.child.exited:
			p.lose(in, orElse(in.child.death(), "the process was killed"))
		case <-in.faulty:
		case <-p.ended.Done():
			p.lose(in, errClosed)
		}
		in.stop()
		if p.options.clock.Now().Sub(began) >= steady {
			delay = firstDelay
		}
		in, delay = p.restart(delay)
	}
}

// restart waits and starts, until there is an instance, or nil after Close.
func (p *Process) restart(delay time.Duration) (*instance, time.Duration) {
	for p.ended.Err() == nil {
		p.log.tell("warning", fmt.Sprintf("%v; the next start is in %v", p.why(), delay))
		select {
		case <-p.options.clock.After(delay):
		case <-p.ended.Done():
			continue
		}
		delay = min(2*delay, lastDelay)
		in, err := p.reopen()
		if err == nil {
			p.log.tell("info", "the process runs again")
			return in, delay
		}
		p.lose(nil, err)
	}
	p.lose(nil, errClosed)
	return nil, delay
}

// why says why there is no instance.
func (p *Process) why() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.down
}

// reopen starts an instance like the first, configures it, and lets it answer.
func (p *Process) reopen() (*instance, error) {
	in, err := open(p.ended, &p.options, p.log)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(in.manifest, p.manifest) {
		in.stop()
		return nil, errors.New("start: expected the manifest of the first start, found another")
	}
	p.mu.Lock()
	config, configured := p.config, p.configured
	p.mu.Unlock()
	if configured {
		if err := in.configure(p.ended, config); err != nil {
			in.stop()
			return nil, fmt.Errorf("start: configuration: %w", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running, p.down = in, nil
	return in, nil
}

// lose notes why there is no instance, unless another took the place of the one that was lost.
func (p *Process) lose(in *instance, why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == in {
		p.running, p.down = nil, why
	}
}

// orElse is an error that is never nil.
func orElse(err error, text string) error {
	if err == nil {
		return errors.New(text)
	}
	return err
}

// fault ends the running instance for a reason, which later calls repeat. The mutex is held.
func (p *Process) fault(why error) error {
	if errors.Is(p.ended.Err(), context.Canceled) {
		why = errClosed
	}
	in := p.running
	p.running, p.down = nil, why
	in.child.kill()
	close(in.faulty)
	return why
}
