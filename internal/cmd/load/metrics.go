package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// metrics are the series without labels that a host has, and those with labels by their whole text.
type metrics map[string]float64

// readMetrics reads what a host measures.
func (h *host) readMetrics(ctx context.Context) (metrics, error) {
	text, err := h.get(ctx, "/metrics")
	if err != nil {
		return nil, err
	}
	return parseMetrics(bytes.NewReader(text))
}

// parseMetrics reads the text format of Prometheus.
func parseMetrics(r io.Reader) (metrics, error) {
	m := metrics{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), " # ") // an exemplar
		at := strings.LastIndexByte(line, ' ')
		if strings.HasPrefix(line, "#") || at < 0 {
			continue
		}
		value, err := strconv.ParseFloat(line[at+1:], 64)
		if err != nil {
			return nil, fmt.Errorf("/metrics: %q: %w", line, err)
		}
		m[line[:at]] = value
	}
	return m, lines.Err()
}

// get returns a series that must be there.
func (m metrics) get(name string) (float64, error) {
	v, ok := m[name]
	if !ok {
		return 0, fmt.Errorf("/metrics has no %s", name)
	}
	return v, nil
}
