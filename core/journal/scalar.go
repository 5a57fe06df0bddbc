package journal

import (
	"strconv"
	"strings"
	"time"
)

// The formats of a configuration.
const (
	formatYAML = "yaml"
	formatTOML = "toml"
)

// kind reads the type of the line.
func (d *Decoder) kind() {
	typ := d.scan.text("a type of input")
	found, ok := shapeOf(typ)
	if !ok {
		d.scan.refuse("a type of input", excerpt(typ)+meantType(string(typ)))
	}
	d.shape = found
}

// time reads the time of the line. It must not be before the last one.
func (d *Decoder) time() {
	text := d.scan.text("a time in quotes")
	if d.scan.fault != nil {
		return
	}
	if d.lastText == nil || string(text) != string(d.lastText) {
		at, form, expected := parseAt(text)
		switch {
		case expected != "":
			d.scan.refuse(expected, excerpt(text))
		case d.form != UnknownForm && form != d.form:
			d.scan.refuse(d.form.String()+" as in the lines before", excerpt(text))
		case d.lastText != nil && at < d.at:
			d.scan.refuse("a time not before "+excerpt(d.lastText), excerpt(text))
		}
		if d.scan.fault != nil {
			return
		}
		d.at, d.form, d.lastText = at, form, append(d.lastText[:0], text...)
	}
	d.entry.Input.At = d.at
}

// name reads a text, which must not be empty.
func (d *Decoder) name() []byte {
	text := d.scan.text("text")
	if len(text) == 0 {
		d.scan.refuse("a name that is not empty", `""`)
	}
	return text
}

// repeated reads a text that is probably repeated in other lines.
func (d *Decoder) repeated() string { return d.pool.text(d.scan.text("text")) }

func (d *Decoder) duration() time.Duration {
	text := d.scan.text("a duration in quotes")
	if d.scan.fault != nil {
		return 0
	}
	run, err := time.ParseDuration(string(text))
	if err != nil || run < 0 {
		d.scan.refuse("a Go duration of zero or more, such as 1m30s", excerpt(text))
	}
	return run
}

func (d *Decoder) format() string {
	switch text := d.scan.text("a format"); string(text) {
	case formatYAML:
		return formatYAML
	case formatTOML:
		return formatTOML
	default:
		d.scan.refuse("yaml or toml", excerpt(text))
		return ""
	}
}

// The styles of gangs, which may be written in any case.
const (
	styleSoft = "Soft"
	styleHard = "Hard"
)

// hard reads a style of gang. It reports whether it is Hard.
func (d *Decoder) hard() bool {
	text := string(d.scan.text("a style of gang"))
	hard := strings.EqualFold(text, styleHard)
	if !hard && !strings.EqualFold(text, styleSoft) {
		d.scan.refuse("Soft or Hard", excerpt([]byte(text)))
	}
	return hard
}

// fallbackMembers is the only alternative to rejection for the members of an atomic gang that was not placed in time.
const fallbackMembers = "members"

// disruptionUnit is the word for core.DisruptUnit, which is the default.
const disruptionUnit = "unit"

// fallback reads that alternative.
func (d *Decoder) fallback() bool {
	text := d.scan.text("text")
	if string(text) != fallbackMembers {
		d.scan.refuse(fallbackMembers, excerpt(text))
	}
	return true
}

func (d *Decoder) integer(what string, least, most int64) int64 {
	literal := d.scan.number(what)
	if d.scan.fault != nil {
		return 0
	}
	value, ok := parseInteger(literal)
	if !ok || value < least || value > most {
		d.scan.refuse(what, excerpt(literal))
	}
	return value
}

func parseInteger(literal []byte) (int64, bool) {
	value, err := strconv.ParseInt(string(literal), 10, 64)
	return value, err == nil
}
