package importrules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// harmless are the types that may be returned although they lead to shared memory, with the reason.
var harmless = map[string]string{
	"config.Partition":           "a configuration is immutable once it is decoded",
	"*config.Queue":              "a configuration is immutable once it is decoded",
	"*config.Window":             "a configuration is immutable once it is decoded",
	"core.Options":               "what the host has given; its modules are the host's",
	"*policy.Acting":             "a policy in force, through which its callers ask it",
	"resource.Set":               "a set is never changed after it is made: inputs, classes and decisions share it",
	"[]core.DeviceAsk":           "what an ask gets of devices is never changed after it is made, as a set",
	"[]core.PlacedDevices":       "the devices of an allocation are never changed after they are chosen: decisions share them",
	"*class.Notes":               "what the walk remembers of a class, which is no state",
	"*explain.VictimExplanation": "a new explanation, which the called function fills in",
	"explain.VictimExplanation":  "part of a decision, which belongs to its receiver",
}

// assignable are the types to which pointers may be returned, with the reason: a whole value can be assigned through a pointer, whatever
// fields it has. Other types are views, which are values.
var assignable = map[string]string{
	"*device.Node":  "an immutable value: every change of devices makes another one",
	"*state.State":  "the walk and preemption decide through its methods",
	"*state.Shared": "a fork, which belongs to its caller",
	"*state.Frozen": "a version, which belongs to its caller",
}

// copies are the methods that return a slice, a map or a pointer of the caller's own, made at each call.
var copies = strings.Fields(`
	aged.View.All aged.View.Record aged.View.Users
	apps.View.Groups apps.View.Placement apps.View.Tags apps.View.Used apps.View.Waiting
	app.application.Groups app.application.Placement app.application.StayingPlaceholders app.application.Tags app.application.Used app.application.Waiting app.Unit.Spare
	class.registry.InUse
	device.Node.Dump device.Node.Lists device.Node.Occupied device.Node.Types
	domain.View.Path
	gangs.View.Staying gangs.View.StartedSets gangs.View.Succeeded
	limit.table.Of
	nodes.View.Attributes nodes.View.Capacity nodes.View.Occupied nodes.View.Total nodes.View.Used
	queues.View.AllUsed queues.View.AllWaiting queues.View.Excess queues.View.ExcessOver
	readonly.List[T].Clone resource.Amounts.Clone resource.typeTable.Sorted resource.typeTable.Vec
	state.Admission.Outcome state.Shared.Answered state.Shared.Collect state.Shared.DeviceTypes state.Shared.Names state.Shared.PolicyUses
	state.Shared.Predicates state.Shared.Present state.Shared.Snapshot state.Shared.TakeDecisions
	state.State.NodeWeights state.State.PendingBySubmission state.State.PendingOf state.State.RoundsDue state.State.WaitingSet
	plans.View.OfGang state.State.FirstMembers state.State.PlanOfGang state.State.PlannedStart state.State.PlansWith
`)

// What package state lets others read leads to no memory of the state that they could write.
func TestReaders_ReturnNothingToChange(t *testing.T) {
	_, from := sources()
	pkg, err := from.Import(Module + "/core/internal/state")
	if err != nil {
		t.Fatal(err)
	}
	r := reachFrom(types.NewPointer(pkg.Scope().Lookup("State").Type()))
	for _, found := range r.found {
		t.Error(found)
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(harmless)), slices.Sorted(maps.Keys(assignable)), copies) {
		if !r.used[name] {
			t.Errorf("nothing needs the exemption of %s", name)
		}
	}
}

func TestReach_FindsWhatLeads(t *testing.T) {
	set, _ := sources()
	file, err := parser.ParseFile(set, "leak.go", `package sample

type Row struct{ Count int }
type inner struct{ rows []Row }
type View struct{ *inner }
type Pair struct{ Name string; Rows []Row }

func (v View) Len() int { return len(v.rows) }
func (v View) At(i int) Row { return v.rows[i] }
func (v View) Slice() []Row { return v.rows }
func (v View) Pointer(i int) *Row { return &v.rows[i] }
func (v View) View() *View { return &v }
func (v View) Names() map[string]int { return nil }
func (v View) Pair() Pair { return Pair{} }
func (v View) All(yield func(Row) bool) {}
func (v View) Each(yield func(*Row) bool) {}
func (v View) Chunks() func(yield func([]Row) bool) { return nil }
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("sample", set, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var from []string
	for _, found := range reachFrom(pkg.Scope().Lookup("View").Type()).found {
		from = append(from, found[:strings.Index(found, ":")])
	}
	slices.Sort(from)
	want := strings.Fields("sample.Pair.Rows sample.View.Chunks sample.View.Each sample.View.Names sample.View.Pointer sample.View.Slice sample.View.View")
	if from = slices.Compact(from); !slices.Equal(from, want) {
		t.Errorf("found %q, expected %q", from, want)
	}
}

// reachFrom checks all that the methods of a type lead to.
func reachFrom(t types.Type) *reach {
	r := &reach{seen: map[string]bool{}, used: map[string]bool{}}
	r.methods(t)
	return r
}

// reach follows what exported methods return.
type reach struct {
	seen, used map[string]bool // types, and exemptions
	found      []string
}

// methods checks what the exported methods of a type return or yield.
func (r *reach) methods(t types.Type) {
	for m := range types.NewMethodSet(t).Methods() {
		f, ok := m.Obj().(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		signature := f.Origin().Signature()
		name := strings.TrimPrefix(short(signature.Recv().Type()), "*") + "." + f.Name()
		signature = f.Signature()
		for v := range signature.Results().Variables() {
			r.value(name, v.Type())
		}
		for v := range signature.Params().Variables() {
			if yield, ok := v.Type().Underlying().(*types.Signature); ok {
				r.yielded(name, yield)
			}
		}
	}
}

// yielded checks what a method calls a function with.
func (r *reach) yielded(from string, yield *types.Signature) {
	for v := range yield.Params().Variables() {
		r.value(from, v.Type())
	}
}

// value checks a type that a method returns.
func (r *reach) value(from string, t types.Type) {
	name := short(t)
	if _, ok := harmless[name]; ok || slices.Contains(copies, from) {
		r.used[name], r.used[from] = true, true
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Interface:
	case *types.Struct:
		r.fields(from, t, u)
	case *types.Pointer:
		r.pointer(from, t, u)
	case *types.Signature: // an iterator, or what reads one thing
		r.iterator(from, u)
	default:
		r.found = append(r.found, fmt.Sprintf("%s: %s leads to what it is read from", from, name))
	}
}

// pointer checks a pointer, through which its struct must not be assigned, or fields of it.
func (r *reach) pointer(from string, t types.Type, p *types.Pointer) {
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || slices.ContainsFunc(slices.Collect(s.Fields()), (*types.Var).Exported) {
		r.found = append(r.found, fmt.Sprintf("%s: what %s points to can be written", from, short(t)))
		return
	}
	if _, ok := assignable[short(t)]; !ok {
		r.found = append(r.found, fmt.Sprintf("%s: what %s points to can be replaced", from, short(t)))
	}
	r.used[short(t)] = true
	r.fields(from, t, s)
}

// iterator checks what a returned function returns or yields.
func (r *reach) iterator(from string, f *types.Signature) {
	for v := range f.Results().Variables() {
		r.value(from, v.Type())
	}
	for v := range f.Params().Variables() {
		if yield, ok := v.Type().Underlying().(*types.Signature); ok {
			r.yielded(from, yield)
		}
	}
}

// fields checks the exported fields of a struct, and its methods.
func (r *reach) fields(from string, t types.Type, s *types.Struct) {
	if r.seen[short(t)] {
		return
	}
	r.seen[short(t)] = true
	for v := range s.Fields() {
		if v.Exported() {
			r.value(short(t)+"."+v.Name(), v.Type())
		}
	}
	r.methods(t)
}

// short is the name of a type without the path of its package.
func short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
