package check

import (
	"context"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"
)

// memory is a storage of a few series.
type memory []storage.Series

// load reads series in the notation of Prometheus' own tests, a sample a step, and returns how many samples the longest has.
func load(t *testing.T, series string) (m memory, samples int) {
	t.Helper()
	for line := range strings.Lines(series) {
		of, values, err := parser.NewParser(parser.Options{}).ParseSeriesDesc(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		var points []promql.FPoint
		for i, v := range values {
			if !v.Omitted {
				points = append(points, promql.FPoint{T: int64(i) * step.Milliseconds(), F: v.Value})
			}
		}
		m = append(m, promql.NewStorageSeries(promql.Series{Metric: of, Floats: points}))
		samples = max(samples, len(values))
	}
	return m, samples
}

// Querier implements storage.Queryable.
func (m memory) Querier(int64, int64) (storage.Querier, error) { return querier{m}, nil }

type querier struct{ memory }

func (q querier) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	set := &seriesSet{}
	for _, s := range q.memory {
		matches := true
		for _, m := range matchers {
			matches = matches && m.Matches(s.Labels().Get(m.Name))
		}
		if matches {
			set.list = append(set.list, s)
		}
	}
	return set
}

func (querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (querier) Close() error { return nil }

// seriesSet is what a query finds.
type seriesSet struct {
	list []storage.Series
	at   storage.Series
}

func (s *seriesSet) Next() bool {
	if len(s.list) == 0 {
		return false
	}
	s.at, s.list = s.list[0], s.list[1:]
	return true
}

func (s *seriesSet) At() storage.Series              { return s.at }
func (*seriesSet) Err() error                        { return nil }
func (*seriesSet) Warnings() annotations.Annotations { return nil }
