package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

func TestTheGrowthPictureShowsTheTablesOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/inside/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../../../docs/inside/" + growthPictureName)
	if err != nil {
		t.Fatal(err)
	}
	if growthPicture(string(page)) != string(committed) {
		t.Error("docs/images/growth.svg shows other figures than docs/inside/performance.md: make bench writes both")
	}
}

func TestTheGrowthPictureHasAChartForEachGrowth(t *testing.T) {
	var page strings.Builder
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
		r.growthTables(&page)
	}
	picture := growthPicture(page.String())
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
