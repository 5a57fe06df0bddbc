package explain

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core"
)

// LimitShortfall is a limit that bars an ask, or keeps its application from starting.
type LimitShortfall struct {
	Reason  core.Reason // WaitUserLimit, WaitGroupLimit, WaitUserMaxApps or WaitGroupMaxApps
	Queue   string      // the queue with the limit
	Name    string      // the user or the group
	Type    string      // resource type; empty for applications
	Limit   int64       // the limit: an amount, or a number of applications
	Used    int64       // usage that counts towards it, including claims
	Missing int64       // positive
	Milli   bool        `json:",omitempty"` // the amounts are thousandths of a device
}

// String describes the limit without a full stop: user bob lacks 2 vcore in root.a (limit 4, used 3).
func (l *LimitShortfall) String() string {
	kind := "user"
	if l.Reason == WaitGroupLimit || l.Reason == WaitGroupMaxApps {
		kind = "group"
	}
	name := l.Name
	if name == "" {
		name = `""`
	}
	if l.Type == "" {
		return fmt.Sprintf("%s %s is at maxapplications in %s (limit %d, used %d)", kind, name, l.Queue, l.Limit, l.Used)
	}
	return fmt.Sprintf("%s %s lacks %s in %s (limit %s, used %s)", kind, name, readable(l.Type, l.Milli, l.Missing), l.Queue,
		amount(l.Type, l.Milli, l.Limit), amount(l.Type, l.Milli, l.Used))
}

// limitsText returns a sentence about the limits that bar an ask, or "".
func limitsText(list []LimitShortfall) string {
	if len(list) == 0 {
		return ""
	}
	lead := " A limit bars it: "
	if len(list) > 1 {
		lead = " Limits bar it: "
	}
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = list[i].String()
	}
	return lead + strings.Join(texts, "; ") + "."
}
