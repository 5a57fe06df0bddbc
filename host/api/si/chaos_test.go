package si_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/core/scheduler"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// model is what a resource manager believes. It sends again whatever was not answered.
type model struct {
	*testing.T
	host      *live
	manager   *manager
	random    *rand.Rand
	n         int
	pending   map[string]bool
	running   map[string]string // nodes
	releasing map[string]bool   // was running
	lingering map[string]bool   // releasing before a resync: may have gone
}

func (m *model) listen() {
	for {
		select {
		case line := <-m.manager.told:
			m.hear(line)
		default:
			return
		}
	}
}

func (m *model) hear(line string) {
	words := strings.Fields(line)
	key := words[1]
	switch {
	case words[0] == "new":
		if m.pending[key] {
			delete(m.pending, key)
			m.running[key] = words[3]
		}
	case words[0] == "released":
		delete(m.running, key)
		delete(m.releasing, key)
		delete(m.lingering, key)
	case words[0] == "rejected":
		m.Errorf("found %s", line)
	}
}

// step does something.
func (m *model) step() {
	m.listen()
	switch p := m.random.IntN(100); {
	case p < 50:
		m.n++
		key := fmt.Sprintf("k%d", m.n)
		m.pending[key] = true
		m.manager.ask(task(key, "a1", 1000))
	case p < 88:
		if keys := slices.Sorted(maps.Keys(m.running)); len(keys) > 0 {
			key := keys[m.random.IntN(len(keys))]
			delete(m.running, key)
			m.releasing[key] = true
			m.manager.release("a1", key, siv1.TerminationType_STOPPED_BY_RM)
		}
	case p < 94:
		m.breakStreams()
	case p < 97:
		m.resync()
	default:
		m.manager.cancel()
		m.host.restart()
		m.resync()
	}
}

// breakStreams has the streams end at once, and opens others.
func (m *model) breakStreams() {
	m.manager.cancel()
	m.manager.wantsEnd(codes.Canceled)
	m.listen()
	m.manager = m.host.connect("rm-1")
	m.again()
}

// again sends what may have been lost.
func (m *model) again() {
	for _, key := range slices.Sorted(maps.Keys(m.pending)) {
		m.manager.ask(task(key, "a1", 1000))
	}
	for _, list := range []map[string]bool{m.releasing, m.lingering} {
		for _, key := range slices.Sorted(maps.Keys(list)) {
			m.manager.release("a1", key, siv1.TerminationType_STOPPED_BY_RM)
		}
	}
}

// resync says everything anew.
func (m *model) resync() {
	m.manager.cancel()
	m.listen()
	m.manager = m.host.register("rm-1")
	for _, id := range []string{"n1", "n2"} {
		m.manager.node(id, siv1.NodeInfo_CREATE, 4000)
	}
	m.manager.apps(m.manager.app("a1"))
	m.await("accepted n1", "accepted n2", "accepted a1")
	for _, key := range slices.Sorted(maps.Keys(m.running)) {
		m.manager.ask(running(key, "a1", 1000, m.running[key]))
	}
	maps.Copy(m.lingering, m.releasing) // what has gone before is not told again
	m.releasing = map[string]bool{}
	m.again()
}

// await listens until it has heard some lines.
func (m *model) await(lines ...string) {
	late := time.After(20 * time.Second)
	for len(lines) > 0 {
		select {
		case line := <-m.manager.told:
			if i := slices.Index(lines, line); i >= 0 {
				lines = slices.Delete(lines, i, i+1)
				continue
			}
			m.hear(line)
		case <-late:
			m.Fatalf("not told %q", lines)
		}
	}
}

// agrees reports whether the scheduler has what the resource manager believes.
func (m *model) agrees() (found, want map[string]string, ok bool) {
	found, want = map[string]string{}, maps.Clone(m.running)
	m.host.read(func(s *scheduler.Scheduler) {
		d := s.Dump()
		for i := range d.Applications {
			for _, k := range d.Applications[i].Asks {
				found[k.ID] = k.Node
			}
		}
	})
	for key := range m.pending {
		want[key] = ""
	}
	return found, want, maps.Equal(found, want) && len(m.releasing) == 0
}

func TestSI_BothSidesAgreeAfterFaults(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			m := &model{T: t, host: start(t), random: rand.New(rand.NewPCG(seed, 0)), pending: map[string]bool{}, running: map[string]string{}, releasing: map[string]bool{}, lingering: map[string]bool{}}
			m.manager = m.host.register("rm-1")
			m.resync()
			for range 150 {
				m.step()
			}
			late := time.After(20 * time.Second)
			for {
				found, want, ok := m.agrees()
				if ok {
					break
				}
				select {
				case line := <-m.manager.told:
					m.hear(line)
				case <-time.After(10 * time.Millisecond):
				case err := <-m.manager.ended:
					t.Fatalf("a stream ended: %v", err)
				case <-late:
					t.Fatalf("the scheduler has\n%v\nthe resource manager believes\n%v\nand releases %v", found, want, m.releasing)
				}
			}
			if m.n < 50 || len(m.running) == 0 {
				t.Errorf("%d asks, %d of which run: too few to say anything", m.n, len(m.running))
			}
		})
	}
}
