package wazero_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/host/policy/wazero"
)

// BenchmarkStart is a start with a cache that has the module's code: the runtime, the load, and the end of both.
func BenchmarkStart(b *testing.B) {
	for _, name := range []string{"fair-c", "fair-go"} {
		file, err := os.ReadFile(filepath.Join("..", "..", "..", "build", "policies", name+".wasm"))
		if err != nil {
			b.Skipf("make policies builds it: %v", err)
		}
		b.Run(name, func(b *testing.B) {
			cache := b.TempDir()
			started(b, cache, file)
			for b.Loop() {
				started(b, cache, file)
			}
		})
	}
}

func started(b *testing.B, cache string, file []byte) {
	b.Helper()
	ctx := context.Background()
	r, err := wazero.New(ctx, wazero.Options{Cache: cache})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := r.Load(ctx, "m", file, wazero.Limits{}); err != nil {
		b.Fatal(err)
	}
	if err := r.Close(ctx); err != nil {
		b.Fatal(err)
	}
}
