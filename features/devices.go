package features

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// Cells about devices are written as in a journal, without quotes and without the outer braces: `gpu: {count: 2, share: 500m}`.

// deviceColumns are those of asks and allocations.
var deviceColumns = []string{"devices"}

// deviceType says that nodes have particular devices of a type.
func (w *world) deviceType(name, policy string) error {
	w.config.devices = slices.DeleteFunc(w.config.devices, func(line string) bool { return strings.HasPrefix(line, strconv.Quote(name)+":") })
	line := strconv.Quote(name) + ": {}"
	if policy != "" {
		line = strconv.Quote(name) + ": {policy: " + policy + "}"
	}
	w.config.devices = append(w.config.devices, line)
	w.config.partition("") // there is one at least
	return w.configure()
}

// noDeviceType takes that back.
func (w *world) noDeviceType(name string) error {
	w.config.devices = slices.DeleteFunc(w.config.devices, func(line string) bool { return strings.HasPrefix(line, strconv.Quote(name)+":") })
	return w.configure()
}

// lineWith reads a line of a journal that has one key with the value of a cell.
func lineWith(begin, key, cell string) (core.Event, error) {
	value, err := jsonOf(cell)
	if err != nil {
		return nil, err
	}
	e, err := journal.NewDecoder(strings.NewReader(`{"at":"0s",`+begin+`,"`+key+`":`+value+"}"), "", nil).Next()
	if err != nil {
		if bad := (*journal.Error)(nil); errors.As(err, &bad) {
			return nil, fmt.Errorf("%s: expected %s, found %s", bad.Key, bad.Expected, bad.Found)
		}
		return nil, err
	}
	return e.Input.Event, nil
}

// nodeDevices reads the cells about the devices of a node; of an empty one it returns nothing.
func nodeDevices(devices, occupied string) (in core.UpdateNode, err error) {
	for key, cell := range map[string]string{"devices": devices, "occupied_devices": occupied} {
		if cell == "" {
			continue
		}
		e, err := lineWith(`"type":"node.update","id":"n"`, key, cell)
		if err != nil {
			return in, err
		}
		if read := e.(*core.UpdateNode); key == "devices" {
			in.Devices = read.Devices
		} else {
			in.OccupiedDevices = read.OccupiedDevices
		}
	}
	return in, nil
}

// askDevices reads what a cell says of the devices that an ask gets.
func askDevices(cell string) ([]core.DeviceAsk, error) {
	if cell == "" {
		return nil, nil
	}
	e, err := lineWith(`"type":"ask.update","id":"a"`, "devices", cell)
	if err != nil {
		return nil, err
	}
	return e.(*core.UpdateAsk).Devices, nil
}

// placedDevices reads the devices of an allocation that exists already: `gpu: [0, 3]`.
func placedDevices(cell string) ([]core.PlacedDevices, error) {
	if cell == "" {
		return nil, nil
	}
	e, err := lineWith(`"type":"allocation.restore","id":"a","app":"a","resources":{},"placed_on":"n"`, "placed_devices", cell)
	if err != nil {
		return nil, err
	}
	return e.(*core.RestoreAllocation).PlacedDevices, nil
}

// changeWish changes which devices a pending ask gets.
func (w *world) changeWish(id, text string) error {
	devices, err := askDevices(text)
	if err != nil {
		return err
	}
	w.apply(core.Input{Event: &core.UpdateAsk{ID: id, Devices: devices}})
	return nil
}

// jsonOf adds the quotes that a cell leaves out: of all words but true, false and the value of count.
func jsonOf(cell string) (string, error) {
	if cell == nothing {
		return "{}", nil
	}
	var b strings.Builder
	b.WriteByte('{')
	key, word := "", ""
	flush := func(isKey bool) {
		if word == "" {
			return
		}
		switch {
		case isKey:
			key = strings.Trim(word, `"`)
			fallthrough
		case key != "count" && word != "true" && word != "false":
			if word[0] != '"' {
				word = strconv.Quote(word)
			}
		}
		b.WriteString(word)
		word = ""
	}
	for _, r := range cell {
		switch {
		case r == ' ' || r == '\t':
		case strings.ContainsRune("{}[],:", r):
			flush(r == ':')
			b.WriteRune(r)
		default:
			word += string(r)
		}
	}
	flush(false)
	b.WriteByte('}')
	if !json.Valid([]byte(b.String())) {
		return "", fmt.Errorf("expected devices such as `gpu: {count: 2, share: 500m}`, found %q", cell)
	}
	return b.String(), nil
}

// placedText writes devices as `gpu/0, gpu/3`.
func placedText(placed []core.PlacedDevices) string {
	var list []string
	for _, of := range placed {
		for _, id := range of.IDs {
			list = append(list, of.Type+"/"+id)
		}
	}
	return strings.Join(list, ", ")
}

// freeText writes what is free of the devices of a node as `gpu/0 500m, gpu/1 1`.
func freeText(devices []core.DeviceDump) string {
	var list []string
	for _, d := range devices {
		share := strconv.FormatInt(d.FreeShare, 10) + "m"
		if d.FreeShare%core.WholeDevice == 0 {
			share = strconv.FormatInt(d.FreeShare/core.WholeDevice, 10)
		}
		text := d.Type + "/" + d.ID + " " + share
		if d.Memory > 0 {
			text += " " + gibText(d.FreeMemory)
		}
		if d.Unhealthy {
			text += " unhealthy"
		}
		if d.Gone {
			text += " gone"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// gibText writes bytes in GiB, if they are a whole number of these.
func gibText(bytes int64) string {
	if bytes%(1<<30) == 0 {
		return strconv.FormatInt(bytes>>30, 10) + "Gi"
	}
	return strconv.FormatInt(bytes, 10)
}

// asList puts one blank after each comma.
func asList(cell string) (string, error) { return strings.Join(listOf(cell), ", "), nil }

// getsDevices expects the devices of an allocation, in the order in which they were chosen.
func (w *world) getsDevices(id, text string) error {
	if err := w.allocated(strconv.Quote(id), "", ""); err != nil {
		return err
	}
	ask, _ := w.findAsk(id)
	want, _ := asList(text)
	if found := placedText(ask.Devices); found != want {
		return fmt.Errorf("ask %q: expected %s, found %s", id, text, list(strings.Split(found, ", ")))
	}
	return nil
}
