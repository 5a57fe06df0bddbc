package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/features"
)

// remote drives a machine behind a caller. What cannot be passed on ends the scenario by a panic: a Driver has no errors.
type remote struct {
	*remotes
	id       int
	now      time.Duration
	deadline *time.Duration
	made     []core.Decision
}

// remotes makes drivers over one module, one machine at a time.
type remotes struct {
	call caller
	last int // the machine of the scenario before
}

// Driver is a features.Factory.
func (r *remotes) Driver() (features.Driver, error) {
	if r.last != 0 {
		ask[struct{}](r.call, fields{"op": "free", "id": r.last}, nil)
	}
	made, _ := ask[struct{ ID int }](r.call, fields{"op": "machine.new"}, nil)
	r.last = made.ID
	return &remote{remotes: r, id: made.ID}, nil
}

type fields map[string]any

// ask serves a request that must not be refused, and reads the answer.
func ask[Answer any](call caller, head fields, body []byte) (Answer, []byte) {
	var answer Answer
	request, err := json.Marshal(head)
	if err != nil {
		panic(err)
	}
	out, err := call(append(append(request, '\n'), body...))
	if err != nil {
		panic(err)
	}
	line, rest, _ := bytes.Cut(out, []byte("\n"))
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var said map[string]any
	if err := d.Decode(&said); err != nil {
		panic(fmt.Sprintf("%v in %.300q", err, line))
	}
	if refused := said["error"]; refused != nil {
		panic(fmt.Sprintf("%s: %v", request, refused))
	}
	fill(reflect.ValueOf(&answer).Elem(), said)
	return answer, rest
}

func (r *remote) ask(op string, more fields, body []byte) stand {
	head := fields{"op": "machine." + op, "id": r.id, "take": true}
	for k, v := range more {
		head[k] = v
	}
	s, decisions := ask[stand](r.call, head, body)
	r.stand(s, decisions)
	return s
}

// stand is where a machine stands, as it answers.
type stand struct {
	Now      time.Duration
	Deadline *time.Duration
	Made     int
	Refused  []core.Reason
}

func (r *remote) stand(s stand, decisions []byte) {
	r.now, r.deadline = s.Now, s.Deadline
	for line := range bytes.Lines(decisions) {
		r.made = append(r.made, decisionOf(line))
	}
}

func (r *remote) Now() time.Duration { return r.now }

func (r *remote) Deadline() (time.Duration, bool) {
	if r.deadline == nil {
		return 0, false
	}
	return *r.deadline, true
}

func (r *remote) Advance(to time.Duration) { r.ask("advance", fields{"to": int64(to)}, nil) }

func (r *remote) Apply(in *core.Input) core.Reason {
	var line bytes.Buffer
	e := journal.NewEncoder(&line, journal.Relative)
	if err := e.Entry(&journal.Entry{Input: *in, Count: 1}); err != nil {
		panic(err)
	}
	if err := e.Flush(); err != nil {
		panic(err)
	}
	return r.ask("apply", nil, line.Bytes()).Refused[0]
}

func (r *remote) Cycle(limit int) int {
	s, decisions := ask[stand](r.call, fields{"op": "machine.cycle", "id": r.id, "take": true, "limit": limit}, nil)
	r.stand(s, decisions)
	return s.Made
}

func (r *remote) Take() []core.Decision {
	made := r.made
	r.made = nil
	return made
}

func (r *remote) Dump() core.Dump {
	state, _ := ask[struct {
		core.Dump
		Gangs       []core.GangDump
		DeviceTypes []string
	}](r.call, fields{"op": "state", "id": r.id}, nil)
	inThousandths(reflect.ValueOf(&state.Dump), state.DeviceTypes)
	return state.Dump
}

// inThousandths marks the amounts of some types, wherever they are.
func inThousandths(v reflect.Value, types []string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			inThousandths(v.Elem(), types)
		}
	case reflect.Slice:
		for i := range v.Len() {
			inThousandths(v.Index(i), types)
		}
	case reflect.Struct:
		if q, ok := v.Addr().Interface().(*resource.Quantity); ok {
			q.Milli = slices.Contains(types, q.Type)
			return
		}
		for i := range v.NumField() {
			inThousandths(v.Field(i), types)
		}
	}
}

// explanation reads an explanation of a kind.
func explanation[E any](r *remote, kind, name string) (E, bool) {
	a, _ := ask[struct {
		Found       bool
		Meant       []string
		Explanation E
	}](r.call, fields{"op": "explain", "id": r.id, "kind": kind, "name": name}, nil)
	return a.Explanation, a.Found
}

func (r *remote) ExplainAsk(id string) (explain.AskExplanation, bool) {
	return explanation[explain.AskExplanation](r, "ask", id)
}

func (r *remote) ExplainApp(id string) (explain.AppExplanation, bool) {
	return explanation[explain.AppExplanation](r, "application", id)
}

func (r *remote) ExplainQueue(path string) (explain.QueueExplanation, bool) {
	return explanation[explain.QueueExplanation](r, "queue", path)
}

func (r *remote) ExplainPreemption(id string) (explain.PreemptionExplanation, bool) {
	return explanation[explain.PreemptionExplanation](r, "preemption", id)
}

func (r *remote) Consolidate(id string) (explain.Consolidation, bool) {
	return explanation[explain.Consolidation](r, "consolidation", id)
}

func (r *remote) ExplainPlacement(in *core.AddApp) explain.PlacementExplanation {
	e, _ := ask[explain.PlacementExplanation](r.call, fields{
		"op": "placement", "id": r.id, "partition": in.Partition, "queue": in.Queue, "user": in.User, "groups": in.Groups, "tags": in.Tags,
	}, nil)
	return e
}

func (r *remote) LimitUsage() []core.LimitUsage {
	a, _ := ask[struct{ Usage []core.LimitUsage }](r.call, fields{"op": "limits", "id": r.id}, nil)
	return a.Usage
}

// unasked are the scenarios that ask what no operation answers, or say what no line of a journal can.
const unasked = "(@queries or @no-line)"

func (r *remote) ExplainMax(string, resource.Set) (explain.MaxExplanation, bool) {
	panic("no operation says what another max would take")
}

func (r *remote) Access(string, string, []string) (explain.AccessExplanation, bool) {
	panic("no operation says what a user may do")
}

func (r *remote) Restored() (features.Driver, error) {
	_, kept := ask[struct{}](r.call, fields{"op": "snapshot", "id": r.id}, nil)
	made, _ := ask[struct{ ID int }](r.call, fields{"op": "machine.restore"}, kept)
	ask[struct{}](r.call, fields{"op": "free", "id": r.id}, nil)
	r.last = made.ID
	next := &remote{remotes: r.remotes, id: made.ID}
	next.stand(ask[stand](r.call, fields{"op": "machine.take", "id": made.ID}, nil))
	return next, nil
}

// decisionOf reads a line of decisions.
func decisionOf(line []byte) core.Decision {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var said map[string]any
	if err := d.Decode(&said); err != nil {
		panic(fmt.Sprintf("%v in %.300q", err, line))
	}
	for _, key := range []string{"at", "start"} {
		text, ok := said[key].(string)
		if !ok {
			continue
		}
		at, err := time.ParseDuration(text)
		if err != nil {
			panic(err)
		}
		said[key] = json.Number(strconv.FormatInt(int64(at), 10))
	}
	if amounts, ok := said["resources"].(map[string]any); ok && amounts[resource.VCore] != nil {
		amounts[resource.VCore] = json.Number(strings.TrimSuffix(amounts[resource.VCore].(string), "m"))
	}
	inDevices := map[string]bool{}
	if amounts, ok := said["resources"].(map[string]any); ok {
		for typ, amount := range amounts {
			if text, is := amount.(string); is {
				amounts[typ], inDevices[typ] = json.Number(strings.TrimSuffix(text, "m")), true
			}
		}
	}
	devices, _ := said["devices"].(map[string]any)
	delete(said, "devices")
	var made core.Decision
	fill(reflect.ValueOf(&made).Elem(), said)
	for i := range made.Resources {
		made.Resources[i].Milli = inDevices[made.Resources[i].Type]
	}
	for _, typ := range slices.Sorted(maps.Keys(devices)) {
		placed := core.PlacedDevices{Type: typ}
		for _, id := range devices[typ].([]any) {
			placed.IDs = append(placed.IDs, id.(string))
		}
		made.Devices = append(made.Devices, placed)
	}
	return made
}

// fill puts what JSON said into a value. The names of fields are looked up in any case, and every name must be one.
func fill(v reflect.Value, said any) {
	switch said := said.(type) {
	case nil:
	case bool:
		v.SetBool(said)
	case string:
		v.SetString(said)
	case json.Number:
		fillNumber(v, string(said))
	case []any:
		v.Set(reflect.MakeSlice(v.Type(), len(said), len(said)))
		for i, item := range said {
			fill(v.Index(i), item)
		}
	case map[string]any:
		fillObject(v, said)
	}
}

func fillNumber(v reflect.Value, text string) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if v.CanUint() {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			panic(err)
		}
		v.SetUint(n)
		return
	}
	if v.CanFloat() {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(err)
		}
		v.SetFloat(n)
		return
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v.Kind() == reflect.Int32 && (n < math.MinInt32 || n > math.MaxInt32) {
		panic(fmt.Sprintf("%s is no %v", text, v.Type()))
	}
	v.SetInt(n)
}

func fillObject(v reflect.Value, said map[string]any) {
	switch {
	case v.Type() == reflect.TypeFor[resource.Set]():
		var set []resource.Quantity
		for name, amount := range said {
			n, err := amount.(json.Number).Int64()
			if err != nil {
				panic(err)
			}
			set = append(set, resource.Quantity{Type: name, Value: n})
		}
		v.Set(reflect.ValueOf(resource.NewSet(set...)))
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for name, item := range said {
			value := reflect.New(v.Type().Elem()).Elem()
			fill(value, item)
			v.SetMapIndex(reflect.ValueOf(name), value)
		}
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillObject(v.Elem(), said)
	default:
		for name, item := range said {
			if field, ok := fieldOf(v.Type(), name); ok {
				fill(v.FieldByIndex(field.Index), item)
			} else if v.NumField() > 0 {
				panic(fmt.Sprintf("%v has no %s", v.Type(), name))
			}
		}
	}
}

// fieldOf returns the field with a key: the one in its json tag, or else its name, which may have underscores.
func fieldOf(t reflect.Type, key string) (reflect.StructField, bool) {
	name := strings.ReplaceAll(key, "_", "")
	for _, f := range reflect.VisibleFields(t) {
		named, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if named == key || named == "" && strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	return reflect.StructField{}, false
}
