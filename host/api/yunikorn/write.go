package yunikorn

import (
	"encoding/json"
	"io"
	"net/http"
)

// list writes a list as its items come, so that a long one is never in memory as a whole. After an error, which only says that the client
// is gone, nothing more is written.
type list struct {
	w     io.Writer
	begun bool
	err   error
}

func newList(w http.ResponseWriter) *list {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	return &list{w: w}
}

func (l *list) write(text string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, text)
	}
}

// item begins an item, and returns where to write it.
func (l *list) item() io.Writer {
	if l.begun {
		l.write(",")
	} else {
		l.write("[")
	}
	l.begun = true
	return l.w
}

// add writes an item, and reports whether more can be written.
func (l *list) add(item any) bool {
	if w := l.item(); l.err == nil {
		l.err = json.NewEncoder(w).Encode(item)
	}
	return l.err == nil
}

// end ends the list.
func (l *list) end() error {
	if !l.begun {
		l.write("[")
	}
	l.write("]\n")
	return l.err
}

// object writes an object as its fields come.
type object struct {
	w     io.Writer
	begun bool
	err   error
}

// key begins a field.
func (o *object) key(name string) {
	before := ","
	if !o.begun {
		before = "{"
	}
	o.begun = true
	if o.err == nil {
		_, o.err = io.WriteString(o.w, before+`"`+name+`":`)
	}
}

func (o *object) field(name string, value any) {
	if o.key(name); o.err == nil {
		o.err = json.NewEncoder(o.w).Encode(value)
	}
}

// list writes a field that is a list.
func (o *object) list(name string, write func(*list)) {
	if o.key(name); o.err != nil {
		return
	}
	l := &list{w: o.w}
	write(l)
	o.err = l.end()
}

// end ends an object that has fields.
func (o *object) end() error {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, "}\n")
	}
	return o.err
}
