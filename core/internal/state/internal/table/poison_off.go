//go:build !poison

package table

const poisoning = false

type loan[T comparable] struct{}

func (a *array[T]) lend(uint32) {}
func (a *array[T]) endLoan()    {}

func (v *Vectors) lend(int) {}
func (v *Vectors) endLoan() {}
