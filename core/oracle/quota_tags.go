package oracle

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// The tags by which applications set the quota of the dynamic queue that they are placed in.
const (
	tagMax             = "namespace.resourcequota"
	tagGuaranteed      = "namespace.resourceguaranteed"
	tagMaxApplications = "namespace.resourcemaxapps"
)

// readQuota reads the tags of an application; ok is false where one of them cannot be read.
func readQuota(tags map[string]string) (carried quota, ok bool) {
	if text := tagValue(tags, tagMax); text != "" {
		if carried.max, ok = readAmounts(text); !ok {
			return quota{}, false
		}
	}
	if text := tagValue(tags, tagGuaranteed); text != "" {
		if carried.guaranteed, ok = readAmounts(text); !ok {
			return quota{}, false
		}
	}
	if text := tagValue(tags, tagMaxApplications); text != "" {
		bound, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return quota{}, false
		}
		carried.maxApplications = &bound
	}
	return carried, true
}

// longestQuota is how many bytes a tag has at most that sets resources.
const longestQuota = 4096

// readAmounts reads {"vcore":"4"} or, in stored units, {"resources":{"vcore":{"value":4000}}}.
func readAmounts(text string) (*amounts, bool) {
	if len(text) > longestQuota {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	whole, ok := readValue(d, 0).(map[string]any)
	if _, err := d.Token(); !ok || err != io.EOF {
		return nil, false
	}
	read := readQuantity
	if stored, ok := whole["resources"].(map[string]any); ok && len(whole) == 1 {
		whole, read = stored, readStored
	}
	all := amounts{}
	for typ, v := range whole {
		amount, ok := read(typ, v)
		if !ok || typ == "" {
			return nil, false
		}
		all[typ] = amount
	}
	return &all, true
}

// readQuantity reads "4" or 4.
func readQuantity(typ string, v any) (int64, bool) {
	text, ok := v.(string)
	if number, isNumber := v.(json.Number); isNumber {
		text, ok = string(number), true
	}
	amount, err := resource.Parse(typ, text)
	return amount, ok && err == nil
}

// readStored reads {"value":4000}.
func readStored(_ string, v any) (int64, bool) {
	fields, _ := v.(map[string]any)
	number, ok := fields["value"].(json.Number)
	amount, err := strconv.ParseInt(string(number), 10, 64)
	return amount, ok && len(fields) == 1 && err == nil && amount >= 0
}

// deepestTag is how deep the objects of a tag are nested at most.
const deepestTag = 3

// readValue reads a value of JSON: an object whose keys stand once, a text or a number; nil for anything else.
func readValue(d *json.Decoder, depth int) any {
	token, err := d.Token()
	if err != nil {
		return nil
	}
	if token != json.Delim('{') {
		return token
	}
	object := map[string]any{}
	for d.More() && depth < deepestTag {
		key, err := d.Token()
		name, isText := key.(string)
		if _, twice := object[name]; err != nil || !isText || twice {
			return nil
		}
		if object[name] = readValue(d, depth+1); object[name] == nil {
			return nil
		}
	}
	if end, err := d.Token(); err != nil || end != json.Delim('}') {
		return nil
	}
	return object
}
