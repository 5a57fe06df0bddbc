package tool

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/sdk/abi"
)

// JSON writes the inspection as one object.
func (i *Inspection) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(i)
}

// Text writes the inspection for people.
func (i *Inspection) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	field(b, "file", fmt.Sprintf("%s (a %s, %s bytes)", i.File, i.Kind, format.Grouped(int(i.Bytes))))
	field(b, "sha256", i.SHA256)
	field(b, "refused", i.Refused)
	if i.Name != "" {
		field(b, "policy", fmt.Sprintf("%s %s, for ABI %s", i.Name, i.Version, i.ABI))
	}
	field(b, "", i.Description)
	for _, p := range i.Points {
		p.text(b)
	}
	for n, name := range slices.Sorted(maps.Keys(i.Parameters)) {
		if n == 0 {
			fmt.Fprintln(b, "\nparameters")
		}
		fmt.Fprintf(b, "  %-8s %s\n", format.Cell(name), format.Line(rangeOf(i.Parameters[name])))
	}
	if i.Module != nil {
		fmt.Fprintln(b)
		i.Module.text(b)
	}
	WriteSandbox(b, i.Sandbox)
	WriteLog(b, i.Log)
	return b.Flush()
}

// WriteSandbox writes what a process is kept from, unless there is nothing to say.
func WriteSandbox(w io.Writer, r sandbox.Report) {
	if len(r) > 0 {
		fmt.Fprintln(w, "\nsandbox")
	}
	for _, p := range r {
		fmt.Fprintf(w, "  %-10s %s\n", p.Name, format.Line(p.String()))
	}
}

// field writes a line, unless there is nothing to say.
func field(w io.Writer, name, text string) {
	if text != "" {
		fmt.Fprintf(w, "%-10s %s\n", name, format.Line(text))
	}
}

func (p *InspectedPoint) text(w io.Writer) {
	fmt.Fprintf(w, "\n%s\n", p.Point)
	field(w, "  columns", listed(p.Columns))
	field(w, "  keys", fmt.Sprint(p.Keys))
	field(w, "  depends", "on its "+map[string]string{"row": "row", "siblings": "siblings", "ask": "row and the ask"}[p.Depends])
	fallback := p.Fallback
	if fallback == "" {
		fallback = "the point's default"
	}
	field(w, "  fallback", fallback)
	if p.Fuel != nil {
		field(w, "  fuel", format.Grouped(int(*p.Fuel))+" for a call about one item")
	}
}

// rangeOf writes what an operator may set a parameter to.
func rangeOf(p abi.Parameter) string {
	value, _ := json.Marshal(p.Default) // it came as JSON
	text := fmt.Sprintf("%s, default %s", p.Type, value)
	if p.Min != nil {
		text += fmt.Sprintf(", at least %v", *p.Min)
	}
	if p.Max != nil {
		text += fmt.Sprintf(", at most %v", *p.Max)
	}
	if len(p.Values) > 0 {
		text += ", one of " + strings.Join(p.Values, ", ")
	}
	if p.Description != "" {
		text += ": " + p.Description
	}
	return text
}

func (m *InspectedModule) text(w io.Writer) {
	memory := "none"
	if m.Memory != nil {
		memory = fmt.Sprintf("%d pages of 64 KiB, at most %d", m.Memory.Min, m.Memory.Max)
	}
	field(w, "memory", memory)
	field(w, "code", fmt.Sprintf("%s bytes, and %s of data", format.Grouped(m.Code), format.Grouped(m.Data)))
	field(w, "features", listed(m.Features))
	field(w, "sections", listed(m.Custom))
	lines(w, "imports", m.Imports)
	lines(w, "exports", m.Exports)
}

func lines(w io.Writer, name string, list []string) {
	if len(list) == 0 {
		field(w, name, "none")
	}
	for _, text := range list {
		field(w, name, text)
		name = " "
	}
}

func listed(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
