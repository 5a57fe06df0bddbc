package goplugin

import (
	"math"
	"strings"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin/wire"
	"github.com/quern-project/quern/sdk/policy"
)

// serving is a service of a policy that answers a row with the sum of its two columns, and has learned texts.
func serving(t testing.TB) (s *service, texts *[]string) {
	t.Helper()
	texts = &[]string{}
	server, err := policy.New(&policy.Policy{
		Manifest: abi.Manifest{Name: "sums", Version: "1", Points: map[string]abi.Spec{
			"node.score": {Columns: []string{"free:vcore", "attribute:rack"}, Keys: 1, Depends: "row"}}},
		Texts: func(first uint32, more []string) { *texts = append((*texts)[:first-1], more...) },
		Points: map[string]func(*abi.Frame) error{"node.score": func(f *abi.Frame) error {
			for i := range f.Asked {
				row := f.Row(i)
				if v := f.Value(0, row) + f.Value(1, row); v != -1 {
					f.Answer(row, 0, v)
				}
			}
			return nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s = newService(server)
	if err := s.Configure([]byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	return s, texts
}

// table is a request about a table with these numbers in its first column, all of it.
func table(id uint64, values ...float64) wire.Delta {
	d := wire.Delta{Header: wire.Header{Call: 1, Table: id, Epoch: 1, Point: 4, Flags: wire.Full | wire.Dense, Keys: 1, Rows: uint32(len(values))},
		Descriptors: []wire.Column{{ID: 12, Arg: 1}, {ID: 18, Arg: 2}}, Cols: [][]float64{values, make([]float64, len(values))}}
	for i := range values {
		d.Asked = append(d.Asked, int32(i))
	}
	return d
}

// changed is a request about some rows, which changed.
func changed(d wire.Delta, rows ...int32) wire.Delta {
	d.Flags, d.Changed, d.Asked, d.Rows = 0, rows, rows, uint32(len(d.Cols[0]))
	return d
}

func ask(t testing.TB, s *service, d wire.Delta) wire.Reply {
	t.Helper()
	data, err := s.Eval(d.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	r, err := wire.ReadReply(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func expect(t testing.TB, r wire.Reply, answers ...float64) {
	t.Helper()
	if r.Code != abi.OK || int(r.Rows) != len(answers) {
		t.Fatalf("expected %d answers, found code %d, %d answers, %s", len(answers), r.Code, r.Rows, r.Text)
	}
	for i, v := range answers {
		if r.Answer(i, 0) != v {
			t.Errorf("expected %v for answer %d, found %v", v, i, r.Answer(i, 0))
		}
	}
}

func TestColumnsStay(t *testing.T) {
	s, _ := serving(t)
	d := table(1, 1, 2, 3)
	expect(t, ask(t, s, d), 1, 2, 3)
	d.Cols[1][1] = 10
	expect(t, ask(t, s, changed(d, 1)), 12)
	last := changed(d, 1)
	last.Changed, last.Asked = nil, []int32{2, 0}
	expect(t, ask(t, s, last), 3, 1)
	for rows := 4; rows < 40; rows++ { // the frame moves now and then
		d.Cols[0], d.Cols[1] = append(d.Cols[0], float64(rows)), append(d.Cols[1], 100)
		grown := changed(d, int32(rows-1))
		grown.Asked = []int32{1, int32(rows - 1), 0}
		expect(t, ask(t, s, grown), 12, float64(rows)+100, 1)
	}
}

func TestTablesThatAreNotHereAreAskedFor(t *testing.T) {
	s, _ := serving(t)
	expect(t, ask(t, s, table(1, 1)), 1)
	for name, d := range map[string]wire.Delta{
		"unknown":            changed(table(2, 1), 0),
		"of another epoch":   func() wire.Delta { d := changed(table(1, 1), 0); d.Epoch = 2; return d }(),
		"of another point":   func() wire.Delta { d := changed(table(1, 1), 0); d.Point = 2; return d }(),
		"with other keys":    func() wire.Delta { d := changed(table(1, 1), 0); d.Keys = 2; return d }(),
		"with fewer columns": func() wire.Delta { d := changed(table(1, 1), 0); d.Cols = d.Cols[:1]; return d }(),
	} {
		if r := ask(t, s, d); r.Code != wire.Resend || r.Call != d.Call || r.Table != d.Table {
			t.Errorf("a table %s: expected a demand for it, found %+v", name, r)
		}
	}
	expect(t, ask(t, s, changed(table(1, 5), 0)), 5)
}

func TestTheTableUsedLongestAgoGoesFirst(t *testing.T) {
	s, _ := serving(t)
	s.tables = newResidents(2, 1<<20)
	expect(t, ask(t, s, table(1, 1)), 1)
	expect(t, ask(t, s, table(2, 2)), 2)
	expect(t, ask(t, s, changed(table(1, 3), 0)), 3)
	expect(t, ask(t, s, table(3, 4)), 4)
	expect(t, ask(t, s, changed(table(1, 5), 0)), 5)
	if r := ask(t, s, changed(table(2, 6), 0)); r.Code != wire.Resend {
		t.Errorf("expected the second table to be gone, found %+v", r)
	}
}

func TestTheBytesOfTablesAreBounded(t *testing.T) {
	s, _ := serving(t)
	s.tables = newResidents(100, 4096)
	for id := range uint64(20) {
		expect(t, ask(t, s, table(id, make([]float64, 50)...)), make([]float64, 50)...)
	}
	sum := 0
	for e := s.tables.order.Front(); e != nil; e = e.Next() {
		sum += len(e.Value.(*resident).bytes)
	}
	if sum > 4096 || sum != s.tables.bytes || len(s.tables.byID) != s.tables.order.Len() {
		t.Errorf("expected at most 4096 bytes, found %d, %d counted", sum, s.tables.bytes)
	}
	if r := ask(t, s, table(99, make([]float64, 500)...)); r.Code != abi.CannotServe || !strings.Contains(r.Text, "expected a table of at most 4096 bytes, found one of 500 rows") {
		t.Errorf("expected a table that is too large to be refused, found %+v", r)
	}
}

func TestAnAnswerThatIsLeftOutIsNoNumber(t *testing.T) {
	s, _ := serving(t)
	expect(t, ask(t, s, table(1, 1, 2)), 1, 2)
	r := ask(t, s, changed(table(1, -1, 2), 0)) // answered before, and not now
	if r.Code != abi.OK || !math.IsNaN(r.Answer(0, 0)) {
		t.Errorf("expected NaN, found %+v, %v", r, r.Answer(0, 0))
	}
}

func TestTextsComeBeforeTheFrame(t *testing.T) {
	s, texts := serving(t)
	d := table(1, 1)
	d.Texts = abi.Texts(1, []string{"vcore", "rack"})
	expect(t, ask(t, s, d), 1)
	d = changed(d, 0)
	d.Texts = abi.Texts(3, []string{"r1"})
	expect(t, ask(t, s, d), 1)
	if strings.Join(*texts, " ") != "vcore rack r1" {
		t.Errorf("expected three texts, found %v", *texts)
	}
	d.Texts = []byte("short")
	if r := ask(t, s, d); r.Code != abi.CannotServe || !strings.Contains(r.Text, "texts: expected 8 bytes") {
		t.Errorf("expected bad texts to be refused, found %+v", r)
	}
}

// Whatever a host sends, the service answers or refuses.
func FuzzService(f *testing.F) {
	first, second := table(1, 1, 2, 3), changed(table(1, 1, 2, 3, 4), 3)
	f.Add(first.Append(nil), second.Append(nil))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		s, _ := serving(t)
		s.tables = newResidents(4, 1<<16)
		for _, data := range [][]byte{one, two, one} {
			reply, err := s.Eval(data)
			if err != nil {
				continue
			}
			if _, err := wire.ReadReply(reply); err != nil {
				t.Fatal(err)
			}
		}
	})
}
