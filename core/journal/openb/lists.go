package openb

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// The resource types and the attribute of the journal.
const (
	memory   = "memory"
	gpuMilli = "gpu_milli" // 1000 for each GPU
	gpuModel = "gpu.model"
)

// forever is the deletion time of a pod that is never deleted.
const forever = -1

// latest is the maximum time in a list, in seconds: a hundred years.
const latest = 100 * 366 * 24 * 3600

type node struct {
	name     string
	line     int
	capacity resource.Set
	model    string
}

type pod struct {
	name             string
	line             int
	resources        resource.Set
	spec             []string // allowed GPU types; nil for any
	class            Class
	created, deleted time.Duration
}

func readNodes(r io.Reader, name string) ([]node, error) {
	t, err := newTable(r, name, "sn", "cpu_milli", "memory_mib")
	if err != nil {
		return nil, err
	}
	var nodes []node
	more, err := t.next()
	for ; more; more, err = t.next() {
		n := node{line: t.line, model: string(t.text("model"))}
		if n.name, err = t.named("sn"); err != nil {
			return nil, err
		}
		gpus, err := t.number("gpu", 0)
		if err != nil {
			return nil, err
		}
		if n.capacity, err = t.amounts("gpu", gpus, 1000); err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, err
}

func readPods(r io.Reader, name string, classes map[string]Class) ([]pod, error) {
	t, err := newTable(r, name, "name", "cpu_milli", "memory_mib")
	if err != nil {
		return nil, err
	}
	var pods []pod
	more, err := t.next()
	for ; more; more, err = t.next() {
		p, err := t.pod(classes)
		if err != nil {
			return nil, err
		}
		pods = append(pods, p)
	}
	return pods, err
}

func (t *table) pod(classes map[string]Class) (p pod, err error) {
	p.line = t.line
	if p.name, err = t.named("name"); err != nil {
		return p, err
	}
	gpus, err := t.number("num_gpu", 0)
	if err != nil {
		return p, err
	}
	each, err := t.number("gpu_milli", 1000)
	if err != nil {
		return p, err
	}
	if p.resources, err = t.amounts("gpu_milli", gpus, each); err != nil {
		return p, err
	}
	p.spec = models(t.text("gpu_spec"))
	if p.class, err = t.class(classes); err != nil {
		return p, err
	}
	if p.created, err = t.time("creation_time", 0); err != nil {
		return p, err
	}
	p.deleted, err = t.time("deletion_time", forever)
	return p, err
}

func (t *table) named(column string) (string, error) {
	name := t.text(column)
	if len(name) == 0 {
		return "", t.fail(column, "a name", "none")
	}
	return string(name), nil
}

// amounts reads the resources of a node or pod. Errors about GPUs name the column.
func (t *table) amounts(column string, gpus, each int64) (resource.Set, error) {
	cpu, err := t.number("cpu_milli", 0)
	if err != nil {
		return nil, err
	}
	mib, err := t.number("memory_mib", 0)
	if err != nil {
		return nil, err
	}
	bytes, err := t.product("memory_mib", mib, 1<<20)
	if err != nil {
		return nil, err
	}
	gpu, err := t.product(column, gpus, each)
	if err != nil {
		return nil, err
	}
	set := resource.Set{{Type: gpuMilli, Value: gpu}, {Type: memory, Value: bytes}, {Type: resource.VCore, Value: cpu}}
	return slices.DeleteFunc(set, func(q resource.Quantity) bool { return q.Value == 0 }), nil
}

// models returns GPU types that are separated by bars, without duplicates.
func models(spec []byte) []string {
	var list []string
	for part := range bytes.SplitSeq(spec, []byte{'|'}) {
		model := strings.TrimSpace(string(part))
		if model != "" && !slices.Contains(list, model) {
			list = append(list, model)
		}
	}
	return list
}

func (t *table) class(classes map[string]Class) (Class, error) {
	qos := t.text("qos")
	if len(qos) == 0 {
		qos = []byte(bestEffort)
	}
	class, ok := classes[string(qos)]
	if !ok {
		return class, t.fail("qos", "a class of the map", quote(qos))
	}
	return class, nil
}

func (t *table) time(column string, missing int64) (time.Duration, error) {
	seconds, err := t.number(column, missing)
	if err != nil {
		return 0, err
	}
	if seconds > latest {
		return 0, t.fail(column, "a time within a hundred years", quote(t.text(column)))
	}
	return time.Duration(seconds) * time.Second, nil
}
