package recording

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// server answers lists and watches in protobuf, as an API server does.
type server struct {
	*httptest.Server
	t      testing.TB
	events chan metav1.WatchEvent // of pods

	mu        sync.Mutex
	selectors []string // of the requests for pods
}

func newServer(t testing.TB) *server {
	s := &server{t: t, events: make(chan metav1.WatchEvent, 10)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	parts := strings.Split(q.URL.Path, "/")
	resource := parts[len(parts)-1]
	if resource == "pods" {
		s.mu.Lock()
		s.selectors = append(s.selectors, q.URL.Query().Get("fieldSelector"))
		s.mu.Unlock()
	}
	version := metav1.ListMeta{ResourceVersion: "7"}
	lists := map[string]runtime.Object{
		"nodes":           &corev1.NodeList{ListMeta: version, Items: []corev1.Node{*nodeObject("n1")}},
		"pods":            &corev1.PodList{ListMeta: version, Items: []corev1.Pod{*s.pod("a", "")}},
		"namespaces":      &corev1.NamespaceList{ListMeta: version},
		"priorityclasses": &schedulingv1.PriorityClassList{ListMeta: version},
	}
	switch {
	case lists[resource] == nil || q.URL.Query().Get("sendInitialEvents") == "true": // the client lists then
		http.Error(w, "not served", http.StatusUnprocessableEntity)
	case q.URL.Query().Get("watch") == "true":
		s.watch(w, q, resource)
	default:
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		_, _ = w.Write(s.encoded(lists[resource])) // a client that is gone needs no answer
	}
}

func (s *server) protobuf() runtime.SerializerInfo {
	info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	if !ok {
		s.t.Error("no protobuf")
	}
	return info
}

func (s *server) encoded(o runtime.Object) []byte {
	versions := schema.GroupVersions{corev1.SchemeGroupVersion, schedulingv1.SchemeGroupVersion}
	text, err := runtime.Encode(scheme.Codecs.EncoderForVersion(s.protobuf().Serializer, versions), o)
	if err != nil {
		s.t.Error(err)
	}
	return text
}

func (s *server) watch(w http.ResponseWriter, q *http.Request, resource string) {
	info := s.protobuf().StreamSerializer
	w.Header().Set("Content-Type", runtime.ContentTypeProtobuf+";stream=watch")
	w.(http.Flusher).Flush()
	out := streaming.NewEncoder(info.Framer.NewFrameWriter(w), info.Serializer)
	events := s.events
	if resource != "pods" {
		events = nil
	}
	for {
		select {
		case <-q.Context().Done():
			return
		case e := <-events:
			if err := out.Encode(&e); err != nil {
				return // the client is gone
			}
			w.(http.Flusher).Flush()
		}
	}
}

func (s *server) send(kind watch.EventType, pod *corev1.Pod) {
	pod.ResourceVersion = "8"
	s.events <- metav1.WatchEvent{Type: string(kind), Object: runtime.RawExtension{Raw: s.encoded(pod)}}
}

// pod is a pod with an image, which no history needs.
func (*server) pod(name, node string) *corev1.Pod {
	p := podObject(name, node)
	p.Spec.Containers[0].Image = "registry.example/app:v1"
	return p
}

// decodesLess checks that the recorder's client leaves out what a history does not need, of lists and of watches.
func (s *server) decodesLess(r *Recorder) {
	s.t.Helper()
	list, err := r.pods.List(s.t.Context(), metav1.ListOptions{FieldSelector: unended})
	if err != nil || len(list.Items) != 1 || list.Items[0].Spec.Containers[0].Image != "" {
		s.t.Errorf("listed %+v, %v", list, err)
	}
	w, err := r.pods.Watch(s.t.Context(), metav1.ListOptions{FieldSelector: unended})
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Stop()
	s.send(watch.Added, s.pod("b", ""))
	if e := <-w.ResultChan(); e.Type != watch.Added || e.Object.(*corev1.Pod).Name != "b" || e.Object.(*corev1.Pod).Spec.Containers[0].Image != "" {
		s.t.Errorf("watched %+v", e)
	}
}

func TestAPodIsRecordedFromAnAPIServerThatSpeaksProtobuf(t *testing.T) {
	s, parts := newServer(t), &sharedParts{}
	r, err := New(Options{Cluster: &rest.Config{Host: s.URL}, Create: parts.create, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s.decodesLess(r)
	stop := run(t, r)
	parts.awaitText(t, `"ask.add","id":"default/a","app":"default/a","resources":{"pods":1,"vcore":"1000m"}`)
	s.send(watch.Modified, s.pod("a", "n1"))
	parts.awaitText(t, `"allocation.restore","id":"default/a"`)
	s.send(watch.Deleted, s.pod("a", "n1"))
	parts.awaitText(t, `"allocation.release","id":"default/a"`)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	replayed(t, strings.NewReader(parts.texts()[0]))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, selector := range s.selectors {
		if selector != "status.phase!=Succeeded,status.phase!=Failed" {
			t.Errorf("pods were requested with the field selector %q", selector)
		}
	}
}
