package program

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/cmd/quern/cli"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

func TestLive_ReportsItsHealth(t *testing.T) {
	folder(t, nil)
	var traces atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { traces.Add(1) }))
	defer collector.Close()
	address, end := hosted(t, "--ephemeral", "--otlp-endpoint", collector.URL, "--otlp-sample", "1", "--metrics-open")
	c := &client{key: "k", told: map[int]string{}, body: `{"type":"node.add","id":"n1","capacity":{"vcore":1}}`}
	if err := c.once(address); err != nil {
		t.Fatal(err)
	}
	metrics, _ := get(t, address+"/metrics")
	for _, sample := range []string{`quern_nodes{state="schedulable"} 1`, `quern_http_requests_total{code="200",route="POST /v1/inputs"} 1`, `go_goroutines `, `process_open_fds `} {
		if !strings.Contains(metrics, "\n"+sample) {
			t.Errorf("found no %s", sample)
		}
	}
	if yunikorn, _ := get(t, address+"/ws/v1/metrics"); !strings.Contains(yunikorn, "\nquern_rounds_total ") {
		t.Error("the metrics are not where clients of YuniKorn look for them")
	}
	stats, _ := get(t, address+"/v1/stats")
	if !json.Valid([]byte(stats)) || !strings.Contains(stats, `"nodes":1`) {
		t.Errorf("found %s", stats)
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	if traces.Load() == 0 {
		t.Error("no traces were sent")
	}
}

func TestWhatComesOverGRPCIsCountedAndTraced(t *testing.T) {
	folder(t, nil)
	var sent syncedText
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent.add(string(body))
	}))
	defer collector.Close()
	h := hostedWith(t, "--ephemeral", "--otlp-endpoint", collector.URL, "--otlp-sample", "1")
	conn, err := grpc.NewClient(h.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := quernv1.NewSchedulerClient(conn).GetNode(t.Context(), &quernv1.GetNodeRequest{Id: "n1"}); status.Code(err) != codes.NotFound {
		t.Errorf("found %v", err)
	}
	manager := siv1.NewSchedulerClient(conn)
	_, err = manager.RegisterResourceManager(t.Context(), &siv1.RegisterResourceManagerRequest{RmID: "rm-1"})
	var nodes grpc.BidiStreamingClient[siv1.NodeRequest, siv1.NodeResponse]
	if err == nil {
		nodes, err = manager.UpdateNode(t.Context())
	}
	if err == nil {
		err = nodes.Send(&siv1.NodeRequest{RmID: "rm-1", Nodes: []*siv1.NodeInfo{{NodeID: "n1", Action: siv1.NodeInfo_CREATE}}})
	}
	if err == nil {
		_, err = nodes.Recv()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, sample := range []string{`quern_grpc_calls_total{code="NOT_FOUND",method="quern.v1.Scheduler/GetNode"} 1`,
		`quern_grpc_streams{method="si.v1.Scheduler/UpdateNode"} 1`, `quern_grpc_stream_messages_total{direction="received",method="si.v1.Scheduler/UpdateNode"} 1`} {
		metrics := ""
		for deadline := time.Now().Add(10 * time.Second); !strings.Contains(metrics, "\n"+sample); { // a call is counted after its client has the answer
			if time.Now().After(deadline) {
				t.Fatalf("found no %s", sample)
			}
			metrics, _ = get(t, "http://"+h.http+"/metrics")
		}
	}
	_ = conn.Close()
	if code := h.end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	for _, name := range []string{"quern.v1.Scheduler/GetNode", "si.v1.Scheduler/UpdateNode", "make durable"} {
		if !strings.Contains(sent.all(), name) {
			t.Errorf("no span %s was sent", name)
		}
	}
}

// syncedText is text that many may add to.
type syncedText struct {
	mu   sync.Mutex
	text string
}

func (s *syncedText) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text += text
}

func (s *syncedText) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text
}

func TestTelemetrySettings_WrongOnesRefused(t *testing.T) {
	folder(t, nil)
	for _, c := range []struct{ flag, value, err string }{
		{"--log-format", "xml", "expected text or json"},
		{"--log-level", "loud", "expected debug, info, warn or error"},
		{"--log-level", "info,disk=debug", "expected one of loop"},
		{"--metrics-queues", "-1", "0 or more"},
		{"--otlp-endpoint", "collector:4317", "such as http://127.0.0.1:4318"},
		{"--otlp-endpoint", "ftp://collector", "such as http://127.0.0.1:4318"},
		{"--otlp-sample", "2", "from 0 to 1"},
		{"--otlp-sample", "NaN", "from 0 to 1"},
	} {
		quern("", "serve", "--ephemeral", "--http", "127.0.0.1:0", c.flag, c.value).want(t, cli.BadInput, "", c.err)
	}
}

func TestTheLogIsJSONWhereThatIsWanted(t *testing.T) {
	folder(t, map[string]string{"broken.yaml": "partitions: 3", "quern.toml": "log-format = \"json\"\n"})
	r := quern("", "serve", "--ephemeral", "--http", "127.0.0.1:0", "--config", "broken.yaml")
	for line := range strings.Lines(r.err) {
		var o struct{ Level, Msg, Subsystem string }
		if err := json.Unmarshal([]byte(line), &o); err == nil && o.Level == "WARN" && o.Subsystem == "store" && strings.Contains(o.Msg, "memory only") {
			return
		}
	}
	t.Errorf("found no such record in %s", r.err)
}

func TestAHangUpEndsNoService(t *testing.T) {
	h := startHost(t, filepath.Join(t.TempDir(), "data"))
	defer h.kill(t)
	if err := h.command.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	c := &client{key: "k", told: map[int]string{}, body: `{"type":"node.add","id":"n1","capacity":{"vcore":1}}`}
	if err := c.once(h.address); err != nil {
		t.Error(err)
	}
}
