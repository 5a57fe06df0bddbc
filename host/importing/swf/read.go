package swf

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/importing"
)

// The texts of Options.QueueBy.
const (
	ByQueue     = "queue"
	ByPartition = "partition"
	ByUser      = "user"
	ByGroup     = "group"
	ByNothing   = "none"
)

// QueueBys are the texts that Options.QueueBy can be.
func QueueBys() []string { return []string{ByQueue, ByPartition, ByUser, ByGroup, ByNothing} }

// The texts of Options.JobAs: what a job of several processors becomes.
const (
	AsNodes      = "nodes"      // an ask per node that it needs; several are an atomic gang
	AsProcessors = "processors" // an atomic gang of an ask per processor
	AsAsk        = "ask"        // one ask
)

// JobForms are the texts that Options.JobAs can be.
func JobForms() []string { return []string{AsNodes, AsProcessors, AsAsk} }

// The texts of Options.Failed and Options.Cancelled: what jobs become that did not end well.
const (
	KeepJobs = "keep"      // they run for as long as they did
	LeaveOut = "leave-out" // they are left out, and counted
	Withdraw = "withdraw"  // they wait for as long as they did, and are withdrawn
)

// FailedJobs are the texts that Options.Failed can be, for jobs that failed or were cancelled while they ran.
func FailedJobs() []string { return []string{KeepJobs, LeaveOut} }

// CancelledJobs are the texts that Options.Cancelled can be, for jobs that were cancelled before they ran.
func CancelledJobs() []string { return []string{LeaveOut, Withdraw} }

// Options say what the log does not.
type Options struct {
	NodeCount      int   // 0: as the header says
	NodeProcessors int   // 0: as the header says
	NodeMemory     int64 // bytes; 0: memory is no resource
	QueueBy        string
	JobAs          string // empty: AsNodes
	Failed         string // empty: KeepJobs
	Cancelled      string // empty: LeaveOut
	Dates          bool   // the header has to say when the log begins
}

// ParseMemory reads what Options.NodeMemory is.
func ParseMemory(text string) (int64, error) { return resource.Parse("memory", text) }

// longestLine bounds a line in bytes.
const longestLine = 1 << 20

// reader reads one log.
type reader struct {
	Options
	sink   *importing.Sink
	file   string
	line   int
	header header
	shape  shape
	begun  bool // a job was read
}

// Read gives the nodes and the jobs of a log to a sink. Errors in the log are told to the sink; the error says that reading
// failed.
func Read(in io.Reader, file string, sink *importing.Sink, o Options) error {
	r := &reader{Options: o, sink: sink, file: file}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	for lines.Scan() {
		r.line++
		if err := r.take(strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))); err != nil {
			return givenUp(err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.line++
		return givenUp(sink.GiveUp(&importing.Error{File: file, Line: r.line, Expected: "at most 1 MiB", Found: "a longer line"}))
	case err != nil:
		return err
	case !r.begun:
		return givenUp(r.begin())
	}
	return nil
}

// givenUp takes away that reading ended for its errors: the sink has those.
func givenUp(err error) error {
	if errors.Is(err, importing.ErrGivenUp) {
		return nil
	}
	return err
}

func (r *reader) bad(key, expected, found string) error {
	return r.sink.Bad(&importing.Error{File: r.file, Line: r.line, Key: key, Expected: expected, Found: found})
}

// take reads a line.
func (r *reader) take(line string) error {
	switch {
	case line == "":
		return nil
	case line[0] == ';':
		return r.header.take(r, line[1:])
	case !r.begun:
		if err := r.begin(); err != nil {
			return err
		}
	}
	return r.job(line)
}

// begin gives the nodes, once the header was read.
func (r *reader) begin() error {
	r.begun = true
	if r.Dates && !r.header.hasStart {
		return r.sink.GiveUp(&importing.Error{File: r.file, Key: "UnixStartTime", Expected: "a header line that says when the log begins, which --times dates needs", Found: "none"})
	}
	shape, err := r.header.shape(r.Options)
	if err != nil {
		return r.sink.GiveUp(&importing.Error{File: r.file, Key: "MaxNodes", Expected: err.Error(), Found: "none"})
	}
	r.shape = shape
	return shape.nodes(r.sink)
}
