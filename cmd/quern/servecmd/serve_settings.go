package servecmd

import (
	"context"

	"github.com/quern-project/quern/host/observe/logging"
)

// liveSetting are flags of quern serve whose settings take effect while the host runs. All others wait for the next start.
type liveSetting struct {
	flags []string
	// prepare makes what a change needs, and returns what puts it in force. Nothing has changed where it fails.
	prepare func(ctx context.Context, v *service, f *serveFlags) (change func(), err error)
	// needs reports whether the host was started with what it takes for a change; nil: always.
	needs func(v *service) bool
}

// always is a prepare that needs nothing and cannot fail.
func always(change func(v *service, f *serveFlags)) func(context.Context, *service, *serveFlags) (func(), error) {
	return func(_ context.Context, v *service, f *serveFlags) (func(), error) {
		return func() { change(v, f) }, nil
	}
}

// liveSettings are all of them. The values have been checked.
var liveSettings = []liveSetting{
	{flags: []string{"log-level"}, prepare: func(_ context.Context, v *service, f *serveFlags) (func(), error) {
		levels, err := logging.ParseLevels(f.observe.logLevel)
		return func() { v.seen.logs.Set(levels) }, err
	}},
	{flags: []string{"log-format"}, prepare: always(func(v *service, f *serveFlags) {
		_ = v.seen.logs.SetFormat(f.observe.logFormat) // it is one
	})},
	{flags: []string{"metrics-open"}, prepare: always(func(v *service, f *serveFlags) { v.seen.open.Store(f.observe.metricsOpen) })},
	{flags: []string{"metrics-queues"}, prepare: always(func(v *service, f *serveFlags) { v.seen.metrics.SetQueues(f.observe.metricsQueues) })},
	{flags: []string{"otlp-endpoint", "otlp-sample"}, prepare: func(ctx context.Context, v *service, f *serveFlags) (func(), error) {
		change, err := v.seen.tracing.Prepare(ctx, f.observe.traces(v.seen))
		return func() { v.seen.lost(change()) }, err
	}},
	{flags: []string{"client-rate", "client-requests", "client-streams"}, prepare: always(func(v *service, f *serveFlags) { v.security.clients.SetBounds(f.security.bounds) })},
	{flags: []string{"connections"}, prepare: always(func(v *service, f *serveFlags) { v.security.connect(f.security.connections) })},
	{flags: []string{"cors-origin"}, prepare: always(func(v *service, f *serveFlags) { v.security.origins.Set(f.security.origins) })},
	{flags: []string{"retain"}, prepare: always(func(v *service, f *serveFlags) { v.live.SetRetain(f.retain) })},
	{flags: []string{"snapshot-batches"}, prepare: always(func(v *service, f *serveFlags) { v.live.SetSnapshotBatches(f.record.snapshots) })},
	{flags: []string{"policy-upload"}, needs: func(v *service) bool { return v.policies },
		prepare: always(func(v *service, f *serveFlags) { v.upload.Store(f.policies.upload) })},
	{flags: []string{"demo-speed"}, needs: func(v *service) bool { return v.lapse != nil },
		prepare: always(func(v *service, f *serveFlags) { v.lapse.SetSpeed(f.demo.speed) })},
}

// liveSettingOf is the one of a flag; nil: a change waits for the next start.
func liveSettingOf(flag string) *liveSetting {
	for i := range liveSettings {
		for _, name := range liveSettings[i].flags {
			if name == flag {
				return &liveSettings[i]
			}
		}
	}
	return nil
}
