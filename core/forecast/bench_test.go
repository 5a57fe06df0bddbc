package forecast_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/forecast"
)

// BenchmarkForecast plays a forecast of the last of 1,000 pending asks beside 10,000 allocations.
func BenchmarkForecast(b *testing.B) {
	var lines strings.Builder
	lines.WriteString(strings.SplitAfter(oneNode, "\n")[0])
	for i := range 1000 {
		fmt.Fprintf(&lines, `{"at":"0s","type":"node.add","id":"n%d","capacity":{"vcore":10}}
`, i)
	}
	for i := range 100 {
		fmt.Fprintf(&lines, `{"at":"0s","type":"app.add","id":"train-%d","queue":"root.a","user":"u%d"}
`, i, i%10)
	}
	for i := range 10_500 { // 500 have ended
		fmt.Fprintf(&lines, `{"at":"1s","type":"ask.add","id":"r%d","app":"train-%d","resources":{"vcore":1},"run":"%dm","walltime":"10h"}
`, i, i%100, 1+i%300*2)
	}
	for i := range 500 {
		fmt.Fprintf(&lines, `{"at":"10m","type":"ask.add","id":"p%d","app":"train-%d","resources":{"vcore":1},"walltime":"10h"}
`, i, i%100)
	}
	w := play(b, 10*time.Minute, lines.String())
	root := w.Totals().Queues[0]
	frozen, err := w.Freeze()
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for range b.N {
		f, ok := forecast.New(w.Scheduler, w.runs, forecast.Options{Ask: "p499"})
		if !ok {
			b.Fatal("it is not pending")
		}
		r := f.Run(func() (core.Machine, func()) { return frozen.Fork(core.Options{}), func() {} }, func() bool { return false })
		if r.Started != forecast.Plays {
			b.Fatal("it does not start")
		}
	}
	b.ReportMetric(float64(root.Allocations), "allocations")
	b.ReportMetric(float64(root.PendingAsks), "pending")
}
