package stream

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/journal/openb"
	"github.com/quern-project/quern/core/nearest"
)

// Trace names the files of a public trace.
type Trace struct {
	Nodes, Pods string
	Map         string // a TOML file that says where each class of pods goes; empty: the usual places
	Fill        bool   // ignore all times
}

// Openb opens an openb trace.
func Openb(t Trace, env Env) (*Workload, error) {
	classes, err := classesOf(t.Map, env)
	if err != nil {
		return nil, err
	}
	nodes, err := open(t.Nodes, env)
	if err != nil {
		return nil, err
	}
	w := &Workload{Name: filepath.Base(shown(t.Pods)), Form: journal.Relative, closer: []io.Closer{nodes}}
	pods, err := open(t.Pods, env)
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	w.closer = append(w.closer, pods)
	var config string
	w.Source, config, err = openb.Read(nodes, pods, openb.Options{
		NodesName: shown(t.Nodes), PodsName: shown(t.Pods), Map: classes, Fill: t.Fill,
	})
	if err != nil {
		_ = w.Close()
		return nil, &Error{err}
	}
	source := w.Source
	w.unread = func(map[string]int) (int, bool) { return 1 + inputsOf(source), true } // it was read to see that the run ends before it
	w.Config = &core.SetConfig{Config: config, Format: "yaml", File: "the trace's queues"}
	return w, nil
}

// classesOf reads a map of classes: a table for each, with queue and priority.
func classesOf(name string, env Env) (map[string]openb.Class, error) {
	if name == "" {
		return nil, nil
	}
	text, err := Text(name, env)
	if err != nil {
		return nil, err
	}
	var tables map[string]struct {
		Queue    string `toml:"queue"`
		Priority *int32 `toml:"priority"`
	}
	meta, err := config.DecodeTOML(name, text, &tables)
	if err != nil {
		return nil, &Error{err}
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, &Error{fmt.Errorf("%s: %s: expected queue or priority, found an unknown key%s", name, unknown[0], nearest.Hint(nearest.Names(unknown[0][len(unknown[0])-1], []string{"queue", "priority"})))}
	}
	classes := openb.Classes()
	for _, class := range slices.Sorted(maps.Keys(tables)) {
		table := tables[class]
		if _, known := classes[class]; !known {
			return nil, &Error{fmt.Errorf("%s: %s: expected a class such as LS, Guaranteed, Burstable or BE, found an unknown one%s", name, class, nearest.Hint(nearest.Names(class, slices.Sorted(maps.Keys(classes)))))}
		}
		if table.Queue == "" || table.Priority == nil {
			return nil, &Error{fmt.Errorf("%s: %s: expected both queue and priority, found one of them missing", name, class)}
		}
		classes[class] = openb.Class{Queue: table.Queue, Priority: *table.Priority}
	}
	return classes, nil
}
