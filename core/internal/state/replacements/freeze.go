package replacements

import (
	"slices"

	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Frozen is an immutable version of the notices and replacements of a partition. Any goroutine may fork it.
type Frozen struct {
	rows          table.Frozen[Replacement]
	replacementOf table.FrozenColumn[table.ID]
	ready         []table.ID
	notices       table.Frozen[Notice]
	noticeOf      table.FrozenColumn[table.ID]
	texts         table.FrozenTexts
}

// Freeze returns an immutable version, in time proportional to the number of ready tasks.
func (o *Replacements) Freeze() *Frozen {
	return &Frozen{
		o.rows.Freeze(), o.replacementOf.Freeze(), slices.Clone(o.ready), o.notices.Freeze(), o.noticeOf.Freeze(), o.texts.Freeze(),
	}
}

// Fork returns an owner that starts with the notices and replacements of the version.
func (f *Frozen) Fork() *Replacements {
	return &Replacements{
		f.rows.Fork(), f.replacementOf.Fork(), slices.Clone(f.ready), f.notices.Fork(), f.noticeOf.Fork(), f.texts.Fork(),
	}
}
