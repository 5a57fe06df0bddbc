package journal

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// askLines returns a journal of n simple asks.
func askLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"at":"%ds","type":"ask.add","id":"ask-%d","app":"app-%d","resources":{"vcore":1,"memory":"%dGi"},"priority":10}`+"\n",
			i/100, i, i/10, i%16+1)
	}
	return b.Bytes()
}

func BenchmarkDecoder10kAsks(b *testing.B) {
	b.Run("kept", func(b *testing.B) { benchmarkDecoder(b, false) })
	b.Run("reused", func(b *testing.B) { benchmarkDecoder(b, true) })
}

func benchmarkDecoder(b *testing.B, reuse bool) {
	text := askLines(10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		d := NewDecoder(bytes.NewReader(text), "", nil)
		if reuse {
			d.Reuse()
		}
		for {
			if _, err := d.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*10_000/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkEncoderDecision(b *testing.B) {
	e, d := NewEncoder(&sink{}, Relative), allocation()
	b.ReportAllocs()
	for b.Loop() {
		d.Seq++
		d.At += 1234567
		if err := e.Decision(&d); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncoderEntry(b *testing.B) {
	d := NewDecoder(bytes.NewReader(askLines(1)), "", nil)
	entry, err := d.Next()
	if err != nil {
		b.Fatal(err)
	}
	e := NewEncoder(&sink{}, Relative)
	b.ReportAllocs()
	for b.Loop() {
		if err := e.Entry(entry); err != nil {
			b.Fatal(err)
		}
	}
}
