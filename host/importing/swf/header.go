package swf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/importing"
)

// Bounds of what a header says, and of the processors of a job.
const (
	mostNodes      = 1_000_000
	mostProcessors = 10_000_000
)

// header is what the comments at the top of a log say.
type header struct {
	nodes, processors int
	start             time.Duration // since 1970
	hasStart          bool
}

// take reads a comment. Lines that are no header, and those that are not needed, do not matter.
func (h *header) take(r *reader, line string) error {
	name, text, ok := strings.Cut(line, ":")
	name, text = strings.TrimSpace(name), strings.TrimSpace(text)
	if !ok || name != "MaxNodes" && name != "MaxProcs" && name != "UnixStartTime" {
		return nil
	}
	text, _, _ = strings.Cut(text, " ") // remarks follow in some logs
	value, err := strconv.ParseInt(text, 10, 64)
	most := map[string]int64{"MaxNodes": mostNodes, "MaxProcs": mostProcessors, "UnixStartTime": mostSeconds}[name]
	if err != nil || value < -1 || value > most {
		return r.bad(name, fmt.Sprintf("a whole number from 0 to %d, or -1", most), importing.Quote(text))
	}
	switch {
	case value < 0: // not known
	case name == "MaxNodes":
		h.nodes = int(value)
	case name == "MaxProcs":
		h.processors = int(value)
	case value > 0: // logs without a time say 0
		h.start, h.hasStart = time.Duration(value)*time.Second, true
	}
	return nil
}

// shape is the machine: some nodes, of which the first have a processor more than the others.
type shape struct {
	count   int
	each    int // processors
	larger  int // how many nodes have one more
	memory  int64
	singles bool // jobs are cut into single processors, since nodes differ
}

// shape works the machine out of the header, and of what the user says. The error is what was expected.
func (h *header) shape(o Options) (shape, error) {
	s := shape{count: o.NodeCount, each: o.NodeProcessors, memory: o.NodeMemory}
	if s.count == 0 {
		s.count = h.nodes
	}
	total := h.processors
	if total == 0 {
		total = s.count * max(1, s.each)
	}
	switch {
	case s.count == 0 && s.each > 0:
		s.count = (total + s.each - 1) / s.each
	case s.count > 0 && s.each == 0:
		s.each, s.larger = total/s.count, total%s.count
	}
	if s.each == 0 && s.larger > 0 {
		s.count, s.each, s.larger = s.larger, 1, 0 // more nodes than processors
	}
	if s.count == 0 || s.each == 0 {
		return s, errors.New("a header line with the number of nodes, or --node-count or --node-processors")
	}
	s.singles = s.larger > 0
	return s, nil
}

// processors is how many there are.
func (s *shape) processors() int { return s.count*s.each + s.larger }

// largest is how many the largest node has.
func (s *shape) largest() int { return s.each + min(1, s.larger) }

func (s *shape) nodes(sink *importing.Sink) error {
	width := len(strconv.Itoa(s.count))
	for i := range s.count {
		processors := s.each
		if i < s.larger {
			processors++
		}
		id := fmt.Sprintf("node-%0*d", width, i+1)
		if err := sink.Node(&core.AddNode{ID: id, Capacity: amounts(processors, s.memory)}); err != nil {
			return err
		}
	}
	return nil
}

// amounts is a set of processors and memory.
func amounts(processors int, memory int64) resource.Set {
	set := []resource.Quantity{{Type: resource.VCore, Value: int64(processors) * 1000}}
	if memory > 0 {
		set = append(set, resource.Quantity{Type: "memory", Value: memory})
	}
	return resource.NewSet(set...)
}
