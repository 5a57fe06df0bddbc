package explanation

import (
	"errors"
	"fmt"
	"slices"
	text "strings"

	"github.com/quern-project/quern/core/resource"
)

// ParseMax reads a max as it stands on a command line: type=amount, joined by commas.
func ParseMax(list string) (resource.Set, error) {
	var all []resource.Quantity
	for _, item := range text.Split(list, ",") {
		name, amount, found := text.Cut(item, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("expected type=amount, joined by commas, found %q", item)
		}
		q := resource.Quantity{Type: name}
		var err error
		if q.Value, err = resource.Parse(name, amount); err != nil && name != "memory" { // a part of a device
			if value, fails := resource.ParseMilli(name, amount); fails == nil {
				q.Value, q.Milli, err = value, true, nil
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, q)
	}
	set := resource.NewSet(all...)
	for i := 1; i < len(set); i++ {
		if set[i].Type == set[i-1].Type {
			return nil, errors.New("expected each type once, found " + set[i].Type + " twice")
		}
	}
	return set, nil
}

// ParseGroups reads the names of groups, joined by commas; empty: none.
func ParseGroups(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	names := text.Split(list, ",")
	if slices.Contains(names, "") {
		return nil, fmt.Errorf("expected names joined by commas, found %q", list)
	}
	return names, nil
}

// ParseTags reads tags of an application, each name=value.
func ParseTags(list []string) (map[string]string, error) {
	tags := map[string]string{}
	for _, tag := range list {
		name, value, found := text.Cut(tag, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("expected name=value, found %q", tag)
		}
		if _, twice := tags[name]; twice {
			return nil, fmt.Errorf("expected each name once, found %q twice", name)
		}
		tags[name] = value
	}
	return tags, nil
}
