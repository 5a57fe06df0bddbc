package cli

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Bar shows the progress of a run on a terminal.
type Bar struct {
	shown *progressbar.ProgressBar // nil: no terminal
}

func NewBar(w io.Writer, size int64) Bar { return NewBarOf(w, "replaying", size) }

// NewBarOf returns a progress bar that names the work in progress.
func NewBarOf(w io.Writer, doing string, size int64) Bar {
	if !Terminal(w) {
		return Bar{}
	}
	return Bar{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(Below(w)), // it moves the cursor
		progressbar.OptionSetDescription(doing),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(false),
		progressbar.OptionClearOnFinish(),
	)}
}

func (b Bar) Add(n int) {
	if b.shown != nil {
		_ = b.shown.Add(n)
	}
}

func (b Bar) Done() {
	if b.shown != nil {
		_ = b.shown.Finish()
	}
}

// Above writes diagnostics where the bar was; it draws itself again below.
func (b Bar) Above(w io.Writer) io.Writer {
	if b.shown == nil {
		return w
	}
	return &clearing{b, w}
}

type clearing struct {
	bar Bar
	w   io.Writer
}

func (c *clearing) Write(p []byte) (int, error) {
	_ = c.bar.shown.Clear()
	return c.w.Write(p)
}
