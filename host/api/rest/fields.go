package rest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/api/web"
)

// fields are those of an object that a client wants, in the order in which the object has them.
type fields struct {
	object reflect.Type
	from   []int // which they are of the whole object
}

// fieldsOf reads which fields of an object are wanted; nil: all.
func fieldsOf[T any](query url.Values) (*fields, error) {
	if !query.Has("fields") {
		return nil, nil //nolint:nilnil // no choice and no error
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(query.Get("fields"), ",") {
		wanted[name] = true
	}
	f := &fields{}
	var kept []reflect.StructField
	var known []string
	whole := reflect.TypeFor[T]()
	for i := range whole.NumField() {
		field := whole.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		known = append(known, name)
		if wanted[name] {
			kept, f.from = append(kept, field), append(f.from, i)
			delete(wanted, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		return nil, badParameter("fields", "some of "+strings.Join(known, ", "), name)
	}
	f.object = reflect.StructOf(kept)
	return f, nil
}

// of returns the part of an object that is wanted.
func (f *fields) of(whole any) any {
	from, part := reflect.ValueOf(whole), reflect.New(f.object).Elem()
	for i, field := range f.from {
		part.Field(i).Set(from.Field(field))
	}
	return part.Interface()
}

// tags lists the entity tags that a client has.
func tags(h http.Header) (list []string) {
	for _, line := range h.Values("If-None-Match") {
		for tag := range strings.SplitSeq(line, ",") {
			list = append(list, strings.TrimSpace(tag))
		}
	}
	return list
}

func badParameter(name, expected, found string) error {
	return web.NewProblem(http.StatusBadRequest, "bad_parameter", "A parameter is invalid", fmt.Sprintf("%s: expected %s, found %q", name, expected, found))
}
