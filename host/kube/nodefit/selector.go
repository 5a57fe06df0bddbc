package nodefit

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Selector is a demand on nodes that is no list of a label's values. It becomes an attribute of the nodes.
type Selector struct {
	Attribute string // no label has such a name; equal for demands that are written alike
	Meets     string // the value of the attribute on nodes that meet the demand
	value     func(*corev1.Node) string
}

// Value returns the value of the attribute on a node; empty: the node does not have it.
func (s *Selector) Value(n *corev1.Node) string { return s.value(n) }

// Attributes returns the attributes of a node: its labels, and those of the selectors that asks use.
func Attributes(n *corev1.Node, inUse []*Selector) map[string]string {
	all := make(map[string]string, len(n.Labels)+len(inUse))
	maps.Copy(all, n.Labels)
	for _, s := range inUse {
		if value := s.Value(n); value != "" {
			all[s.Attribute] = value
		}
	}
	return all
}

// longestAttribute is how many bytes of a demand's text name its attribute.
const longestAttribute = 200

// attributeName shortens the text of a demand; different texts stay different.
func attributeName(text string) string {
	if len(text) <= longestAttribute {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return strings.ToValidUTF8(text[:longestAttribute], "") + "… " + hex.EncodeToString(sum[:8])
}

// InUse counts which selectors asks use. The zero value is empty.
type InUse struct {
	byAttribute map[string]*use
}

type use struct {
	selector *Selector
	asks     int
}

// Add notes an ask with its selectors, and returns those that no ask had before: all nodes need their attributes before the ask is
// submitted.
func (u *InUse) Add(list []*Selector) (fresh []*Selector) {
	if u.byAttribute == nil {
		u.byAttribute = map[string]*use{}
	}
	for _, s := range list {
		known := u.byAttribute[s.Attribute]
		if known == nil {
			known = &use{selector: s}
			u.byAttribute[s.Attribute] = known
			fresh = append(fresh, s)
		}
		known.asks++
	}
	return fresh
}

// Remove forgets an ask that Add noted, and returns the selectors that no ask has any more.
func (u *InUse) Remove(list []*Selector) (gone []*Selector) {
	for _, s := range list {
		known := u.byAttribute[s.Attribute]
		if known == nil {
			continue
		}
		if known.asks--; known.asks == 0 {
			delete(u.byAttribute, s.Attribute)
			gone = append(gone, known.selector)
		}
	}
	return gone
}

// All returns the selectors in use, by attribute.
func (u *InUse) All() []*Selector {
	list := make([]*Selector, 0, len(u.byAttribute))
	for _, name := range slices.Sorted(maps.Keys(u.byAttribute)) {
		list = append(list, u.byAttribute[name].selector)
	}
	return list
}
