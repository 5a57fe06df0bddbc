package guest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/policy"
)

// Limits bound a module. Zero fields mean the defaults.
type Limits struct {
	Pages   uint32 // of memory, 64 KiB each; default 256, at most 4096
	Fuel    int64  // of a call, beside that for its rows; default 1,000,000. A unit is about one instruction
	RowFuel int64  // of a call, for each row asked about; default 2,000
}

// MostPages bounds the memory of any module, in pages of 64 KiB.
const MostPages = 4096

const (
	defaultPages   = 256
	defaultFuel    = 1_000_000
	defaultRowFuel = 2_000
	// mostFuel bounds a call whatever the limits say: 2 to 10 ms. Only calls about thousands of siblings come near it.
	mostFuel = 20_000_000
)

// Filled is l with defaults for the fields that are zero.
func (l Limits) WithDefaults() Limits {
	if l.Pages == 0 {
		l.Pages = defaultPages
	}
	l.Pages = min(l.Pages, MostPages)
	if l.Fuel == 0 {
		l.Fuel = defaultFuel
	}
	if l.RowFuel == 0 {
		l.RowFuel = defaultRowFuel
	}
	return l
}

// page is what memories grow by, in bytes.
const page = 64 << 10

// Bounds are the limits as operators write them and manifests announce them.
type Bounds struct {
	Memory      string `json:"memory,omitempty"` // such as 16MiB, the default
	Fuel        int64  `json:"fuel,omitempty"`
	FuelPerItem int64  `json:"fuel_per_item,omitempty"`
}

// mostGiven is the most fuel that an operator may give a call, some 10 ms.
const mostGiven = 10_000_000

// Check says which of the bounds cannot be, by its name in a manifest; "" where all can.
func (b Bounds) Check() (key string, err error) {
	if _, err := b.pages(); err != nil {
		return "memory", err
	}
	if b.Fuel < 0 || b.Fuel > mostGiven {
		return "fuel", fmt.Errorf("expected 1 to %d, found %d", mostGiven, b.Fuel)
	}
	if b.FuelPerItem < 0 || b.FuelPerItem > mostGiven {
		return "fuel_per_item", fmt.Errorf("expected 1 to %d, found %d", mostGiven, b.FuelPerItem)
	}
	return "", nil
}

// Limits are the bounds as numbers.
func (b Bounds) Limits() (Limits, error) {
	pages, err := b.pages()
	return Limits{Pages: pages, Fuel: b.Fuel, RowFuel: b.FuelPerItem}, err
}

// pages is the bound of the memory in pages; 0: the default.
func (b Bounds) pages() (uint32, error) {
	if b.Memory == "" {
		return 0, nil
	}
	const most = MostPages * page
	units := map[string]uint64{"KiB": 1 << 10, "MiB": 1 << 20}
	for unit, size := range units {
		number, ok := strings.CutSuffix(b.Memory, unit)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(number, 10, 64)
		if err == nil && strconv.FormatUint(n, 10) == number && n <= most/size && n*size >= page {
			return uint32(n * size / page), nil
		}
	}
	return 0, fmt.Errorf("expected 64KiB to 256MiB, found %q", b.Memory)
}

// Announced reads the limits that a manifest announces.
func LimitsOf(m *policy.Manifest) (Limits, error) {
	var b Bounds
	if len(m.Limits) == 0 {
		return Limits{}, nil
	}
	if err := json.Unmarshal(m.Limits, &b); err != nil {
		return Limits{}, fmt.Errorf("manifest: limits: %w", err)
	}
	return b.Limits()
}
