// Package clock is a clock that only counts. It never goes back, and no correction of the date moves it. On Linux it also counts the time in
// which the machine was suspended, unlike the monotonic clock of package time.
package clock
