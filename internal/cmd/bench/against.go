package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// compareWith runs this program and another build of it in turns, table by table, and prints how their figures compare. Both
// suffer from a busy machine alike, so that ratios of runs next to each other say more than figures of different hours.
func (o *options) compareWith(other string, stdout, progress io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	times := runs
	if o.runs > 0 {
		times = o.runs
	}
	tables := tableNames()
	if o.only != "" {
		tables = []string{o.only}
	}
	for _, table := range tables {
		var before, after figures
		for turn := range times {
			fmt.Fprintf(progress, "%s, turn %d of %d\n", table, turn+1, times)
			if err := before.collect(other, table, o.quick); err != nil {
				if o.only == "" && turn == 0 {
					fmt.Fprintf(progress, "%s skipped, because %v\n", table, err)
					break
				}
				return err
			}
			if err := after.collect(self, table, o.quick); err != nil {
				return err
			}
		}
		if len(before.rows) > 0 {
			fmt.Fprint(stdout, ratioTable(table, &before, &after))
		}
	}
	return nil
}

// figures are those of several runs of one table.
type figures struct {
	rows   []figureID             // in the order of the table
	values map[figureID][]float64 // by run
}

// figureID names a figure of a table.
type figureID struct{ workload, size, column string }

// collect runs a program once and adds its figures.
func (f *figures) collect(program, table string, quick bool) error {
	args := []string{"-only", table, "-runs", "1"}
	if quick {
		args = append(args, "-quick")
	}
	cmd := exec.Command(program, args...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, problems.Bytes())
	}
	f.read(string(text))
	return nil
}

// read adds the figures of a printed table; tables of growth, which begin otherwise, are left out.
func (f *figures) read(text string) {
	var columns []string
	for line := range strings.Lines(text) {
		cells := cellsOf(line)
		switch {
		case len(cells) < 4 || cells[0] == "---":
			continue
		case cells[0] == "workload":
			columns = cells
			continue
		case columns == nil:
			continue
		}
		for i := 2; i < min(len(cells), len(columns))-1; i++ {
			if v, err := strconv.ParseFloat(strings.ReplaceAll(cells[i], ",", ""), 64); err == nil {
				f.add(figureID{cells[0], cells[1], columns[i]}, v)
			}
		}
	}
}

func (f *figures) add(id figureID, value float64) {
	if f.values == nil {
		f.values = map[figureID][]float64{}
	}
	if f.values[id] == nil {
		f.rows = append(f.rows, id)
	}
	f.values[id] = append(f.values[id], value)
}

// cellsOf splits a line of a table.
func cellsOf(line string) []string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
	if !ok {
		return nil
	}
	cells := strings.Split(strings.TrimSuffix(inner, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// ratioTable has a row for each figure that both programs print: the medians, and the median of the ratios of each turn.
func ratioTable(table string, before, after *figures) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | size | figure | other | this | this / other |\n|---|---|---|--:|--:|--:|\n", table)
	for _, id := range before.rows {
		old, now := before.values[id], after.values[id]
		if len(old) != len(now) {
			continue
		}
		ratios := make([]float64, len(old))
		for i := range old {
			ratios[i] = now[i] / old[i]
		}
		if slices.Min(old) <= 0 {
			continue // a count that may be 0 has no ratio
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | **%.2f** (%.2f – %.2f) |\n", id.workload, id.size, id.column,
			figure(middle(old)), figure(middle(now)), middle(ratios), slices.Min(ratios), slices.Max(ratios))
	}
	return b.String()
}

// middle is the median.
func middle(values []float64) float64 {
	sorted := slices.SortedFunc(slices.Values(values), cmp.Compare[float64])
	return sorted[len(sorted)/2]
}
