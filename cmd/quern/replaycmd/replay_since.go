package replaycmd

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
)

// mostSince bounds an earlier report, in bytes.
const mostSince = 64 << 20

// readSince reads the earlier report, which no output may replace.
func (f *ReplayFlags) readSince(files *safefile.Transaction) error {
	if f.since == "" {
		return nil
	}
	text, err := safefile.Read(f.since, mostSince)
	if err != nil {
		return cli.Usage(fmt.Errorf("--since: %w", err))
	}
	if info, err := os.Stat(f.since); err == nil {
		if err := files.Reads(f.since, info); err != nil {
			return err
		}
	}
	if f.records, err = html.ReadRecords(text); err != nil {
		return cli.Usage(fmt.Errorf("--since: %s: %w", f.since, err))
	}
	return nil
}

// compareSince notes in a summary what changed since the earlier report.
func (f *ReplayFlags) compareSince(sum *summary.Summary, journals []string) {
	if len(f.records) == 0 {
		return
	}
	now := html.RecordOf(strings.Join(journals, ", "), f.Config, sum)
	sum.Since = &summary.Since{File: f.since, Changes: html.Changes(&f.records[len(f.records)-1], &now)}
}

// writeChanges prints what changed since the earlier report.
func writeChanges(w io.Writer, s *summary.Since) error {
	if s == nil {
		return nil
	}
	return html.WriteChanges(w, s.File, s.Changes)
}
