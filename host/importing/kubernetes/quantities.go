package kubernetes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/kubelabels"
)

// amounts are stored units by the name of a resource as journals call it.
type amounts map[string]int64

// amounts reads quantities, rounded up as Kubernetes does; the path is where they stand.
func (i *item) amounts(q quantities, path ...any) amounts {
	all := make(amounts, len(q))
	for _, name := range slices.Sorted(maps.Keys(q)) {
		value, err := resource.ParseUp(kubelabels.TypeOf(name), string(q[name]))
		switch {
		case name == "":
			i.refuse("the name of a resource", name, path...)
		case err != nil:
			i.fail(err, append(slices.Clip(path), name)...)
		}
		all[kubelabels.TypeOf(name)] = value
	}
	return all
}

// fail notes what is wrong with a value.
func (i *item) fail(err error, path ...any) {
	var e importing.Error
	i.note(e.Because(err), path)
}

// refuse notes that a value is not what was expected.
func (i *item) refuse(expected, found string, path ...any) {
	i.note(&importing.Error{Expected: expected, Found: importing.Quote(found)}, path)
}

// note adds an error about the value at a path.
func (i *item) note(e *importing.Error, path []any) {
	e.File, e.Line, e.Key = i.file, i.line+lineOf(i.raw, path), i.name()+": "+keyOf(path)
	i.errs = append(i.errs, e)
}

// name is what messages call the object.
func (i *item) name() string {
	name := i.Metadata.Name
	if i.Metadata.Namespace != "" {
		name = i.Metadata.Namespace + "/" + name
	}
	return i.Kind + " " + name
}

func keyOf(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			fmt.Fprint(&b, step)
		}
	}
	return b.String()
}

// add adds other amounts, at most as much as there can be.
func (a amounts) add(others amounts) {
	for name, value := range others {
		a[name] = resource.Add(a[name], value)
	}
}

// atLeast raises amounts to others.
func (a amounts) atLeast(others amounts) {
	for name, value := range others {
		a[name] = max(a[name], value)
	}
}

// set returns the amounts without those that are zero.
func (a amounts) set() resource.Set {
	list := make([]resource.Quantity, 0, len(a))
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if a[name] != 0 {
			list = append(list, resource.Quantity{Type: name, Value: a[name]})
		}
	}
	return resource.NewSet(list...)
}

// pods is the resource that counts pods: every one takes one.
const pods = "pods"

// Of a container that runs beside the others although it is an init container.
const restartAlways = "Always"

// requests are what a pod takes on its node, as Kubernetes counts: its containers and sidecars together, or what the largest
// step of its start needs if that is more; what the pod as a whole asks for goes before that; and the overhead.
func (i *item) requests() amounts {
	total := amounts{}
	for n, c := range i.Spec.Containers {
		total.add(i.container(c, i.Status.ContainerStatuses, "spec", "containers", n))
	}
	start, sidecars := amounts{}, amounts{}
	for n, c := range i.Spec.InitContainers {
		own := i.container(c, i.Status.InitContainerStatuses, "spec", "initContainers", n)
		if c.RestartPolicy == restartAlways {
			total.add(own)
			sidecars.add(own)
			own = amounts{}
		}
		own.add(sidecars)
		start.atLeast(own)
	}
	total.atLeast(start)
	whole := i.amounts(i.Spec.Resources.Requests, "spec", "resources", "requests")
	maps.Copy(total, whole)
	total.add(i.amounts(i.Spec.Overhead, "spec", "overhead"))
	total[pods] = 1
	return total
}

// container is what a container takes: what it asks for, or what it still has where it is being resized to less.
func (i *item) container(c container, statuses []containerStatus, path ...any) amounts {
	own := i.amounts(c.Resources.Requests, append(slices.Clip(path), "resources", "requests")...)
	n := slices.IndexFunc(statuses, func(s containerStatus) bool { return s.Name == c.Name })
	if n < 0 {
		return own
	}
	where := "containerStatuses"
	if path[1] == "initContainers" {
		where = "initContainerStatuses"
	}
	now := i.amounts(statuses[n].Resources.Requests, "status", where, n, "resources", "requests")
	now.atLeast(i.amounts(statuses[n].AllocatedResources, "status", where, n, "allocatedResources"))
	if i.resizeInfeasible() && len(now) > 0 {
		return now
	}
	own.atLeast(now)
	return own
}

// resizeInfeasible reports whether the node can never give the pod what it asks for now.
func (i *item) resizeInfeasible() bool {
	return slices.ContainsFunc(i.Status.Conditions, func(c condition) bool { return c.Type == "PodResizePending" && c.Reason == "Infeasible" })
}
