package abi_test

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

var update = flag.Bool("update", false, "write the golden frames anew")

// golden is a call, byte for byte, as the files in golden/ hold it.
type golden struct {
	Point  string `json:"point"`
	Config string `json:"config"`          // given to quern_configure
	Texts  string `json:"texts,omitempty"` // hex, given to quern_dictionary
	Frame  string `json:"frame"`           // hex
	RC     int    `json:"rc"`
	After  string `json:"after"` // the frame after the call, in hex
}

// call describes a frame, and what the golden policy answers to it.
type call struct {
	point   string
	config  string
	texts   []string
	columns []abi.Column
	rows    [][]float64 // by column; a constant column has one number
	index   []uint32
	keys    int
	n       int
	grown   bool // by fields and a stride that this version does not know
	version uint32
	flags   uint32
	rc      int
	answers map[int][]float64
}

var negativeZero = math.Copysign(0, -1)

// The golden policy, which every SDK writes in its language. Parameter: weight, default 1.
//
//	ask.order   gang_size, gang_min, user_code, placeholder; the members that the gang lacks, -placeholder, and 0 for the user "gold", else 1
//	app.order   used:vcore, tag:rank=-1, tag_code:team; keys used*weight + rank, and -1 for the team "gold", 1 for any other, 0 for none
//	node.score  free:vcore, ask:vcore (depends on the ask); (free - ask) * weight
//	node.filter domain:rack, domain_free:rack:vcore=-1, domain_fits (depends on the ask); 0 where more than weight fit or the rack is "gold", else 1 where vcore is left, else 2
//	queue.order pending_share (depends on siblings); the share of the sum over all rows asked about, 0 where that is 0
//	victim.rank walltime=-1, ask_priority; -walltime*weight, -Inf where it is below 0, and the priority
var calls = map[string]call{
	"node-dense": {point: "node.score", config: `{"weight":1}`, n: 4, keys: 1, flags: abi.Dense,
		columns: []abi.Column{{ID: 12, Arg: 1}, {ID: 13, Arg: 1, Constant: true}},
		rows:    [][]float64{{4000, 0, 2500, 9007199254740991}, {500}}, index: []uint32{0, 1, 2, 3},
		answers: map[int][]float64{0: {3500}, 1: {-500}, 2: {2000}, 3: {9007199254740491}}},
	"node-sparse": {point: "node.score", config: `{"weight":0.5}`, n: 5, keys: 1,
		columns: []abi.Column{{ID: 12, Arg: 1}, {ID: 13, Arg: 1, Constant: true}},
		rows:    [][]float64{{1, 2, 3, 4, 5}, {1}}, index: []uint32{4, 1},
		answers: map[int][]float64{4: {2}, 1: {0.5}}},
	"app-texts": {point: "app.order", config: `{"weight":2.5}`, n: 3, keys: 2, flags: abi.Dense,
		texts:   []string{"vcore", "rank", "team", "silver", "gold", "Zürich"},
		columns: []abi.Column{{ID: 7, Arg: 1}, {ID: 19, Arg: 2}, {ID: 22, Arg: 3}},
		rows:    [][]float64{{1000, 2000, 0}, {-1, 7, 0.25}, {4, 5, 0}}, index: []uint32{0, 1, 2},
		answers: map[int][]float64{0: {2499, 1}, 1: {5007, -1}, 2: {0.25, 0}}},
	"ask-gangs": {point: "ask.order", config: `{"weight":1}`, n: 4, keys: 3, flags: abi.Dense, version: abi.Major<<16 | 1,
		texts:   []string{"gold", "ann"},
		columns: []abi.Column{{ID: 28}, {ID: 29}, {ID: 24}, {ID: 30}},
		rows:    [][]float64{{3, 2, 0, 0}, {2, 4, 0, 0}, {1, 2, 0, 1}, {0, 0, 1, 0}}, index: []uint32{0, 1, 2, 3},
		answers: map[int][]float64{0: {0, negativeZero, 0}, 1: {2, negativeZero, 1}, 2: {0, -1, 1}, 3: {0, negativeZero, 0}}},
	"node-domains": {point: "node.filter", config: `{"weight":2}`, n: 5, keys: 1, version: abi.Major<<16 | 2,
		texts:   []string{"rack:vcore", "rack", "z1/r1", "gold"},
		columns: []abi.Column{{ID: 31, Arg: 2}, {ID: 32, Arg: 1}, {ID: 33}},
		rows:    [][]float64{{3, 3, 4, 3, 0}, {4000, 4000, 0, 0, -1}, {3, 2, 0, 1, 0}}, index: []uint32{4, 0, 1, 2, 3},
		answers: map[int][]float64{0: {0}, 1: {1}, 2: {0}, 3: {2}, 4: {2}}},
	"victim-walltimes": {point: "victim.rank", config: `{"weight":2}`, n: 4, keys: 2, version: abi.Major<<16 | 3,
		columns: []abi.Column{{ID: 37}, {ID: 14}},
		rows:    [][]float64{{3600, -1, 0.5, 3600}, {7, 0, -3, 2}}, index: []uint32{3, 1, 2, 0},
		answers: map[int][]float64{0: {-7200, 7}, 1: {math.Inf(-1), 0}, 2: {-1, -3}, 3: {-7200, 2}}},
	"queue-siblings": {point: "queue.order", config: `{"weight":1}`, n: 4, keys: 1,
		columns: []abi.Column{{ID: 4}}, rows: [][]float64{{250, 9, 500, 250}}, index: []uint32{3, 2, 0},
		answers: map[int][]float64{3: {0.25}, 2: {0.5}, 0: {0.25}}},
	"queue-nothing-pending": {point: "queue.order", config: `{"weight":1}`, n: 1, keys: 1, flags: abi.Dense,
		columns: []abi.Column{{ID: 4}}, rows: [][]float64{{0}}, index: []uint32{0}, answers: map[int][]float64{0: {0}}},
	"empty": {point: "queue.order", config: `{"weight":1}`, keys: 1, flags: abi.Dense, columns: []abi.Column{{ID: 4}}, rows: [][]float64{{}}},
	"grown": {point: "node.score", config: `{"weight":1}`, n: 3, keys: 1, grown: true, version: abi.Major<<16 | 9,
		columns: []abi.Column{{ID: 12, Arg: 1}, {ID: 13, Arg: 1, Constant: true}},
		rows:    [][]float64{{10, 20, 30}, {5}}, index: []uint32{2, 0}, answers: map[int][]float64{2: {25}, 0: {5}}},
	"another-version": {point: "node.score", config: `{"weight":1}`, n: 1, keys: 1, flags: abi.Dense, version: 2 << 16, rc: abi.BadFrame,
		columns: []abi.Column{{ID: 12, Arg: 1}, {ID: 13, Arg: 1, Constant: true}}, rows: [][]float64{{10}, {5}}, index: []uint32{0}},
}

func TestGoldenFrames(t *testing.T) {
	for name, c := range calls {
		t.Run(name, func(t *testing.T) {
			before, after := c.frames(t)
			g := golden{Point: c.point, Config: c.config, Frame: hex.EncodeToString(before), RC: c.rc, After: hex.EncodeToString(after)}
			if c.texts != nil {
				g.Texts = hex.EncodeToString(abi.Texts(1, c.texts))
			}
			expected, err := json.MarshalIndent(g, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			expected = append(expected, '\n')
			path := filepath.Join("golden", name+".json")
			if *update {
				if err := os.WriteFile(path, expected, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			found, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(found) != string(expected) {
				t.Errorf("%s: the contract changed: the frame laid out now differs from the one that was fixed", path)
			}
		})
	}
}

// frames lays the call out, before and after it was answered.
func (c *call) frames(t *testing.T) (before, after []byte) {
	t.Helper()
	l, err := abi.Lay(abi.Shape{Rows: c.n, Asked: len(c.index), Keys: c.keys, Columns: c.columns})
	if err != nil {
		t.Fatal(err)
	}
	before = make([]byte, l.Size)
	l.PutHeader(before, 7, c.flags)
	for i, col := range c.rows {
		for r, v := range col {
			put64(before[int(l.Columns[i].Offset)+8*r:], v)
		}
	}
	for i, r := range c.index {
		put32(before[int(l.Index)+4*i:], r)
	}
	answers := int(l.Answers)
	if c.grown {
		before, answers = grow(before, &l)
	}
	version := c.version
	if version == 0 {
		version = abi.Major << 16 // these frames are of the first version, and stay as they are
	}
	put32(before[abi.OffVersion:], version)
	after = append([]byte(nil), before...)
	for row, keys := range c.answers {
		for j, v := range keys {
			put64(after[answers+8*(row*c.keys+j):], v)
		}
	}
	return before, after
}

// grow rewrites a frame as a later minor version might lay it out: a longer header, longer descriptors.
func grow(frame []byte, l *abi.Layout) (grown []byte, answers int) {
	const header, descriptor = abi.HeaderSize + 16, abi.DescriptorSize + 8
	moved := uint32(16 + 8*len(l.Columns))
	grown = append(grown, frame[:abi.HeaderSize]...)
	for range 16 {
		grown = append(grown, 0xEE)
	}
	put32(grown[abi.OffSize:], header)
	put32(grown[abi.OffDescriptorSize:], descriptor)
	put32(grown[abi.OffIndex:], l.Index+moved)
	put32(grown[abi.OffAnswers:], l.Answers+moved)
	for i, d := range l.Columns {
		at := abi.HeaderSize + i*abi.DescriptorSize
		grown = append(grown, frame[at:at+abi.DescriptorSize]...)
		put32(grown[len(grown)-8:], d.Offset+moved)
		grown = append(grown, 0xDD, 0xDD, 0xDD, 0xDD, 0xDD, 0xDD, 0xDD, 0xDD)
	}
	grown = append(grown, frame[abi.HeaderSize+len(l.Columns)*abi.DescriptorSize:]...)
	return grown, int(l.Answers + moved)
}

func put32(at []byte, v uint32) {
	for i := range 4 {
		at[i] = byte(v >> (8 * i))
	}
}

func put64(at []byte, v float64) {
	bits := math.Float64bits(v)
	put32(at, uint32(bits))
	put32(at[4:], uint32(bits>>32))
}
