package placement

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// The tags by which applications set the quota of the dynamic queue that they are placed in.
const (
	maxTag             = "namespace.resourcequota"
	guaranteedTag      = "namespace.resourceguaranteed"
	maxApplicationsTag = "namespace.resourcemaxapps"
)

// MostQuotaText bounds a tag that sets resources, in bytes: it is read before anything is known of who wrote it.
const MostQuotaText = 4096

// A Quota is what tags set of a dynamic queue; nil: they have not set it.
type Quota struct {
	Max, Guaranteed *resource.Set `json:",omitempty"`
	MaxApplications *uint64       `json:",omitempty"`
}

// IsEmpty reports whether nothing is set.
func (q *Quota) IsEmpty() bool { return *q == Quota{} }

// Or is the quota with what was set before where it sets nothing.
func (q Quota) Or(before Quota) Quota {
	if q.Max == nil {
		q.Max = before.Max
	}
	if q.Guaranteed == nil {
		q.Guaranteed = before.Guaranteed
	}
	if q.MaxApplications == nil {
		q.MaxApplications = before.MaxApplications
	}
	return q
}

// ReadQuota reads the tags of an application. Where one of them cannot be read it says which.
func ReadQuota(tags map[string]string) (q Quota, wrong string) {
	if len(tags) == 0 {
		return q, ""
	}
	for _, t := range []struct {
		name string
		to   **resource.Set
	}{{maxTag, &q.Max}, {guaranteedTag, &q.Guaranteed}} {
		if text := TagValue(tags, t.name); text != "" {
			set, ok := readAmounts(text)
			if !ok {
				return Quota{}, t.name
			}
			*t.to = &set
		}
	}
	if text := TagValue(tags, maxApplicationsTag); text != "" {
		bound, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return Quota{}, maxApplicationsTag
		}
		q.MaxApplications = &bound
	}
	return q, ""
}

// readAmounts reads {"vcore":"4"} or, in stored units, {"resources":{"vcore":{"value":4000}}}.
func readAmounts(text string) (resource.Set, bool) {
	if len(text) > MostQuotaText {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	r := amountReader{Decoder: d}
	r.delim('{')
	r.types(r.written)
	if _, err := d.Token(); r.bad || err != io.EOF {
		return nil, false
	}
	if r.stored != nil {
		if len(r.amounts) > 0 { // it stands alone
			return nil, false
		}
		r.amounts = *r.stored
	}
	if len(r.amounts) == 0 { // nothing of any type, which is more than nothing set
		return resource.Set{}, true
	}
	return resource.NewSet(r.amounts...), true
}

// amountReader reads amounts of types. Once something is bad, it stays so.
type amountReader struct {
	*json.Decoder
	amounts []resource.Quantity
	stored  *[]resource.Quantity // under the key "resources"; nil: no such object
	bad     bool
}

func (r *amountReader) token() json.Token {
	t, err := r.Token()
	r.bad = r.bad || err != nil
	return t
}

func (r *amountReader) delim(d json.Delim) { r.bad = r.token() != d || r.bad }

// types reads the fields of an object, each once and with a name, and its end.
func (r *amountReader) types(read func(name string)) {
	seen := map[string]bool{}
	for !r.bad && r.More() {
		name, isText := r.token().(string)
		if r.bad = r.bad || !isText || name == "" || seen[name]; !r.bad {
			seen[name] = true
			read(name)
		}
	}
	if !r.bad {
		r.delim('}')
	}
}

func (r *amountReader) add(name string, amount int64) {
	r.amounts = append(r.amounts, resource.Quantity{Type: name, Value: amount})
}

// written reads "4" or 4, or all amounts in stored units.
func (r *amountReader) written(name string) {
	var text string
	switch t := r.token().(type) {
	case string:
		text = t
	case json.Number:
		text = string(t)
	case json.Delim:
		if r.bad = r.bad || t != '{' || name != "resources"; !r.bad {
			outer := r.amounts
			r.amounts = []resource.Quantity{}
			r.types(r.inStoredUnits)
			amounts := r.amounts
			r.amounts, r.stored = outer, &amounts
		}
		return
	default:
		r.bad = true
		return
	}
	amount, err := resource.Parse(name, text)
	r.bad = r.bad || err != nil
	r.add(name, amount)
}

// inStoredUnits reads {"value":4000}.
func (r *amountReader) inStoredUnits(name string) {
	r.delim('{')
	key := r.token()
	number, isNumber := r.token().(json.Number)
	amount, err := strconv.ParseInt(string(number), 10, 64)
	r.bad = r.bad || key != "value" || !isNumber || err != nil || amount < 0
	r.add(name, amount)
	r.delim('}')
}
