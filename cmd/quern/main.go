// Command quern schedules: it replays journals through the scheduler, checks configurations, explains why asks wait,
// plays scenarios, and serves a live scheduler.
package main

import "github.com/quern-project/quern/cmd/quern/program"

func main() { program.Main() }
