//go:build !poison

package table

const poisoning = false

type loan[T comparable] struct{}

func (a *array[T]) lend(uint32) { _ = a.loan }
func (a *array[T]) endLoan()    {}

func (v *Vectors) lend(int) { _ = v.loan }
func (v *Vectors) endLoan() {}

type denseLoan[T comparable] struct{}

func (d *Dense[R]) lend()    { _ = d.loan }
func (d *Dense[R]) endLoan() {}
