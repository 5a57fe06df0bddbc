package features

import (
	"fmt"
	"strconv"
	"time"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/core"
)

// addWindows adds windows, a line each.
func (w *world) addWindows(table *godog.Table) error {
	rows, err := itemsOf(table, []string{"window", "from"}, "until", "every", "nodes", "constraints", "count", "partition", "queues", "users", "groups")
	if err != nil {
		return err
	}
	for _, r := range rows {
		in, err := windowOf(r)
		if err != nil {
			return fmt.Errorf("window %s: %w", r["window"], err)
		}
		w.apply(core.Input{Event: in})
	}
	return nil
}

func windowOf(r row) (in *core.AddWindow, err error) {
	in = &core.AddWindow{ID: r["window"], Partition: r["partition"], Nodes: listOf(r["nodes"]), Queues: listOf(r["queues"]),
		Users: listOf(r["users"]), Groups: listOf(r["groups"])}
	if in.From, err = time.ParseDuration(r["from"]); err != nil {
		return nil, fmt.Errorf("from: %w", err)
	}
	if r["until"] != "" {
		until, err := time.ParseDuration(r["until"])
		if err != nil {
			return nil, fmt.Errorf("until: %w", err)
		}
		in.Until = &until
	}
	if in.Every, err = walltimeOf(r["every"]); err != nil {
		return nil, fmt.Errorf("every: %w", err)
	}
	if r["count"] == "" {
		return in, nil
	}
	if in.Count, err = strconv.Atoi(r["count"]); err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	if in.Constraints, err = constraintsOf(r["constraints"]); in.Constraints == nil {
		in.Constraints = map[string][]string{}
	}
	return in, err
}
