package oracle

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// The tags by which an application sets the quota of its dynamic queue.
const (
	tagMax             = "namespace.resourcequota"
	tagGuaranteed      = "namespace.resourceguaranteed"
	tagMaxApplications = "namespace.resourcemaxapps"
)

// readQuota parses the quota tags of an application. ok is false if one of them is invalid.
func (o *Oracle) readQuota(tags map[string]string) (carried quota, ok bool) {
	if text := tagValue(tags, tagMax); text != "" {
		if carried.max, ok = o.readAmounts(text); !ok {
			return quota{}, false
		}
	}
	if text := tagValue(tags, tagGuaranteed); text != "" {
		if carried.guaranteed, ok = o.readAmounts(text); !ok {
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

// longestQuota is the maximum length of a tag that sets resources, in bytes.
const longestQuota = 4096

// readAmounts parses {"vcore":"4"} or, in stored units, {"resources":{"vcore":{"value":4000}}}.
func (o *Oracle) readAmounts(text string) (*amounts, bool) {
	if len(text) > longestQuota {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	whole, ok := readValue(d, 0).(map[string]any)
	if _, err := d.Token(); !ok || err != io.EOF {
		return nil, false
	}
	read := o.readQuantity
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

// readQuantity parses "4" or 4.
func (o *Oracle) readQuantity(typ string, v any) (int64, bool) {
	text, ok := v.(string)
	if number, isNumber := v.(json.Number); isNumber {
		text, ok = string(number), true
	}
	parse := resource.Parse
	if o.isDeviceType(typ) {
		parse = resource.ParseMilli
	}
	amount, err := parse(typ, text)
	return amount, ok && err == nil
}

// readStored parses {"value":4000}.
func readStored(_ string, v any) (int64, bool) {
	fields, _ := v.(map[string]any)
	number, ok := fields["value"].(json.Number)
	amount, err := strconv.ParseInt(string(number), 10, 64)
	return amount, ok && len(fields) == 1 && err == nil && amount >= 0
}

// deepestTag is the maximum nesting of the objects of a tag.
const deepestTag = 3

// readValue parses a JSON value: an object with distinct keys, a string or a number. It returns nil for anything else.
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
