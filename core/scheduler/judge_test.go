package scheduler_test

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// judge is a policy that answers with a function of a row's columns, and records its questions.
type judge struct {
	answer func(b *policy.Batch, row int32, keys []float64)
	fault  error // its answer while it is not nil
	asked  []string
}

func (j *judge) Eval(b *policy.Batch) error {
	names := make([]string, 0, len(b.Rows))
	for _, row := range b.Rows {
		names = append(names, b.Items.Name(row))
	}
	j.asked = append(j.asked, strings.Join(names, ","))
	if j.fault != nil {
		return j.fault
	}
	for _, row := range b.Rows {
		j.answer(b, row, b.Out[int(row)*b.Keys:(int(row)+1)*b.Keys])
	}
	return nil
}

// questions returns the rows of each call since the last call of questions.
func (j *judge) questions() string {
	out := strings.Join(j.asked, " ")
	j.asked = nil
	return out
}

// byColumn answers with the columns in the order of declaration.
func byColumn(b *policy.Batch, row int32, keys []float64) {
	for k := range keys {
		keys[k] = b.Cols[k][row]
	}
}

// panel finds judges by name.
func panel(judges map[string]*judge) core.Options {
	return core.Options{Evaluator: func(m core.Announcement) policy.Evaluator {
		if j := judges[m.Name]; j != nil {
			return j
		}
		return nil
	}}
}

// manifest returns a manifest with one point.
func manifest(name string, point policy.Point, keys int, depends policy.Dependence, columns ...string) string {
	return fmt.Sprintf(`{"name":%q,"points":{%s}}`, name, declared(point, keys, depends, "", columns...))
}

func declared(point policy.Point, keys int, depends policy.Dependence, fallback string, columns ...string) string {
	quoted := make([]string, 0, len(columns))
	for _, c := range columns {
		quoted = append(quoted, fmt.Sprintf("%q", c))
	}
	return fmt.Sprintf(`%q:{"columns":[%s],"keys":%d,"depends":%q,"fallback":%q}`, point, strings.Join(quoted, ","), keys, depends, fallback)
}
