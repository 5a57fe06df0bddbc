package program

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bar shows the progress of a run on a terminal.
type bar struct {
	shown *progressbar.ProgressBar // nil: no terminal
}

func newBar(w io.Writer, size int64) bar { return newBarOf(w, "replaying", size) }

// newBarOf is a bar that says what is done.
func newBarOf(w io.Writer, doing string, size int64) bar {
	if !terminal(w) {
		return bar{}
	}
	return bar{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(below(w)), // it moves the cursor
		progressbar.OptionSetDescription(doing),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(false),
		progressbar.OptionClearOnFinish(),
	)}
}

func (b bar) add(n int) {
	if b.shown != nil {
		_ = b.shown.Add(n)
	}
}

func (b bar) done() {
	if b.shown != nil {
		_ = b.shown.Finish()
	}
}

// above writes diagnostics where the bar was; it draws itself again below.
func (b bar) above(w io.Writer) io.Writer {
	if b.shown == nil {
		return w
	}
	return &clearing{b, w}
}

type clearing struct {
	bar bar
	w   io.Writer
}

func (c *clearing) Write(p []byte) (int, error) {
	_ = c.bar.shown.Clear()
	return c.w.Write(p)
}
