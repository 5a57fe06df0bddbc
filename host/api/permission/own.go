package permission

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
)

// forceTag has an application taken in where no queue is open to it, tags that begin with quotaTags set the amounts of queues, and those
// that begin with hostTags are the host's: they say whose an application is. They are for resource managers and operators.
const (
	forceTag  = "application.create.force"
	quotaTags = "namespace."
	hostTags  = "quern/"
)

// own has an input be that of its sender. Who says nothing of users is not misunderstood; who names another one is refused.
func (s *Sender) own(i int, in *core.Input) error {
	c := s.caller
	if in.By != "" && in.By != c.User {
		return refused(i, in, "by names another user")
	}
	app, ok := in.Event.(*core.AddApp)
	if !ok {
		return overrun(i, in)
	}
	if app.User != "" && app.User != c.User {
		return refused(i, in, "user names another user")
	}
	if len(app.Groups) > 0 && !slices.Equal(app.Groups, c.Groups) {
		return refused(i, in, "groups are not yours")
	}
	for tag := range app.Tags {
		switch {
		case tag == forceTag || strings.HasPrefix(tag, quotaTags):
			return refused(i, in, "tags that open or size queues need another role")
		case strings.HasPrefix(tag, hostTags):
			return refused(i, in, "tags that begin with "+hostTags+" need another role")
		}
	}
	own := *app
	own.User, own.Groups = c.User, slices.Clone(c.Groups)
	in.Event = &own
	return nil
}
