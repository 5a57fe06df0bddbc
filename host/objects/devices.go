package objects

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/format"
)

// Device is a device of a node.
type Device struct {
	ID          string            `json:"id"`
	Free        format.Quantity   `json:"free"`             // the share that is free
	Memory      int64             `json:"memory,omitempty"` // bytes
	FreeMemory  int64             `json:"free_memory,omitempty"`
	Attributes  map[string]string `json:"attributes,omitempty"`
	Unhealthy   bool              `json:"unhealthy,omitempty"`
	Gone        bool              `json:"gone,omitempty"` // the node no longer has it, but allocations do
	Allocations int               `json:"allocations"`    // their number
}

// devicesOf returns the devices of a node, by type.
func devicesOf(list []core.DeviceDump) map[string][]Device {
	if len(list) == 0 {
		return nil
	}
	all := map[string][]Device{}
	for i := range list {
		d := &list[i]
		all[d.Type] = append(all[d.Type], Device{
			ID: d.ID, Free: format.Quantity{Type: d.Type, Value: d.FreeShare, Milli: true}, Memory: d.Memory, FreeMemory: d.FreeMemory,
			Attributes: d.Attributes, Unhealthy: d.Unhealthy, Gone: d.Gone, Allocations: d.Allocations,
		})
	}
	return all
}

// placedOn returns the IDs of the devices of an allocation, by type.
func placedOn(list []core.PlacedDevices) map[string][]string {
	if len(list) == 0 {
		return nil
	}
	all := map[string][]string{}
	for _, p := range list {
		all[p.Type] = append([]string{}, p.IDs...)
	}
	return all
}
