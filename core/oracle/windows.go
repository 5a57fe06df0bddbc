package oracle

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
)

// A window reserves nodes by the calendar. While it is open, only asks that it names are placed on its nodes. Before, others are only placed there
// if they promise to end by its start.

// window is a window with the occurrence that is open, or else the next.
type window struct {
	id          string
	from, until time.Duration
	every       time.Duration
	opened      bool
	nodes       []string // the IDs of its nodes, unless all that meet the constraints belong to it
	queues      []string
	users       []string
	groups      []string
	conf        *config.Window // nil: an input has added it
}

// takesAll reports whether all nodes that meet the constraints belong to the window.
func (w *window) takesAll() bool { return w.conf != nil && w.conf.Nodes == nil && w.conf.Count == 0 }

func (w *window) has(n *node) bool {
	if w.takesAll() {
		return n.meets(w.conf.Constraints)
	}
	return slices.Contains(w.nodes, n.id)
}

// meets reports whether the node has a value that is allowed for each attribute.
func (n *node) meets(constraints map[string][]string) bool {
	return satisfy(n.attributes, constraints)
}

// satisfy reports whether attributes have an allowed value of each that is named.
func satisfy(attributes map[string]string, constraints map[string][]string) bool {
	for name, allowed := range constraints {
		value, present := attributes[name]
		if !present || !slices.Contains(allowed, value) {
			return false
		}
	}
	return true
}

// names reports whether the window is for the application.
func (w *window) names(a *app) bool {
	for _, q := range w.queues {
		if path := a.queue.path(); path == q || strings.HasPrefix(path, q+".") {
			return true
		}
	}
	return slices.Contains(w.users, a.user) || slices.ContainsFunc(a.groups, func(g string) bool { return slices.Contains(w.groups, g) })
}

func (w *window) comesAgain() bool { return w.conf != nil || w.every > 0 }

// renew sets the occurrence to the first that ends after an instant.
func (w *window) renew(after time.Duration) {
	w.opened = false
	if w.conf != nil {
		w.from = w.conf.Next(w.conf.Duration.Before(after))
		w.until = w.conf.Duration.After(w.from)
		return
	}
	for w.until <= after {
		w.from, w.until = instant.Add(w.from, w.every), instant.Add(w.until, w.every)
	}
	if w.until == instant.Never {
		w.from = instant.Never
	}
}

func (p *partition) windowsOn(n *node) []*window {
	return slices.DeleteFunc(slices.Clone(p.windows), func(w *window) bool { return !w.has(n) })
}

// promisedEnd returns when an allocation would promise to end that is made on the node now. ok is false if windows do not let it be made.
func (p *partition) promisedEnd(n *node, k *ask) (end time.Duration, ok bool) {
	end = instant.Never
	if k.promise.walltime > 0 {
		end = instant.Add(p.now, k.promise.walltime)
	}
	for _, w := range p.windowsOn(n) {
		if w.opened && w.names(k.app) {
			end = min(end, w.until)
		}
	}
	for _, w := range p.windowsOn(n) {
		switch {
		case w.names(k.app):
		case w.opened:
			return 0, false
		case end > w.from && (k.promise.walltime > 0 || !p.settings.UnboundedBeforeWindows):
			return 0, false
		default:
			end = min(end, w.from)
		}
	}
	return end, true
}

func (p *partition) isOpenTo(n *node, k *ask) bool {
	_, ok := p.promisedEnd(n, k)
	return ok
}

// isOpenFrom is isOpenTo at an instant to come.
func (p *partition) isOpenFrom(n *node, k *ask, start time.Duration) bool {
	now, all := p.now, p.windows
	defer func() { p.now, p.windows = now, all }()
	p.now, p.windows = start, nil
	for _, w := range all {
		then := *w
		if then.until <= start {
			if !then.comesAgain() {
				continue
			}
			then.renew(start)
		}
		then.opened = then.from <= start
		p.windows = append(p.windows, &then)
	}
	return p.isOpenTo(n, k)
}

// windowEnds lists the ends of windows at which something can be planned to start.
func (p *partition) windowEnds() (all []time.Duration) {
	last := p.settings.Backfill.Horizon.After(p.now)
	for _, w := range p.windows {
		for then := *w; then.until <= last; then.renew(then.until) {
			if all = append(all, then.until); !then.comesAgain() {
				break
			}
		}
	}
	return all
}

// promiseByWindow has an allocation that was made now, or before it was restored, end with a window that names it and was open then, or before a
// window that does not, if its ask promises no end.
func (p *partition) promiseByWindow(k *ask) {
	made := p.now
	if k.promise.since != nil {
		made = *k.promise.since
	}
	k.promise.by = nil
	end := instant.Never
	for _, w := range p.windowsOn(k.node) {
		switch named := w.names(k.app); {
		case named && w.from <= made:
			end = min(end, w.until)
		case !named && !w.opened && k.promise.walltime == 0 && p.settings.UnboundedBeforeWindows:
			end = min(end, w.from)
		}
	}
	if end < k.ends() {
		k.promise.by = &end
	}
}

func (o *Oracle) findWindow(id string) (*partition, *window) {
	for _, p := range o.partitions {
		for _, w := range p.windows {
			if w.id == id {
				return p, w
			}
		}
	}
	return o.partitions[0], nil
}

func (p *partition) addWindow(in *core.AddWindow) {
	if why := p.whyNoWindow(in); why != "" {
		p.refuse(core.Decision{Type: core.WindowRejected, ID: in.ID, Reason: why})
		return
	}
	w := &window{id: in.ID, from: in.From, until: instant.Never, every: in.Every, nodes: in.Nodes, users: in.Users, groups: in.Groups}
	if in.Until != nil {
		w.until = *in.Until
	}
	if in.Nodes == nil {
		w.nodes = p.matching(in.Constraints)[:in.Count]
	}
	for _, q := range in.Queues {
		w.queues = append(w.queues, strings.ToLower(q))
	}
	p.decide(core.Decision{Type: core.WindowAccepted, ID: in.ID})
	p.windows = append(p.windows, w)
	p.openWindows()
}

// whyNoWindow returns why a window is refused, or nothing.
func (p *partition) whyNoWindow(in *core.AddWindow) core.Reason {
	if _, w := p.findWindow(in.ID); w != nil {
		return core.ReasonDuplicate
	}
	for _, id := range in.Nodes {
		if p.nodeNamed(id) == nil {
			return core.ReasonUnknownNode
		}
	}
	if in.Nodes == nil && in.Count > len(p.matching(in.Constraints)) {
		return core.ReasonBadWindow
	}
	if in.Until == nil {
		if in.Every > 0 {
			return core.ReasonBadWindow
		}
		return ""
	}
	if *in.Until <= in.From || *in.Until <= p.now || in.Every > 0 && in.Every < instant.Sub(*in.Until, in.From) {
		return core.ReasonBadWindow
	}
	return ""
}

// matching lists the IDs of the nodes that meet constraints, in order.
func (p *partition) matching(constraints map[string][]string) (ids []string) {
	for _, n := range p.nodes {
		if n.meets(constraints) {
			ids = append(ids, n.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// chooseNodes lets the windows of the configuration that take a number of nodes take those that they lack.
func (p *partition) chooseNodes() {
	for _, w := range p.windows {
		if w.conf == nil || w.conf.Count == 0 {
			continue
		}
		for _, id := range p.matching(w.conf.Constraints) {
			if len(w.nodes) < w.conf.Count && !slices.Contains(w.nodes, id) {
				w.nodes = append(w.nodes, id)
			}
		}
	}
}

func (o *Oracle) removeWindow(in *core.RemoveWindow) {
	p, w := o.findWindow(in.ID)
	switch {
	case w == nil:
		p.ignore(in, core.ReasonUnknownWindow)
	case w.conf != nil:
		p.ignore(in, core.ReasonConfigured)
	default:
		p.endWindow(w)
	}
}

func (p *partition) endWindow(w *window) {
	if w.opened {
		p.decide(core.Decision{Type: core.WindowClosed, ID: w.id})
	}
	p.windows = slices.DeleteFunc(slices.Clone(p.windows), func(other *window) bool { return other == w })
	p.roomFreed()
}

// advanceWindows closes and opens the windows whose time has come.
func (p *partition) advanceWindows() {
	for _, w := range slices.Clone(p.windows) {
		switch {
		case w.until > p.now:
		case w.comesAgain():
			if w.opened {
				p.decide(core.Decision{Type: core.WindowClosed, ID: w.id})
			}
			w.renew(p.now)
		default:
			w.opened = true
			p.endWindow(w)
		}
	}
	p.openWindows()
}

func (p *partition) openWindows() {
	for _, w := range p.windows {
		if w.opened || w.from > p.now {
			continue
		}
		w.opened = true
		used := []string{}
		for _, n := range p.nodes {
			if w.has(n) && slices.ContainsFunc(p.allocationsOn(n), func(k *ask) bool { return !w.names(k.app) }) {
				used = append(used, n.id)
			}
		}
		slices.Sort(used)
		p.decide(core.Decision{Type: core.WindowOpened, ID: w.id, Nodes: used})
	}
}

// windowTimes lists the starts and ends of windows.
func (p *partition) windowTimes() (all []time.Duration) {
	for _, w := range p.windows {
		if w.opened {
			all = append(all, w.until)
		} else {
			all = append(all, w.from)
		}
	}
	return all
}

// reloadWindows applies the windows of the configuration. Those that have not changed stay.
func (p *partition) reloadWindows() {
	for _, w := range slices.Clone(p.windows) {
		if w.conf != nil && !slices.ContainsFunc(p.settings.Windows, func(c *config.Window) bool { return describe(c) == describe(w.conf) }) {
			p.endWindow(w)
		}
	}
	for _, c := range p.settings.Windows {
		at := slices.IndexFunc(p.windows, func(w *window) bool { return w.id == c.ID })
		if at >= 0 {
			continue
		}
		w := &window{id: c.ID, nodes: c.Nodes, queues: c.Queues, users: c.Users, groups: c.Groups, conf: c}
		w.renew(p.now)
		p.windows = append(p.windows, w)
	}
	p.chooseNodes()
	p.openWindows()
}

// describe returns a text that is equal for equal windows of a configuration.
func describe(c *config.Window) string {
	own := config.Config{Partitions: []*config.Partition{{Name: "p", Root: config.Default().Partitions[0].Root, Windows: []*config.Window{c}}}}
	return string(own.Print())
}

// endBarredByWindows ends, each time the cycle restarts, the claims, the reservations and what is held for a gang, where windows no longer let the
// asks be placed.
func (p *partition) endBarredByWindows() {
	for _, c := range slices.Clone(p.claims) {
		if p.claimOf(c.ask) != nil && !p.isOpenTo(c.node, c.ask) {
			p.lapse(c.ask, core.ReasonWindow)
		}
	}
	for _, r := range slices.Clone(p.reservations) {
		if !p.isOpenTo(r.node, r.ask) {
			p.unreserve(r.ask, core.ReasonWindow)
		}
	}
	if p.accumulating == nil {
		return
	}
	barred := slices.DeleteFunc(slices.Clone(p.accumulating.held), func(held part) bool { return p.isOpenTo(held.node, held.ask) })
	slices.SortStableFunc(barred, func(a, b part) int { return p.compareInApp(a.ask, b.ask) })
	for _, held := range barred {
		p.dropHeldFor(held.ask, core.ReasonWindow)
	}
}

// compareInApp compares asks of an application in its order.
func (p *partition) compareInApp(a, b *ask) int {
	order := a.app.pending()
	return cmp.Compare(slices.Index(order, a), slices.Index(order, b))
}

// windowRefusals lists the windows of a configuration whose IDs other windows have.
func (o *Oracle) windowRefusals(configured []*config.Partition) (list []string) {
	for _, c := range configured {
		for _, of := range c.Windows {
			if _, w := o.findWindow(of.ID); w != nil && w.conf == nil {
				list = append(list, of.ID)
			}
		}
	}
	return list
}
