package yunikorn

import (
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// The view is held for one part at a time.
const (
	partObjects = 100  // of a part
	partWork    = 1000 // as core.Page counts it: about half a millisecond
)

func lower(name string) string { return strings.ToLower(name) }

// parts reads a list part by part. read reads one, and says where the next begins; take takes it in while the view is held, and
// between handles what was taken while it is not. Both say whether to go on.
func (a *API) parts(where core.Where, read func(*scheduler.Scheduler, *core.Page) (next core.Key, more bool), between func() bool) {
	page := core.Page{Limit: partObjects, Work: partWork, Where: where}
	for more := true; more; {
		a.view.Read(func(s *scheduler.Scheduler) { page.After, more = read(s, &page) })
		if !between() {
			return
		}
	}
}
