package server

import (
	"io"
	"testing"

	"github.com/quern-project/quern/host/store"
)

// Whatever stands in a batch or a snapshot, a follower takes it or refuses it.
func FuzzFollow(f *testing.F) {
	f.Add([]byte(`{"at":"1970-01-01T01:00:00Z","type":"node.add","id":"n1","capacity":{"vcore":8}}`+"\n"), []byte(`{"Inputs":1}`+"\n"))
	f.Add([]byte(`{"request":"k","sha256":"00","first":1,"last":1}`+"\n"+`{"at":"1970-01-01T01:00:00Z","type":"tick"}`+"\n"), []byte("x"))
	f.Add([]byte(`{"seq":1,"at":"1970-01-01T01:00:00Z","type":"node.accepted","id":"n1"}`+"\n"+`{"answer":"k","decisions":[1]}`+"\n"), []byte(`{"Open":"{}"}`))
	f.Add([]byte(`{"by":"ann","groups":["vision"],"from":"127.0.0.1","first":1,"last":1}`+"\n"+`{"at":"1970-01-01T01:00:00Z","type":"tick"}`+"\n"), []byte("x"))
	f.Add([]byte(`{"manager":"rm-1","user":"ann"}`+"\n"+`{"at":"1970-01-01T01:00:00Z","type":"tick"}`+"\n"), []byte(`{"Inputs":1,"Managers":{"rm-1":"ann"}}`+"\n"))
	f.Fuzz(func(t *testing.T, batch, snapshot []byte) {
		if follower, err := newFollower(snapshot, store.Position{Batch: 1, At: 1}, noPolicies{}); err == nil {
			follower.requests()
		}
		follower, err := newFollower(nil, store.Position{}, noPolicies{})
		if err != nil {
			t.Fatal(err)
		}
		for n := range uint64(2) {
			if err := follower.read(store.Position{Batch: n + 1, At: int64(3600e9) + int64(n)}, batch); err != nil {
				return
			}
		}
		follower.requests()
		if err := follower.write(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}
