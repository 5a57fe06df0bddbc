package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestGallery_WithoutListsSaysWhy(t *testing.T) {
	t.Setenv(openbFolder, "")
	var out bytes.Buffer
	if err := run(context.Background(), t.TempDir(), "", &out); err != nil {
		t.Fatal(err)
	}
	if want := "skipped, because QUERN_OPENB does not name the folder of the openb lists\n"; out.String() != want {
		t.Errorf("expected %q, found %q", want, out.String())
	}
}

func TestAFragmentIsWhatTheAveragePodCannotUse(t *testing.T) {
	half := shape{amounts{gpu: 500, vcore: 4000}, 1}
	whole := shape{amounts{gpu: 1000, vcore: 8000}, 3}
	for _, c := range []struct {
		what   string
		free   amounts
		shapes []shape
		want   float64
	}{
		{"whole GPUs, and cores beside them", amounts{gpu: 2000, vcore: 32000}, []shape{half, whole}, 0},
		{"a half fits into what is broken", amounts{gpu: 1500, vcore: 32000}, []shape{half}, 0},
		{"a whole one does not", amounts{gpu: 1500, vcore: 32000}, []shape{whole}, 500},
		{"one pod in four could use it", amounts{gpu: 1500, vcore: 32000}, []shape{half, whole}, 375},
		{"too few cores for three of four pods", amounts{gpu: 2000, vcore: 4000}, []shape{half, whole}, 1500},
		{"nothing is wanted", amounts{gpu: 1500}, nil, 0},
	} {
		if got := fragment(c.free, c.shapes); got != c.want {
			t.Errorf("%s: expected %v, found %v", c.what, c.want, got)
		}
	}
}

func TestNamesAtTheEndsOfLinesNeverMeet(t *testing.T) {
	lines := []series{
		{"a", "one", []float64{0, 10}, []float64{0, 1}}, {"b", "two", []float64{0, 10}, []float64{0, 1}}, {"c", "three", []float64{0, 10}, []float64{0, 0}},
	}
	p := picture{title: "1 < 2 & so on", about: "x", panels: []panel{{title: "p", x: axis{"x", upTo(10, 5), ""}, y: axis{"", upTo(10, 5), "%"}, series: lines}}}
	var places []float64
	d := xml.NewDecoder(strings.NewReader(p.draw()))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && strings.HasPrefix(attribute(e, "class"), "name ") {
			places = append(places, number(t, attribute(e, "y")))
		}
	}
	if len(places) != 3 {
		t.Fatalf("expected 3 names, found %v", places)
	}
	for i := 1; i < len(places); i++ {
		if places[i]-places[i-1] < oneRow {
			t.Errorf("expected names %d apart, found %v", oneRow, places)
		}
	}
	if places[2] > bottom+4 {
		t.Errorf("expected names within the panel, found %v", places)
	}
}

func TestLatenessCountsWhatIsLaterThanSoMuch(t *testing.T) {
	s := tail([]time.Duration{-time.Hour, 0, time.Minute, 2 * time.Hour})
	if s.y[0] != 50 || s.y[1] != 25 || s.y[len(s.y)-1] != 0 {
		t.Errorf("expected 50 %% late at all, 25 %% by more than 3 minutes, nobody by more than 6 hours, found %v", s.y)
	}
}

func TestARateHasTwoDigits(t *testing.T) {
	for n, want := range map[int]string{54321: "54,000", 997: "1,000", 7: "7"} {
		if got := rate(n, time.Second); got != want {
			t.Errorf("%d: expected %s, found %s", n, want, got)
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
