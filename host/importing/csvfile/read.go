package csvfile

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/importing"
)

// GiveMachines gives the nodes that the mapping itself has, and its topology, to a sink.
func (m *Mapping) GiveMachines(sink *importing.Sink) error {
	m.giveTopology(sink)
	for i := range m.Machines {
		machine := &m.Machines[i]
		for n := 1; n <= machine.Count; n++ {
			name := machine.Name
			if machine.Count > 1 {
				name += "-" + strconv.Itoa(n)
			}
			if err := sink.Node(&core.AddNode{ID: name, Capacity: machine.set, Attributes: machine.Attributes}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadNodes gives the nodes of a list to a sink. Errors in the list are told to the sink; the error says that reading failed.
func (m *Mapping) ReadNodes(r io.Reader, file string, sink *importing.Sink) error {
	n := &m.Nodes
	if n.ID == nil {
		return givenUp(sink.GiveUp(&importing.Error{File: file, Key: "nodes.id", Expected: "the column of the names in the mapping", Found: "none"}))
	}
	t, err := m.newTable(r, file, n.Columns, "nodes", sink)
	if t == nil {
		return givenUp(err)
	}
	b := &binder{t: t}
	id, capacity, attributes := b.field(n.ID), b.fields(n.Capacity), b.fields(n.Attributes)
	b.only(n.Only, "nodes")
	if b.errs != nil {
		return givenUp(sink.GiveUp(b.errs...))
	}
	return t.each(func(r *row) error {
		in := &core.AddNode{ID: r.needed(id, "the name of the node"), Capacity: r.amounts(capacity)}
		for _, f := range attributes {
			if text := r.text(f); text != "" {
				set(&in.Attributes, f.typ, text)
			}
		}
		r.checkTexts(in)
		if r.errs != nil {
			return sink.Bad(r.errs...)
		}
		return sink.Node(in)
	})
}

// each calls take with every row that is wanted.
func (t *table) each(take func(*row) error) error {
	for {
		more, err := t.next()
		if !more || err != nil {
			return givenUp(err)
		}
		if err := take(&row{table: t}); err != nil {
			return givenUp(err)
		}
	}
}

// givenUp takes away that reading ended for its errors: the sink has those.
func givenUp(err error) error {
	if errors.Is(err, importing.ErrGivenUp) {
		return nil
	}
	return err
}

// amounts reads a set of resources, without those that are zero.
func (r *row) amounts(fields []*bound) resource.Set {
	list := make([]resource.Quantity, 0, len(fields))
	for _, f := range fields {
		if value := r.amount(f); value != 0 {
			list = append(list, resource.Quantity{Type: f.typ, Value: value})
		}
	}
	return resource.NewSet(list...)
}

func set(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[key] = value
}

// integer reads a whole number within bounds; missing where the field is empty.
func (r *row) integer(f *bound, missing, least, most int64) int64 {
	text := r.text(f)
	if text == "" {
		return missing
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < least || value > most {
		r.fail(f, f.at, fmt.Sprintf("a whole number from %d to %d", least, most), text)
	}
	return value
}
