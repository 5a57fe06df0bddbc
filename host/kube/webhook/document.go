package webhook

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/kubelabels"
)

// Operation is one step of a JSON patch (RFC 6902).
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// document is an object that is being changed, with the patch that does it.
type document struct {
	root  map[string]any
	patch []Operation
}

func parse(raw []byte) (*document, error) {
	d := &document{}
	if err := json.Unmarshal(raw, &d.root); err != nil {
		return nil, fmt.Errorf("the object of the request: %w", err)
	}
	if d.root == nil {
		return nil, fmt.Errorf("the object of the request: expected an object, found %q", raw)
	}
	return d, nil
}

// at returns the value at a path; nil: there is none, or it is null. What stands on the way must be objects.
func (d *document) at(path []string) (any, error) {
	var value any = d.root
	for n, key := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s: expected an object, found %T", strings.Join(path[:n], "."), value)
		}
		if value = object[key]; value == nil {
			return nil, nil
		}
	}
	return value, nil
}

// set writes a text, and the objects on the way to it that are missing. at must have read the object above it.
func (d *document) set(text string, path []string) {
	object := d.root
	for n, key := range path[:len(path)-1] {
		below, ok := object[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			object[key] = below
			d.add(map[string]any{}, path[:n+1])
		}
		object = below
	}
	object[path[len(path)-1]] = text
	d.add(text, path)
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

func (d *document) add(value any, path []string) {
	pointer := ""
	for _, key := range path {
		pointer += "/" + escape.Replace(key)
	}
	d.patch = append(d.patch, Operation{"add", pointer, value})
}

// pod is a pod, or the template of one, within a document.
type pod struct {
	*document
	base []string // its path; empty: the document is the pod
	kubelabels.Metadata
	scheduler string
}

func (d *document) pod(base []string) (*pod, error) {
	p := &pod{document: d, base: base}
	var err error
	if p.Labels, err = p.texts("metadata", "labels"); err != nil {
		return nil, err
	}
	if p.Annotations, err = p.texts("metadata", "annotations"); err != nil {
		return nil, err
	}
	name, err := d.at(p.path("spec", "schedulerName"))
	if err != nil {
		return nil, err
	}
	text, isText := name.(string)
	if name != nil && !isText {
		return nil, fmt.Errorf("spec.schedulerName: expected a text, found %T", name)
	}
	p.scheduler = text
	return p, nil
}

func (p *pod) path(below ...string) []string { return append(slices.Clone(p.base), below...) }

// texts returns a map of texts, such as labels; nil: there is none.
func (p *pod) texts(below ...string) (map[string]string, error) {
	value, err := p.at(p.path(below...))
	if err != nil || value == nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: expected an object, found %T", strings.Join(below, "."), value)
	}
	texts := make(map[string]string, len(object))
	for key, value := range object {
		text, ok := value.(string)
		if !ok {
			return nil, fmt.Errorf("%s: %s: expected a text, found %T", strings.Join(below, "."), key, value)
		}
		texts[key] = text
	}
	return texts, nil
}

func (p *pod) setScheduler(name string) {
	p.scheduler = name
	p.set(name, p.path("spec", "schedulerName"))
}

func (p *pod) label(key, value string)    { p.set(value, p.path("metadata", "labels", key)) }
func (p *pod) annotate(key, value string) { p.set(value, p.path("metadata", "annotations", key)) }

// priorityClass is the name of the pod's priority class, which admission has set before webhooks are asked; empty: it has none.
func (p *pod) priorityClass() string {
	value, _ := p.at(p.path("spec", "priorityClassName"))
	name, _ := value.(string)
	return name
}

// ownedBy reports whether an object of a kind owns the pod.
func (p *pod) ownedBy(kind string) bool {
	value, _ := p.at(p.path("metadata", "ownerReferences"))
	owners, _ := value.([]any)
	return slices.ContainsFunc(owners, func(o any) bool {
		owner, ok := o.(map[string]any)
		return ok && owner["kind"] == kind
	})
}
