# Prints the targets of the Makefile by group: those of every day with what they do, the others by name. With the variable of, one group with
# what its targets do. A target is a line "name: ... ## [group] What it does"; without a group it is one of every day.
/^[a-z-]+:.*## / {
	name = $0; sub(/:.*/, "", name)
	does = $0; sub(/.*## /, "", does)
	group = "daily"
	if (match(does, /^\[[a-z]+\] /)) {
		group = substr(does, 2, RLENGTH - 3)
		does = substr(does, RLENGTH + 1)
	}
	if (!(group in names)) order[++groups] = group
	names[group] = names[group] " " name
	if (group == (of ? of : "daily")) printf "%-16s %s\n", name, does
}
END {
	if (of) exit !(of in names)
	print "\nmake help GROUP=NAME says what the other targets do:"
	for (i = 1; i <= groups; i++) if (order[i] != "daily") printf "%-10s%s\n", order[i], names[order[i]]
}
