package yunikorn

import (
	"net/http"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// bound is a limit of a user or a group in a queue.
type bound struct {
	max          amounts
	applications uint64
}

// usageTree adds up what a user or a group uses, by queue.
type usageTree struct {
	root   *resourceUsage
	byPath map[string]*resourceUsage
}

// of is the usage in a queue, which is made where it is not there, and so are those above.
func (t *usageTree) of(path string) *resourceUsage {
	if u := t.byPath[path]; u != nil {
		return u
	}
	u := &resourceUsage{QueuePath: path, ResourceUsage: amounts{}, RunningApplications: []string{}, MaxResources: amounts{}, Children: []*resourceUsage{}}
	if t.byPath == nil {
		t.byPath = map[string]*resourceUsage{}
	}
	t.byPath[path] = u
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		above := t.of(path[:i])
		above.Children = append(above.Children, u)
	} else {
		t.root = u
	}
	return u
}

// add counts an application in its queue and all above.
func (t *usageTree) add(item *core.AppItem) {
	for path := item.Queue; ; {
		u := t.of(path)
		u.ResourceUsage.add(item.Used)
		if isRunning(item.State) {
			u.RunningApplications = append(u.RunningApplications, item.ID)
		}
		i := strings.LastIndexByte(path, '.')
		if i < 0 {
			return
		}
		path = path[:i]
	}
}

// bind adds the limits.
func (t *usageTree) bind(limits map[string]bound) {
	for path, b := range limits {
		if u := t.byPath[path]; u != nil {
			u.MaxResources, u.MaxApplications = b.max, b.applications
		}
	}
	for _, u := range t.byPath {
		slices.SortFunc(u.Children, func(a, b *resourceUsage) int { return strings.Compare(a.QueuePath, b.QueuePath) })
	}
}

// usage is what the users and the groups of a partition use.
type usage struct {
	users  map[string]*userTally
	groups map[string]*groupTally
}

type userTally struct {
	usageTree
	groups map[string]string
	limits map[string]bound
}

type groupTally struct {
	usageTree
	applications []string
	limits       map[string]bound
}

func (u *usage) user(name string) *userTally {
	if u.users[name] == nil {
		u.users[name] = &userTally{groups: map[string]string{}, limits: map[string]bound{}}
	}
	return u.users[name]
}

func (u *usage) group(name string) *groupTally {
	if u.groups[name] == nil {
		u.groups[name] = &groupTally{limits: map[string]bound{}}
	}
	return u.groups[name]
}

// usageOf adds up what the live applications of a partition use: of one user, or with an empty name of all. A group is what
// applications count for, since a limit names it.
func (a *API) usageOf(p *partition, name string) *usage {
	u := &usage{users: map[string]*userTally{}, groups: map[string]*groupTally{}}
	var part []core.AppItem
	bounds := map[string][]core.LimitUsage{} // of an application that has a user and a group
	a.parts(core.Where{User: name}, func(s *scheduler.Scheduler, page *core.Page) (core.Key, bool) {
		list := s.Apps(page)
		for _, item := range list.Items {
			if isTerminal(item.State) || item.Partition != p.shown {
				continue
			}
			part = append(part, item)
			if key := item.User + "\x00" + item.Group + "\x00" + item.Queue; bounds[key] == nil {
				bounds[key] = orEmptyList(s.AppLimits(item.ID))
				u.learn(&item, bounds[key])
			}
		}
		return list.Next, list.More
	}, func() bool {
		for i := range part {
			u.add(&part[i])
		}
		part = part[:0]
		return true
	})
	u.bind()
	return u
}

// learn takes over the limits that hold for an application.
func (u *usage) learn(item *core.AppItem, limits []core.LimitUsage) {
	for _, l := range limits {
		b := bound{amountsOf(l.Max), l.MaxApplications}
		if l.Group {
			u.group(item.Group).limits[l.Queue] = b
		} else {
			u.user(item.User).limits[l.Queue] = b
		}
	}
}

func (u *usage) add(item *core.AppItem) {
	user := u.user(item.User)
	user.add(item)
	if item.Group != "" {
		user.groups[item.ID] = item.Group
		g := u.group(item.Group)
		g.add(item)
		g.applications = append(g.applications, item.ID)
	}
}

func (u *usage) bind() {
	for _, t := range u.users {
		t.bind(t.limits)
	}
	for _, t := range u.groups {
		t.bind(t.limits)
	}
}

func (t *userTally) object(name string) userUsage { return userUsage{name, t.groups, t.root} }

func (t *groupTally) object(name string) groupUsage {
	return groupUsage{name, orEmptyList(t.applications), t.root}
}

func (a *API) users(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	u := a.usageOf(&p, "")
	list := []userUsage{}
	for _, name := range sortedKeys(u.users) {
		list = append(list, u.users[name].object(name))
	}
	return answer(w, list)
}

func (a *API) user(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	name, err := identifier(r, "user")
	if err != nil {
		return err
	}
	t := a.usageOf(&p, name).users[name]
	if t == nil {
		return notFound("User not found: no application of %q is there", name)
	}
	return answer(w, t.object(name))
}

func (a *API) groups(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	u := a.usageOf(&p, "")
	list := []groupUsage{}
	for _, name := range sortedKeys(u.groups) {
		list = append(list, u.groups[name].object(name))
	}
	return answer(w, list)
}

func (a *API) group(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	name, err := identifier(r, "group")
	if err != nil {
		return err
	}
	t := a.usageOf(&p, "").groups[name]
	if t == nil {
		return notFound("Group not found: no application counts for %q", name)
	}
	return answer(w, t.object(name))
}
