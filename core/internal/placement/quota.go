package placement

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// The tags by which an application sets the quota of its dynamic queue.
const (
	maxTag             = "namespace.resourcequota"
	guaranteedTag      = "namespace.resourceguaranteed"
	maxApplicationsTag = "namespace.resourcemaxapps"
)

// MostQuotaText is the maximum length of a tag that sets resources, in bytes. It is parsed before its author is authorized.
const MostQuotaText = 4096

// A Quota holds the limits that tags set for a dynamic queue. Fields are nil if they were not set.
type Quota struct {
	Max, Guaranteed *resource.Set `json:",omitempty"`
	MaxApplications *uint64       `json:",omitempty"`
}

// IsEmpty reports whether nothing is set.
func (q *Quota) IsEmpty() bool { return *q == Quota{} }

// Or returns the quota, with the values of an earlier one in the fields that are not set.
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

// ReadQuota parses the quota tags of an application. wrong is the name of the first invalid tag, or "".
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

// readAmounts parses {"vcore":"4"} or, in stored units, {"resources":{"vcore":{"value":4000}}}.
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
		if len(r.amounts) > 0 { // "resources" must be the only key
			return nil, false
		}
		r.amounts = *r.stored
	}
	if len(r.amounts) == 0 { // an empty set, as opposed to none
		return resource.Set{}, true
	}
	return resource.NewSet(r.amounts...), true
}

// amountReader parses amounts by type. After the first error, bad stays set.
type amountReader struct {
	*json.Decoder
	amounts []resource.Quantity
	stored  *[]resource.Quantity // the object under the key "resources", or nil
	bad     bool
}

func (r *amountReader) token() json.Token {
	t, err := r.Token()
	r.bad = r.bad || err != nil
	return t
}

func (r *amountReader) delim(d json.Delim) { r.bad = r.token() != d || r.bad }

// types parses the fields of an object, whose names must be distinct and not empty, and its end.
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

// written parses a value: "4" or 4, or the object under the key "resources".
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

// inStoredUnits parses {"value":4000}.
func (r *amountReader) inStoredUnits(name string) {
	r.delim('{')
	key := r.token()
	number, isNumber := r.token().(json.Number)
	amount, err := strconv.ParseInt(string(number), 10, 64)
	r.bad = r.bad || key != "value" || !isNumber || err != nil || amount < 0
	r.add(name, amount)
	r.delim('}')
}
