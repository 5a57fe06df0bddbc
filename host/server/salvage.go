package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/store"
)

// Salvage writes what can be read of a damaged record as JSON Lines: the lines of its batches, and, where batches are missing, a line that says
// so. It returns what was missing and how much there was.
func Salvage(d store.Disk, w io.Writer) (missing []store.Missing, found store.Salvaged, err error) {
	found, err = store.Salvage(d, func(_ store.Position, payload []byte) error {
		_, err := w.Write(payload)
		return err
	}, func(m store.Missing) error {
		missing = append(missing, m)
		line, err := json.Marshal(struct {
			Missing store.Missing `json:"missing"`
		}{m})
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		return err
	})
	return missing, found, err
}

// SalvageInputs writes the inputs that can be read of a damaged record as a journal, with comments where batches are missing.
func SalvageInputs(d store.Disk, w io.Writer) (missing []store.Missing, found store.Salvaged, err error) {
	var head bytes.Buffer
	e := journal.NewEncoder(&head, journal.Absolute)
	if err = e.Header(journal.Header{Grace: never, HasGrace: true}); err == nil {
		err = e.Flush()
	}
	if err == nil {
		_, err = w.Write(head.Bytes())
	}
	if err != nil {
		return nil, found, err
	}
	var x Exported
	found, err = store.Salvage(d, func(_ store.Position, payload []byte) error { return x.inputs(w, payload) }, func(m store.Missing) error {
		missing = append(missing, m)
		_, err := fmt.Fprintf(w, "# missing: %s\n", m.String())
		return err
	})
	return missing, found, err
}
