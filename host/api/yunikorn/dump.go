package yunikorn

import (
	"net/http"
	"runtime"
)

// stateDump answers everything at once. It is written as it is read, and never in memory as a whole.
func (a *API) stateDump(w http.ResponseWriter, _ *http.Request) error {
	config, err := asObject(a.running())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	all, infos := a.partitions(), a.partitionList()
	utilization := []clusterUtil{}
	for i := range infos {
		utilization = append(utilization, utilizationOfCluster(&infos[i].Capacity)...)
	}
	rules := []partitionRules{}
	for _, p := range all {
		rules = append(rules, partitionRules{p.name, rulesOf(&p)})
	}
	d := &object{w: w}
	d.field("timestamp", nanoseconds(a.options.Now()))
	d.field("partitions", infos)
	d.field("clusterInfo", a.clusterList())
	d.field("clusterUtilization", utilization)
	d.field("config", config)
	d.field("placementRules", rules)
	d.field("appHistory", a.applicationsByMinute())
	d.field("containerHistory", a.containersByMinute())
	d.field("events", a.events(0, mostBatch))
	d.list("queues", func(l *list) {
		for _, p := range all {
			root, _ := a.tree(&p)
			l.add(root)
		}
	})
	d.list("nodes", func(l *list) {
		for _, p := range all {
			one := &object{w: l.item()}
			one.field("partitionName", p.name)
			one.list("nodesInfo", func(l *list) { a.writeNodes(&p, l) })
			l.err = one.end()
		}
	})
	d.list("applications", func(l *list) {
		for _, p := range all {
			for _, state := range []string{stateActive, stateCompleted, stateRejected} {
				a.eachApplication(&selection{partition: p, state: state}, func(app *application) bool { return l.add(app) })
			}
		}
	})
	return d.end()
}

// partitionRules are the placement rules of a partition.
type partitionRules struct {
	Partition string  `json:"partition"`
	Rules     []*rule `json:"rules"`
}

// stack answers the stacks of all goroutines.
func (a *API) stack(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	for text := make([]byte, 1<<20); ; text = make([]byte, 2*len(text)) {
		if n := runtime.Stack(text, true); n < len(text) || len(text) >= 64<<20 {
			_, err := w.Write(text[:n])
			return err
		}
	}
}
