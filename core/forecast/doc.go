// Package forecast estimates when a pending ask will start. It plays the present forward several times. In each play, run times are drawn
// from those of alike allocations that have ended, and nothing is submitted that is not there yet.
//
// A play of a number is the same whenever and wherever it is played: its draws follow from a seed, the number and the IDs of the asks.
package forecast
