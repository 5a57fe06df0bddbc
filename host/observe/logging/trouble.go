package logging

import (
	"log/slog"
	"sync"
)

// Trouble logs an error that may come again and again, as of a file that is read until it is right: once, again if it becomes another error,
// and when it is over. The zero value has had none.
type Trouble struct {
	mu   sync.Mutex
	last string // the error that was logged; empty: there is none
}

// Report logs a new error with a text, or the end of trouble with another one, each with attributes. It returns whether it has logged.
func (t *Trouble) Report(log *slog.Logger, err error, failed, over string, attributes ...any) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		ended := t.last != ""
		if t.last = ""; ended {
			log.Info(over, attributes...)
		}
		return ended
	}
	if err.Error() == t.last {
		return false
	}
	t.last = err.Error()
	log.Error(failed, append(attributes, "error", err)...)
	return true
}

// End forgets the trouble without a word, and returns whether there was one.
func (t *Trouble) End() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended := t.last != ""
	t.last = ""
	return ended
}
