package core

import "strings"

// SeriesOf returns the name of the series to which an application belongs: its ID without a trailing number and what separates it, so that
// train-17 and train-18 are of the series train. An ID without a trailing number, or of digits alone, is a series of its own.
func SeriesOf(id string) string {
	stem := strings.TrimRight(id, "0123456789")
	if stem == id {
		return id
	}
	if stem = strings.TrimRight(stem, "-_./:"); stem == "" {
		return id
	}
	return stem
}
