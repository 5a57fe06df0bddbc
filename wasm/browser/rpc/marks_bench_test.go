package rpc

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/quern-project/quern/wasm/browser/journalgen"
)

// BenchmarkSession_Seek goes to random decisions of a run, as moving the time line does. kept-KB is the memory of all marks.
func BenchmarkSession_Seek(b *testing.B) {
	for _, run := range []struct {
		name    string
		journal []byte
	}{
		{"random/lines=20000", journalgen.Journal(1, 20_000)},
		{"fill/nodes=1000/asks=20000", journalgen.Fill(1000, 20_000)},
	} {
		b.Run(run.name, func(b *testing.B) {
			kept := keptBytes(ran(b, run.journal).sessions[1])
			server := ran(b, run.journal)
			last := server.sessions[1].log.seq
			random := rand.New(rand.NewPCG(1, 1))
			for b.Loop() {
				seekTo(b, server, 1+random.Uint64N(last))
			}
			b.ReportMetric(float64(kept)/1024, "kept-KB")
			b.ReportMetric(float64(len(server.sessions[1].marks.list)), "marks")
		})
	}
}

// ran returns a server whose session 1 has played a journal to its end.
func ran(b *testing.B, journal []byte) *Server {
	server := New(nil)
	call(b, server, object{"op": "session.new"}, "")
	call(b, server, object{"op": "session.feed", "id": 1}, string(journal))
	for done := false; !done; {
		a, _ := call(b, server, object{"op": "session.run", "id": 1, "to": object{"idle": true}}, "")
		done = a["done"] == true
	}
	return server
}

func seekTo(b *testing.B, server *Server, seq uint64) {
	for done := false; !done; {
		a, _ := call(b, server, object{"op": "session.seek", "id": 1, "seq": seq}, "")
		done = a["done"] == true
	}
}

// keptBytes drops the marks of a session, and returns the memory that this frees.
func keptBytes(s *session) uint64 {
	before := heapBytes()
	s.marks.list = nil
	after := heapBytes()
	runtime.KeepAlive(s)
	return before - after
}

func heapBytes() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
