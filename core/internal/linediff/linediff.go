// Package linediff compares two texts line by line. The golden tests of the core print differences with it; no other package imports
// it.
package linediff

import "strings"

// context is the number of equal lines before the first and after the last difference.
const context = 3

// Diff returns the lines of both texts from the first to the last difference. Lines that are only in the first text begin with "- ",
// and lines that are only in the second with "+ ". For equal texts, it returns "". Time and memory are proportional to the product of
// the lengths.
func Diff(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	length := commonLengths(a, b)
	var lines []string
	first, last := -1, 0
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			lines = append(lines, "  "+a[i])
			i, j = i+1, j+1
			continue
		}
		if j == len(b) || i < len(a) && length[i+1][j] >= length[i][j+1] {
			lines = append(lines, "- "+a[i])
			i++
		} else {
			lines = append(lines, "+ "+b[j])
			j++
		}
		if last = len(lines); first < 0 {
			first = last - 1
		}
	}
	if first < 0 {
		return ""
	}
	return strings.Join(lines[max(first-context, 0):min(last+context, len(lines))], "")
}

// commonLengths returns, at [i][j], the length of the longest common subsequence of a[i:] and b[j:].
func commonLengths(a, b []string) [][]int {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	return length
}
