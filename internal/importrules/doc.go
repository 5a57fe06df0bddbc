// Package importrules holds the rules about imports as data: which package may import which (Rules, Libraries), and what
// the pure core may not contain (Purity). Its tests read every Go file of the module and name the lines that violate a
// rule. No package imports it.
package importrules
