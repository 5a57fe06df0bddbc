package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	explained "github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/report/explanation"
)

// reads reports whether what a scenario reads is asked of the host, too.
func (d *served) reads() bool {
	if d.alone || d.failed != nil || len(d.inputs) > 0 {
		return false
	}
	d.tally.reads.Add(1)
	d.over = true // what comes later is a time of its own for the host
	return true
}

// explained holds what the host explains against what the scheduler beside it does. It returns the answer of the host.
func (d *served) explained(path string, q explanation.Question) (found string, ok bool) {
	if !d.reads() {
		return "", false
	}
	d.machine.Present()
	status, found := d.ask("GET", path, "")
	q.Absolute = true
	permission.Placement(context.Background(), d.machine.Server, &q) // of the past the scheduler beside it knows nothing
	answer, err := q.Put(d.Scheduler)
	if err != nil {
		remembered := status == http.StatusOK && gone(found) // a host knows how it ended, the core alone does not
		if status != http.StatusNotFound && status != http.StatusConflict && !remembered {
			d.fail(fmt.Errorf("GET %s: the host explains %s, expected: %w", path, found, err))
		}
		return "", false
	}
	var want bytes.Buffer
	d.fail(answer.Write(&want, true))
	if status != http.StatusOK || undated(found) != undated(want.String()) {
		d.fail(fmt.Errorf("GET %s: the host explains %d %s, expected %s", path, status, found, want.String()))
		return "", false
	}
	return found, true
}

// gone reports whether an explanation is of something that has ended.
func gone(text string) bool {
	var e struct {
		Gone  bool
		Ended *struct{ Reason string }
	}
	return json.Unmarshal([]byte(text), &e) == nil && e.Gone && e.Ended != nil
}

// odd is a time in a sentence that is nanoseconds off.
var odd = regexp.MustCompile(`(\d+h)?(\d+m)?\d+\.\d{9}s`)

// undated is an explanation without its own time, which may be nanoseconds later than that of the scenario.
func undated(explanation string) string {
	if _, rest, dated := strings.Cut(explanation, "\n  \"at\": "); dated {
		explanation = rest[strings.Index(rest, "\n")+1:]
	}
	return odd.ReplaceAllStringFunc(explanation, func(text string) string {
		lasts, err := time.ParseDuration(text)
		if err != nil {
			return text
		}
		return lasts.Round(time.Microsecond).String()
	})
}

func (d *served) ExplainAsk(id string) (explained.AskExplanation, bool) {
	d.explained("/v1/asks/"+url.PathEscape(id)+"/explanation", explanation.Question{Kind: explanation.Ask, Name: id})
	e, ok := d.Scheduler.ExplainAsk(id)
	return onTime(e), ok
}

func (d *served) ExplainApp(id string) (explained.AppExplanation, bool) {
	d.explained("/v1/apps/"+url.PathEscape(id)+"/explanation", explanation.Question{Kind: explanation.App, Name: id})
	e, ok := d.Scheduler.ExplainApp(id)
	return onTime(e), ok
}

func (d *served) ExplainQueue(path string) (explained.QueueExplanation, bool) {
	d.explained("/v1/queues/"+url.PathEscape(path)+"/explanation", explanation.Question{Kind: explanation.Queue, Name: path})
	e, ok := d.Scheduler.ExplainQueue(path)
	return onTime(e), ok
}

func (d *served) ExplainPreemption(id string) (explained.PreemptionExplanation, bool) {
	d.explained("/v1/asks/"+url.PathEscape(id)+"/victims", explanation.Question{Kind: explanation.Preemption, Name: id})
	e, ok := d.Scheduler.ExplainPreemption(id)
	return onTime(e), ok
}

func (d *served) ExplainMax(path string, limit resource.Set) (explained.MaxExplanation, bool) {
	var amounts []string
	for _, q := range limit {
		amounts = append(amounts, q.Type+"="+q.Format())
	}
	d.explained("/v1/queues/"+url.PathEscape(path)+"/explanation?"+url.Values{"max": {strings.Join(amounts, ",")}}.Encode(),
		explanation.Question{Kind: explanation.Max, Name: path, Max: limit})
	return d.Scheduler.ExplainMax(path, limit)
}

func (d *served) ExplainPlacement(in *core.AddApp) explained.PlacementExplanation {
	asked := url.Values{"to": {in.Queue}, "partition": {in.Partition}, "user": {in.User}, "groups": {strings.Join(in.Groups, ",")}}
	for name, value := range in.Tags {
		asked.Add("tag", name+"="+value)
	}
	d.explained("/v1/placement?"+asked.Encode(), explanation.Question{Kind: explanation.Place, User: &in.User, Groups: in.Groups,
		App: explanation.Application{Queue: in.Queue, Partition: in.Partition, Tags: in.Tags}})
	return d.Scheduler.ExplainPlacement(in)
}

// Access returns what the host says; texts alone are those of the scheduler beside it, which were compared.
func (d *served) Access(queue, user string, groups []string) (explained.AccessExplanation, bool) {
	want, ok := d.Scheduler.Access(queue, user, groups)
	asked := url.Values{"user": {user}, "groups": {strings.Join(groups, ",")}}
	text, told := d.explained("/v1/queues/"+url.PathEscape(queue)+"/explanation?"+asked.Encode(),
		explanation.Question{Kind: explanation.Access, Name: queue, User: &user, Groups: groups})
	if !told {
		return want, ok
	}
	var found struct {
		Queue, Text         string
		Open, Submit, Admin bool
		SubmitBy            explained.AccessEntry `json:"submit_by"`
		AdminBy             explained.AccessEntry `json:"admin_by"`
	}
	d.fail(json.Unmarshal([]byte(text), &found))
	said := explained.AccessExplanation{Queue: found.Queue, Text: found.Text, Open: found.Open, Submit: found.Submit, Admin: found.Admin, SubmitBy: found.SubmitBy, AdminBy: found.AdminBy}
	d.same(queue, said, want)
	return said, ok
}

// LimitUsage returns what the host says.
func (d *served) LimitUsage() []core.LimitUsage {
	want := d.Scheduler.LimitUsage()
	text, told := d.explained("/v1/limits", explanation.Question{Kind: explanation.Limits})
	if !told {
		return want
	}
	var found struct{ Usage []usageObject }
	d.fail(json.Unmarshal([]byte(text), &found))
	said := make([]core.LimitUsage, 0, len(found.Usage))
	for i := range found.Usage {
		said = append(said, found.Usage[i].usage())
	}
	d.same("usage", said, want)
	return said
}

// empty are values that JSON may have in place of none.
var empty = strings.NewReplacer("[]", "null", "{}", "null")

// same holds what the host said against what the scheduler beside it says.
func (d *served) same(what string, found, want any) {
	a, err := json.Marshal(found)
	d.fail(err)
	b, err := json.Marshal(want)
	d.fail(err)
	if empty.Replace(string(a)) != empty.Replace(string(b)) {
		d.fail(fmt.Errorf("%s: the host has %s, expected %s", what, a, b))
	}
}

// onTime has all times in what a reader sees be those of the scenario.
func onTime[T any](seen T) T {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Field(i).CanSet() {
					walk(v.Field(i))
				}
			}
		case reflect.Int64:
			if at, ok := v.Addr().Interface().(*time.Duration); ok {
				*at = at.Round(time.Microsecond)
			}
		}
	}
	walk(reflect.ValueOf(&seen).Elem())
	return seen
}
