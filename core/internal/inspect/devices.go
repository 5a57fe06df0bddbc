package inspect

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/resource"
)

// shortOfDevices returns the first amount of devices that a class needs and that a node has free in sum, but not on the devices that the class needs.
func (s *View) shortOfDevices(c class.Class, n int32) string {
	for i := range c.Devices() {
		ask := &c.Devices()[i]
		if s.Nodes().Devices(n).Fits(c.Devices()[i : i+1]) {
			continue
		}
		if ask.Share == 0 {
			_, memory := ask.Amounts()
			return resource.Format(core.DeviceMemory(ask.Type), memory) + " " + core.DeviceMemory(ask.Type)
		}
		share, _ := ask.Amounts()
		return resource.Quantity{Type: ask.Type, Value: share, Milli: true}.Format() + " " + ask.Type
	}
	return ""
}
