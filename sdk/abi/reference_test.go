package abi_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/quern-project/quern/sdk/abi"
)

// reference is the golden policy over Frame, as short as can be.
type reference struct {
	weight float64
	gold   float64 // the code of that text; 0: it has none yet
}

func (p *reference) answer(point string, f *abi.Frame) {
	sum := 0.0
	for i := range f.Asked {
		sum += f.Value(0, f.Row(i))
	}
	for i := range f.Asked {
		row := f.Row(i)
		switch point {
		case "node.score":
			f.Answer(row, 0, (f.Value(0, row)-f.Value(1, row))*p.weight)
		case "node.filter":
			f.Answer(row, 0, p.refusal(f.Value(0, row), f.Value(1, row), f.Value(2, row)))
		case "queue.order":
			f.Answer(row, 0, ratio(f.Value(0, row), sum))
		case "victim.rank":
			f.Answer(row, 0, -f.Value(0, row)*p.weight)
			if f.Value(0, row) < 0 {
				f.Answer(row, 0, math.Inf(-1))
			}
			f.Answer(row, 1, f.Value(1, row))
		case "app.order":
			f.Answer(row, 0, float64(f.Value(0, row)*p.weight)+f.Value(1, row))
			f.Answer(row, 1, p.rank(f.Value(2, row)))
		case "ask.order":
			f.Answer(row, 0, max(0, f.Value(1, row)-f.Value(0, row)))
			f.Answer(row, 1, -f.Value(3, row))
			f.Answer(row, 2, 1)
			if user := f.Value(2, row); user != 0 && user == p.gold {
				f.Answer(row, 2, 0)
			}
		}
	}
}

func (p *reference) refusal(rack, free, fits float64) float64 {
	switch {
	case rack != 0 && rack == p.gold || fits > p.weight:
		return 0
	case free > 0:
		return 1
	}
	return 2
}

func (p *reference) rank(team float64) float64 {
	switch team {
	case 0:
		return 0
	case p.gold:
		return -1
	}
	return 1
}

func ratio(part, sum float64) float64 {
	if sum == 0 {
		return 0
	}
	return part / sum
}

func TestAPolicyOverFrameAnswersTheGoldenFrames(t *testing.T) {
	files, err := filepath.Glob("golden/*.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("golden frames: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { answerGolden(t, readGolden(t, file)) })
	}
}

func answerGolden(t *testing.T, g golden) {
	t.Helper()
	frame := aligned(unhex(t, g.Frame))
	f, err := abi.Read(frame)
	if g.RC == abi.BadFrame {
		if !errors.Is(err, abi.ErrShape) {
			t.Errorf("expected the frame to be refused, found %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	policyFor(t, g).answer(g.Point, f)
	if found := hex.EncodeToString(frame); found != g.After {
		t.Errorf("expected the frame\n%s\nfound\n%s", g.After, found)
	}
}

// policyFor configures the policy and tells it the texts.
func policyFor(t *testing.T, g golden) *reference {
	t.Helper()
	p := &reference{}
	var config struct{ Weight float64 }
	if err := json.Unmarshal([]byte(g.Config), &config); err != nil {
		t.Fatal(err)
	}
	p.weight = config.Weight
	if g.Texts == "" {
		return p
	}
	first, texts, err := abi.ReadTexts(unhex(t, g.Texts))
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if text == "gold" {
			p.gold = float64(int(first) + i)
		}
	}
	return p
}

func readGolden(t testing.TB, file string) (g golden) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// aligned copies bytes to where Read takes them from.
func aligned(data []byte) []byte {
	words := make([]uint64, len(data)/8+1)
	room := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
	return room[:copy(room, data)]
}
