// Package importrules holds the rules of the building: which package may import what, and what the pure core may not
// contain. The rules are data here (Rooms, Libraries); the tests of this package read every Go file of the module
// and name the line that breaks one. Nothing imports this package.
package importrules
