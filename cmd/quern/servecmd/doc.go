// Package servecmd holds quern serve: the settings of a live scheduler, what it listens on, and how it starts, reloads and ends. Programs
// for a platform make an Extension with it.
package servecmd
