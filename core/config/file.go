package config

import (
	"strconv"
	"strings"
)

// file reads the outermost level. It returns a Config even if there are errors; Decode drops it then.
func (d *decoder) file(v *value) *Config {
	c := &Config{}
	var partitions *value
	for _, f := range d.fields(InFile, "partitions", v) {
		switch f.name {
		case "partitions":
			partitions = f.value
		case "devices":
			c.Devices = d.deviceTypes(f.value)
		case "checksum":
		default:
			d.unknown(InFile, InFile, "", f)
		}
	}
	d.devices = c.Devices
	if partitions == nil || partitions.kind == null {
		d.add(v.at, InFile, "partitions", "a list with one partition", "none")
		return c
	}
	items := d.items(InFile, "partitions", partitions)
	if len(items) == 0 && partitions.kind == list {
		d.add(partitions.at, InFile, "partitions", "one partition", "an empty list")
	}
	for i, item := range items {
		if i >= maxPartitions {
			d.exceeded(item.value.at, InFile, "partitions", "at most "+strconv.Itoa(maxPartitions)+" partitions")
		}
		if d.used.full {
			break
		}
		c.Partitions = append(c.Partitions, d.readPartition(item.value, len(c.Partitions) == 0))
	}
	d.checkPartitionNames(c.Partitions, items[:len(c.Partitions)])
	return c
}

func (d *decoder) checkPartitionNames(partitions []*Partition, items []field) {
	seen := make(map[string]int, len(partitions))
	for i, p := range partitions {
		name := strings.ToLower(p.Name)
		if first, ok := seen[name]; ok {
			at := items[i].value.at
			if f := items[i].value.field("name"); f != nil {
				at = f.value.at
			}
			d.add(at, InPartition, "name", "each partition once", quote(p.Name)+" again, after partition "+strconv.Itoa(first+1))
			continue
		}
		seen[name] = i
	}
}
