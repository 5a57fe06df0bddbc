// Package objects holds the read access to a live scheduler: queues, nodes, applications and asks, by name or in pages. All interfaces use it, so they
// show the same.
//
// A reader takes a little at a time from the server's view, so a long list delays no other reader. The state may change within a list, and between
// two pages. The order of lists and their places are those of core.Page.
package objects
