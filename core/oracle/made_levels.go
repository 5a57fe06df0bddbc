package oracle

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// mostMade bounds the attributes for which asks may have levels made.
const mostMade = 64

// makeLevels makes the levels that the asks of the partition need, and those that a new ask needs.
func (p *partition) makeLevels(more core.Topology) {
	p.settings = p.settings.WithLevels()
	p.settings = p.settings.WithLevels(p.attributesNamed(more)...)
}

// attributesNamed lists the attributes that the asks of the partition and a new one name and that no level of the configuration has, sorted.
func (p *partition) attributesNamed(more core.Topology) (list []string) {
	configured := p.settings.WithLevels()
	named := []string{more.Required, more.Preferred}
	for _, k := range p.ownAsks() {
		named = append(named, k.details.Topology.Required, k.details.Topology.Preferred)
	}
	for _, level := range named {
		if attribute, is := strings.CutPrefix(level, config.AttributePrefix); is && attribute != "" && configured.Level(level) < 0 {
			list = append(list, attribute)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// needsTooManyLevels reports whether a new ask needs another level, and as many are made already as may be.
func (p *partition) needsTooManyLevels(t core.Topology) bool {
	have := p.attributesNamed(core.Topology{})
	return len(have) >= mostMade && len(p.attributesNamed(t)) > len(have)
}
