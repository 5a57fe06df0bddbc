// Package objects has what readers of a live scheduler are shown: queues, nodes, applications and asks as objects, one by name or in
// pages. All of the interfaces show the same.
//
// A reader takes what it shows from the server's view a little at a time, so that a long list delays no other reader: what a page has may
// have changed while it was made, as it may have between two pages. Order and places in lists are those of core.Page.
package objects
