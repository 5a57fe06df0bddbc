package departures

import "github.com/quern-project/quern/core/internal/state/internal/table"

// Frozen is a version of the leaving victims. It never changes, so any goroutines may read it.
type Frozen struct {
	rows    table.Frozen[victim]
	of      table.FrozenColumn[table.ID]
	details table.FrozenRecords[Departure]
}

// Freeze returns an immutable version, in constant time.
func (o *Departures) Freeze() *Frozen {
	return &Frozen{rows: o.rows.Freeze(), of: o.of.Freeze(), details: o.details.Freeze()}
}

// Fork returns an owner that starts with the victims of the version.
func (f *Frozen) Fork() *Departures {
	return &Departures{rows: f.rows.Fork(), of: f.of.Fork(), details: f.details.Fork()}
}
