package state

import (
	"bytes"
	"encoding/json"
	"io"
)

// objectWriter writes a JSON object in parts, as json.Marshal would write it whole. It keeps the first error.
type objectWriter struct {
	to      io.Writer
	part    bytes.Buffer
	encoder *json.Encoder // to part
	first   bool          // nothing has been written since the last open
	err     error
}

func newObjectWriter(to io.Writer) *objectWriter {
	w := &objectWriter{to: to, first: true}
	w.encoder = json.NewEncoder(&w.part)
	return w
}

// open begins an object or a list. name is its key, or empty in a list.
func (w *objectWriter) open(name string, bracket byte) {
	w.separate()
	if name != "" {
		w.part.WriteByte('"')
		w.part.WriteString(name)
		w.part.WriteString(`":`)
	}
	w.part.WriteByte(bracket)
	w.first = true
	w.flush()
}

// close ends what open began.
func (w *objectWriter) close(bracket byte) {
	w.part.WriteByte(bracket)
	w.first = false
	w.flush()
}

// members writes the members of a struct into the open object.
func (w *objectWriter) members(of any) {
	w.encode(of)
	inside := bytes.TrimSuffix(w.part.Bytes()[1:], []byte("}"))
	if len(inside) == 0 {
		w.part.Reset()
		return
	}
	if w.part.Bytes()[0] = ','; w.first {
		w.part.Next(1)
	}
	w.part.Truncate(w.part.Len() - 1)
	w.first = false
	w.flush()
}

// writeList writes a list into the open object, unless the list is empty.
func writeList[T any](w *objectWriter, name string, n int, at func(i int) T) {
	if n == 0 {
		return
	}
	w.open(name, '[')
	for i := range n {
		w.separate()
		item := at(i)
		w.encode(&item)
		w.flush()
	}
	w.close(']')
}

// encode adds a value to the part. Values of the state hold only plain data, so an error is our bug.
func (w *objectWriter) encode(value any) {
	if err := w.encoder.Encode(value); err != nil {
		panic("core: the state cannot be written: " + err.Error())
	}
	w.part.Truncate(w.part.Len() - 1) // the line feed
}

func (w *objectWriter) separate() {
	if !w.first {
		w.part.WriteByte(',')
	}
	w.first = false
}

func (w *objectWriter) flush() {
	if w.err == nil {
		_, w.err = w.to.Write(w.part.Bytes())
	}
	w.part.Reset()
}
