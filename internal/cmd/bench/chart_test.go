package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestTheGrowthPictureHasAChartForEachGrowth(t *testing.T) {
	var results []result
	growths := 0
	for _, g := range plan(full, "", "") {
		r := result{group: g}
		for _, c := range g.cases {
			s := make(sample, len(g.columns))
			for i := range s {
				s[i] = float64(c.size[0])
			}
			r.rows = append(r.rows, row{benchCase: c, samples: []sample{s}})
		}
		growths += len(g.growths)
		results = append(results, r)
	}
	picture := growthPicture(results)
	if again := growthPicture(results); again != picture {
		t.Error("two pictures of the same figures differ")
	}
	if n := strings.Count(picture, "<g transform"); n != growths {
		t.Errorf("%d charts of %d growths", n, growths)
	}
	if strings.Contains(picture, "NaN") || strings.Contains(picture, "Inf") {
		t.Error("a point lies nowhere")
	}
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
