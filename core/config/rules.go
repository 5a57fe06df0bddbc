package config

import (
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/nearest"
)

// writtenRule is a rule with its place, for checks that need the queues.
type writtenRule struct {
	*placement.Rule
	at      place // place of the value
	key     string
	invalid bool // its name or value is invalid
	parent  *writtenRule
}

func (d *decoder) rules(p *Partition, v *value) []*writtenRule {
	var all []*writtenRule
	for i, item := range d.items(InPartition, "placementrules", v) {
		d.below(index("placementrules", i)+".", func() {
			r := d.rule(item.value, 1)
			all = append(all, r)
			p.Rules = append(p.Rules, r.Rule)
		})
	}
	return all
}

// rule reads one rule. depth is its depth among nested parent rules.
func (d *decoder) rule(v *value, depth int) *writtenRule {
	r := &writtenRule{Rule: &placement.Rule{}, at: v.at, key: d.prefix + "value"}
	var name, parent *field
	written := false
	for _, f := range d.fields(InPartition, "", v) {
		switch f.name {
		case "name":
			name = &f
		case "create":
			r.Create = d.boolean(InPartition, f.name, f.value, false)
		case "value":
			r.Value, r.at, written = d.text(InPartition, f.name, f.value), f.value.at, f.value.kind == scalar && f.value.text != ""
			r.invalid = f.value.kind != scalar && f.value.kind != null
		case "filter":
			d.below("filter.", func() { r.Filter = d.filter(f.value) })
		case "parent":
			if f.value.kind != null {
				parent = &f
			}
		default:
			d.unknown(InRule, InPartition, "", f)
		}
	}
	d.ruleName(r, v, name)
	d.ruleValue(r, written)
	d.ruleParent(r, parent, depth)
	return r
}

func (d *decoder) ruleName(r *writtenRule, v *value, f *field) {
	kinds := []string{string(placement.Provided), string(placement.User), string(placement.Tag), string(placement.Fixed)}
	if f == nil || f.value.kind == null {
		if v.kind == mapping || v.kind == null {
			d.add(v.at, InPartition, "name", oneOf(kinds...), "none")
		}
		r.invalid = true
		return
	}
	for _, kind := range kinds {
		if strings.EqualFold(f.value.text, kind) {
			r.Kind = placement.Kind(kind)
			return
		}
	}
	d.add(f.value.at, InPartition, "name", oneOf(kinds...), f.value.found())
	r.invalid = true
}

// ruleValue checks the value of a rule. Tag and fixed rules require one; others ignore it.
func (d *decoder) ruleValue(r *writtenRule, written bool) {
	if r.invalid {
		return
	}
	switch r.Kind {
	case placement.Tag:
		r.Value = strings.ToLower(r.Value)
		if strings.Trim(r.Value, ".") == "" || !validName(strings.ReplaceAll(r.Value, ".", "_"), mostTag) {
			d.badValue(r, written, "the name of a tag, of the characters "+nameCharacters+" .")
		}
	case placement.Fixed:
		r.Value = strings.ToLower(r.Value)
		for label := range strings.SplitSeq(r.Value, ".") {
			if !validName(label, mostName) {
				d.badValue(r, written, "a queue, its labels 1 to 64 of the characters "+nameCharacters)
				return
			}
		}
		if r.Value == placement.Root {
			d.badValue(r, written, "a queue below root")
		}
	default:
		if written {
			d.warn(r.at, InPartition, "value", "it has no effect on a rule by "+string(r.Kind))
		}
	}
}

func (d *decoder) badValue(r *writtenRule, written bool, expected string) {
	found := quote(r.Value)
	if !written {
		found = "none"
	}
	r.invalid = true
	d.add(r.at, InPartition, "value", expected, found)
}

func (d *decoder) ruleParent(r *writtenRule, f *field, depth int) {
	switch {
	case f == nil:
	case !r.invalid && r.FullName():
		d.add(f.at, InPartition, "parent", "none for a full name", "one")
		r.invalid = true
	case depth >= placement.MostRules:
		d.add(f.at, InPartition, "parent", "at most "+strconv.Itoa(placement.MostRules)+" rules within one another", "more")
	default:
		d.below("parent.", func() { r.parent = d.rule(f.value, depth+1) })
		r.Parent = r.parent.Rule
	}
}

// filter reads the filter of a rule. It returns nil for a filter that passes all users.
func (d *decoder) filter(v *value) *placement.Filter {
	var f placement.Filter
	at := v.at
	for _, own := range d.fields(InPartition, "", v) {
		switch own.name {
		case "type":
			if own.value.kind != null {
				f.Deny = d.choice(InPartition, &own, "allow", "deny") == "deny"
			}
			at = own.at
		case "users":
			f.Users = d.filterNames(own, access.ValidUser, access.UserSyntax)
		case "groups":
			f.Groups = d.filterNames(own, access.ValidGroup, access.GroupSyntax)
		default:
			names := d.knownKeys(InRule, "filter.")
			d.add(own.at, InPartition, own.name, oneOf(names...), quote(own.name)+nearest.Hint(nearest.Names(own.name, names)))
		}
	}
	if f.Users.Empty() && f.Groups.Empty() {
		if !f.Deny {
			return nil
		}
		d.warn(at, InPartition, "type", "deny without users and groups excludes every application")
	}
	return &f
}

func (d *decoder) filterNames(f field, valid func(string) bool, syntax string) placement.Names {
	list := d.names(InPartition, f.name, f.value)
	if len(list) == 1 && placement.IsExpression(list[0].name) {
		names, err := placement.Expression(list[0].name)
		if bad, ok := err.(*placement.ExpressionError); ok {
			d.add(list[0].at, InPartition, list[0].key, bad.Expected, bad.Found)
		}
		return names
	}
	var entries []string
	for _, n := range d.valid(InPartition, list, valid, syntax) {
		entries = append(entries, n.name)
	}
	return placement.List(entries)
}
