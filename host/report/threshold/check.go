package threshold

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/report/summary"
)

// check returns a sentence if the run fails.
func (c *Condition) check(s *summary.Summary) (string, error) {
	switch c.scope {
	case ofQueue:
		return c.queues(s)
	case ofPriority:
		return c.priorities(s)
	case ofUser:
		return c.users(s)
	}
	w := worst{c: c}
	w.try("", &subject{summary: s, waits: s.Waits(), jobs: &s.Jobs, typ: c.typ})
	return w.text(), nil
}

func (c *Condition) queues(s *summary.Summary) (string, error) {
	w, found := worst{c: c, more: "queues"}, false
	var paths []string
	parents := parentsOf(s.Queues)
	for i := range s.Queues {
		q := &s.Queues[i]
		paths = append(paths, q.Path)
		if c.name == q.Path || c.name == every && !parents[q.Path] {
			found = true
			w.try("queue "+q.Path, &subject{summary: s, queue: q, times: s.Usage.Queue(q.Path), waits: &q.Waits, jobs: &q.Jobs, typ: c.typ})
		}
	}
	if !found {
		err := fmt.Errorf("there is no queue %s at the end of the run", c.name)
		if near := similar(c.name, paths); near != "" {
			err = fmt.Errorf("%w; did you mean %s?", err, near)
		}
		return "", err
	}
	return w.text(), nil
}

// parentsOf are the paths of queues that have children.
func parentsOf(queues []ledger.QueueSummary) map[string]bool {
	parents := map[string]bool{}
	for i := range queues {
		if dot := strings.LastIndexByte(queues[i].Path, '.'); dot >= 0 {
			parents[queues[i].Path[:dot]] = true
		}
	}
	return parents
}

// priorities looks at the waits of a priority; of one that no ask had there are none.
func (c *Condition) priorities(s *summary.Summary) (string, error) {
	w, found, others := worst{c: c, more: "priorities"}, false, false
	for i := range s.Usage.Priorities {
		p := &s.Usage.Priorities[i]
		name := strconv.Itoa(int(p.Priority))
		others = others || p.Others
		if p.Others || c.name != every && !samePriority(c.name, p.Priority) {
			continue
		}
		found = true
		w.try("priority "+name, &subject{summary: s, waits: &p.Waits, typ: c.typ})
	}
	if !found && others {
		return "", fmt.Errorf("there are too many priorities: priority %s is not counted by itself", c.name)
	}
	if !found && c.name != every {
		w.try("priority "+c.name, &subject{summary: s, waits: &ledger.Waits{}, typ: c.typ})
	}
	return w.text(), nil
}

func samePriority(name string, p int32) bool {
	n, err := strconv.ParseInt(name, 10, 32)
	return err == nil && int32(n) == p
}

// worst is what is farthest beyond the limit, of those that are.
type worst struct {
	c     *Condition
	more  string // what the others are called
	count int
	of    string
	value int64
}

func (w *worst) try(of string, s *subject) {
	value := w.c.figure.in(w.c.scope)(s)
	if !holds(value, w.c.op, w.c.limit) {
		return
	}
	w.count++
	further := value > w.value
	if strings.HasPrefix(w.c.op, "<") {
		further = value < w.value
	}
	if w.count == 1 || further {
		w.of, w.value = of, value
	}
}

func holds(value int64, op string, limit int64) bool {
	switch op {
	case ">":
		return value > limit
	case ">=":
		return value >= limit
	case "<":
		return value < limit
	case "<=":
		return value <= limit
	case "==":
		return value == limit
	}
	return value != limit
}

// relations say how a value stands to its limit.
var relations = map[string]string{">": "above", ">=": "at or above", "<": "below", "<=": "at or below", "==": "equal to", "!=": "other than"}

func (w *worst) text() string {
	if w.count == 0 {
		return ""
	}
	name := w.c.figure.name
	if w.c.figure.typed {
		base, rest, cut := strings.Cut(name, ".")
		if name = base + "[" + w.c.typ + "]"; cut {
			name += "." + rest
		}
	}
	if w.of != "" {
		name += " of " + w.of
	}
	value, limit := w.c.pretty(w.value), w.c.pretty(w.c.limit)
	if value == limit && w.value != w.c.limit {
		value, limit = w.c.exact(w.value), w.c.exact(w.c.limit)
	}
	text := fmt.Sprintf("%s is %s, %s the limit of %s", name, value, relations[w.c.op], limit)
	if w.count > 1 {
		text += fmt.Sprintf(" (the worst of %d %s)", w.count, w.more)
	}
	return text
}

// pretty writes a value for people, who can bear rounding.
func (c *Condition) pretty(v int64) string {
	switch c.figure.kind {
	case aSpan:
		return format.Duration(time.Duration(v))
	case aShare:
		return strconv.FormatInt(v/(resource.ShareUnit/100), 10) + " %"
	case aAmount:
		return resource.Rounded(c.typ, v)
	}
	return c.exact(v)
}

// exact writes a value without rounding.
func (c *Condition) exact(v int64) string {
	switch c.figure.kind {
	case aSpan:
		return time.Duration(v).String()
	case aShare:
		return fraction(v, resource.ShareUnit/100, 7) + " %"
	case aAmount:
		return resource.Format(c.typ, v)
	}
	return fraction(v, 1000, 3)
}

// fraction writes a quotient whose divisor is a power of ten.
func fraction(v, divisor int64, decimals int) string {
	text := format.Grouped(int(v / divisor))
	if rest := v % divisor; rest != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%0*d", decimals, rest), "0")
	}
	return text
}
