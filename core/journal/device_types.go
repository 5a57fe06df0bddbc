package journal

import (
	"errors"
	"slices"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// milli says which amounts in resources may be thousandths, since they are of devices.
type milli struct {
	any   bool
	types []string
	past  []string // types of earlier configurations, one of which stays in force if a later one is refused: their amounts may be either
}

// SetDeviceTypes names the types of devices in force when the journal begins. Each configuration in the journal replaces them, but shares of
// types that it drops are still read, since the scheduler may refuse it.
func (d *Decoder) SetDeviceTypes(types []string) {
	if slices.Equal(types, d.milli.types) {
		return
	}
	for _, typ := range d.milli.types {
		if !slices.Contains(d.milli.past, typ) {
			d.milli.past = append(slices.Clip(d.milli.past), typ)
		}
	}
	d.milli.types = types
	clear(d.pool.sets)
}

// AllowShares accepts shares of devices of every type among resources, for readers that do not know which types have devices. The scheduler refuses shares
// of other types.
func (d *Decoder) AllowShares() { d.milli.any = true }

// learnDeviceTypes reads the types of devices from a configuration.
func (d *Decoder) learnDeviceTypes() {
	if d.scan.fault == nil {
		in := &d.values.config
		d.SetDeviceTypes(config.DeviceTypesIn([]byte(in.Config), config.Format(in.Format)))
	}
}

// amount reads a quantity of a type among resources.
func (d *Decoder) amount(typ string) resource.Quantity {
	q := resource.Quantity{Type: typ, Milli: slices.Contains(d.milli.types, typ)}
	switch {
	case q.Milli:
		q.Value = d.milliQuantity(typ)
	case (d.milli.any || slices.Contains(d.milli.past, typ)) && typ != resource.VCore && typ != "memory":
		q.Value, q.Milli = d.anyQuantity(typ)
	default:
		q.Value = d.quantity(typ)
	}
	return q
}

// anyQuantity reads a quantity that is in thousandths if it is no whole number.
func (d *Decoder) anyQuantity(typ string) (value int64, isMilli bool) {
	text, ok := d.quantityText()
	if !ok {
		return 0, false
	}
	value, err := resource.Parse(typ, text)
	if err == nil {
		return value, false
	}
	value, err = resource.ParseMilli(typ, text)
	if bad := (*resource.QuantityError)(nil); errors.As(err, &bad) {
		d.scan.refuse(bad.Expected, bad.Found)
	}
	return value, true
}
