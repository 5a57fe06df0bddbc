package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// counts are the instructions and cache misses of one workload.
type counts struct {
	phasedRun

	phases      [phaseCount]profile
	asked, made int
}

// instructionTable counts the instructions of every workload and writes a table. Without valgrind it says so.
func instructionTable(folder string, progress io.Writer) (string, error) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return "", fmt.Errorf("instructions skipped, because %w", err)
	}
	var all []counts
	for _, r := range phasedRuns(folder) {
		fmt.Fprintf(progress, "%s %s\n", r.name, sizeText(r.size))
		c := counts{phasedRun: r}
		var err error
		if c.phases, c.asked, c.made, err = callgrind(r.name); err != nil {
			return "", fmt.Errorf("%s: %w", r.name, err)
		}
		all = append(all, c)
	}
	return countTable(all), nil
}

// countTable has a column for each workload and a row for each figure.
func countTable(all []counts) string {
	var b strings.Builder
	row := func(name string, figureOf func(c *counts) int64) {
		fmt.Fprintf(&b, "| %s |", name)
		for i := range all {
			fmt.Fprintf(&b, " %s |", figure(float64(figureOf(&all[i]))))
		}
		b.WriteByte('\n')
	}
	b.WriteString("| |")
	for i := range all {
		fmt.Fprintf(&b, " %s, %s |", all[i].name, sizeText(all[i].size))
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(all)) + "\n")
	row("**an ask taken in**: instructions", func(c *counts) int64 { return c.anAsk().instructions })
	row("misses of the first-level instruction cache", func(c *counts) int64 { return c.anAsk().l1i })
	row("misses of the first-level data cache", func(c *counts) int64 { return c.anAsk().l1d })
	row("misses of the second-level cache", func(c *counts) int64 { return c.anAsk().l2 })
	row("**an allocation made**: instructions", func(c *counts) int64 { return c.anAllocation().instructions })
	for _, pkg := range largest(all) {
		row("in `"+pkg+"`", func(c *counts) int64 { return c.phases[cyclePhase][pkg].instructions / int64(max(c.made, 1)) })
	}
	row("misses of the first-level instruction cache", func(c *counts) int64 { return c.anAllocation().l1i })
	row("misses of the first-level data cache", func(c *counts) int64 { return c.anAllocation().l1d })
	row("misses of the second-level cache", func(c *counts) int64 { return c.anAllocation().l2 })
	return b.String()
}

func (c *counts) anAsk() costs        { return c.phases[askPhase].total().by(c.asked) }
func (c *counts) anAllocation() costs { return c.phases[cyclePhase].total().by(c.made) }

func (c costs) by(n int) costs {
	d := int64(max(n, 1))
	return costs{c.instructions / d, c.l1i / d, c.l1d / d, c.l2 / d}
}

// least is the part of a hundred below which a package has no row.
const least = 1

// largest are the packages that have a row, by what they cost in the first workload.
func largest(all []counts) []string {
	seen := map[string]bool{}
	for i := range all {
		total := all[i].phases[cyclePhase].total().instructions
		for pkg, c := range all[i].phases[cyclePhase] {
			if c.instructions*100 >= total*least {
				seen[pkg] = true
			}
		}
	}
	var packages []string
	for pkg := range seen {
		packages = append(packages, pkg)
	}
	first := all[0].phases[cyclePhase]
	slices.SortFunc(packages, func(a, b string) int {
		return cmp.Or(cmp.Compare(first[b].instructions, first[a].instructions), strings.Compare(a, b))
	})
	return packages
}

// countedBegin and countedEnd enclose the table in the page.
const (
	countedBegin = "<!-- counted by make instructions -->\n"
	countedEnd   = "<!-- end of the count -->\n"
)

// countedIn is the table that a page has; "" where it has none.
func countedIn(page string) string {
	_, rest, ok := strings.Cut(page, countedBegin)
	table, _, closed := strings.Cut(rest, countedEnd)
	if !ok || !closed {
		return ""
	}
	return table
}

// replaceCounted puts a table in the place of the one that a page has.
func replaceCounted(file, table string) (string, error) {
	page, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	before, rest, ok := strings.Cut(string(page), countedBegin)
	_, after, closed := strings.Cut(rest, countedEnd)
	if !ok || !closed {
		return "", fmt.Errorf("%s: expected the lines %q and %q", file, strings.TrimSpace(countedBegin), strings.TrimSpace(countedEnd))
	}
	return before + countedBegin + table + countedEnd + after, nil
}
