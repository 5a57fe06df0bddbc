package main

import "testing"

func TestFiguresOfTwoProgramsAreComparedTurnByTurn(t *testing.T) {
	const head = "| workload | size | allocations/s | heap in use, MB | wanted |\n|---|---|--:|--:|---|\n"
	const growth = "\n| fill, by nodes | ns | ratio |\n|--:|--:|--:|\n| 1,000 | 5 | 1.00 |\n"
	var before, after figures
	before.read(head + "| fill | 1,000 / 1 | 1,000 | 10 |  |\n| gone | 7 | 5 | 5 |  |\n" + growth)
	before.read(head + "| fill | 1,000 / 1 | 2,000 | 10 |  |\n| gone | 7 | 5 | 5 |  |\n" + growth)
	before.read(head + "| fill | 1,000 / 1 | 4,000 | 10 |  |\n| gone | 7 | 5 | 5 |  |\n" + growth)
	for range 3 {
		after.read(head + "| fill | 1,000 / 1 | 4,000 | 5 | at least 7 |\n| new | 1 | 5 | 5 |  |\n" + growth)
	}
	const expected = "\n| fill | size | figure | other | this | this / other |\n|---|---|---|--:|--:|--:|\n" +
		"| fill | 1,000 / 1 | allocations/s | 2,000 | 4,000 | **2.00** (1.00 – 4.00) |\n" +
		"| fill | 1,000 / 1 | heap in use, MB | 10 | 5 | **0.50** (0.50 – 0.50) |\n"
	if found := ratioTable("fill", &before, &after); found != expected {
		t.Errorf("expected\n%s\nfound\n%s", expected, found)
	}
}
