package doctest

import (
	"slices"
	"strings"
	"testing"
)

// compared is the page that compares schedules.
const compared = root + "/docs/plan/compare.md"

// The figures of the table of the page, in order: the row of a comparison under which they stand, and the row itself.
var comparedFigures = [][2]string{{"job wait", "job wait mean"}, {"job wait", "p95"}, {"job wait", "max"}, {"slowdown", "slowdown mean"}, {"slowdown", "p95"}}

// figures returns the columns of a comparison: for each run, its figures in the order of comparedFigures.
func figures(t *testing.T, output string) [][]string {
	t.Helper()
	var runs [][]string
	under := ""
	for line := range strings.Lines(output) {
		text := strings.TrimSpace(line)
		for _, section := range []string{"job wait", "turnaround", "slowdown"} {
			if strings.HasPrefix(text, section) {
				under = section
			}
		}
		for _, f := range comparedFigures {
			rest, found := strings.CutPrefix(text, f[1])
			if !found || f[0] != under {
				continue
			}
			for i, v := range strings.Fields(rest) {
				if i == len(runs) {
					runs = append(runs, nil)
				}
				runs[i] = append(runs[i], v)
			}
		}
	}
	return runs
}

// What the blocks show is checked by running them; the table has the same.
func TestCompare_TableHasTheFiguresOfItsBlocks(t *testing.T) {
	var runs [][]string
	for _, c := range Commands(read(t, compared)) {
		if columns := figures(t, c.Output); strings.Contains(c.Text, "--compare-policy") {
			runs = append(runs, columns[1]) // the first is FIFO again
		} else {
			runs = append(runs, columns...)
		}
	}
	var rows [][]string
	for line := range strings.Lines(read(t, compared)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) == len(comparedFigures)+1 && slices.Contains([]string{"FIFO", "EASY", "conservative", "fair", "SJF"}, cells[0]) {
			rows = append(rows, cells[1:])
		}
	}
	if len(rows) != 5 || len(runs) != len(rows) {
		t.Fatalf("expected a row for each of five runs, found %d rows, %d runs", len(rows), len(runs))
	}
	for i, row := range rows {
		if !slices.Equal(row, runs[i]) {
			t.Errorf("row %d: expected %v, found %v", i+1, runs[i], row)
		}
	}
}
