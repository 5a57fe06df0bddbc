//go:build linux

package program

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quern-project/quern/internal/await"
)

// smallDisk mounts a disk in memory, where the machine allows it.
func smallDisk(t *testing.T, megabytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Skipf("skipped, because a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestAFullDiskMakesTheHostReadOnlyUntilThereIsRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes more than a hundred megabytes")
	}
	disk := smallDisk(t, 200)
	data := filepath.Join(disk, "data")
	h := startHost(t, data)
	// A large input that the scheduler refuses fills the record, and nothing else.
	large := fmt.Sprintf(`{"type":"config.set","config":"# %s"}`, strings.Repeat("x", 4<<20))
	if status, text := post(t, h.address, large); status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 100<<20), 0o600); err == nil {
		t.Fatal("the disk is larger than expected")
	}
	taken, refusal := 1, ""
	for ; refusal == "" && taken < 100; taken++ {
		if status, text := post(t, h.address, large); status != http.StatusOK {
			refusal = text
			if status != http.StatusServiceUnavailable || !strings.Contains(text, "store_failed") {
				t.Fatalf("%d %s", status, text)
			}
		}
	}
	if _, answer := get(t, h.address+"/readyz"); refusal == "" || answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d inputs were taken, and the host is %s", taken, answer.Status)
	}
	if body, _ := get(t, h.address+"/v1/queues/root.default"); !strings.Contains(body, `"leaf":true`) {
		t.Errorf("a reader found %s", body)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	// What was refused takes no room for long: segments that no recovery needs go with the next snapshot.
	await.True(t, "an input to be accepted with room on the disk", func() bool {
		status, _ := post(t, h.address, `{"type":"node.add","id":"after","capacity":{"vcore":1}}`)
		return status == http.StatusOK
	})
	decisions := allDecisions(t, h.address)
	h.kill(t)
	h = startHost(t, data)
	if again := allDecisions(t, h.address); strings.Join(again, "\n") != strings.Join(decisions, "\n") {
		t.Errorf("%d decisions before a crash, %d after it", len(decisions), len(again))
	}
	if body, _ := get(t, h.address+"/v1/nodes/after"); !strings.Contains(body, `"node":"after"`) {
		t.Errorf("found %s", body)
	}
	h.kill(t)
}
