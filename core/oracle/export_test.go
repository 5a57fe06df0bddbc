package oracle

// NewOfUnits returns an oracle that preempts gangs as units.
func NewOfUnits() *Oracle {
	o := New()
	o.units = true
	return o
}
