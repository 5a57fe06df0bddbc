package recording

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
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

	streams bool // lists come by watches, as newer API servers have it

	mu        sync.Mutex
	nodes     corev1.NodeList
	pods      corev1.PodList
	selectors []string // of the requests for pods
	from      []string // the versions from which pods were watched
}

// newServer serves nodes and pods.
func newServer(t testing.TB, objects ...runtime.Object) *server {
	s := &server{t: t, events: make(chan metav1.WatchEvent, 10)}
	version := metav1.ListMeta{ResourceVersion: "7"}
	s.nodes.ListMeta, s.pods.ListMeta = version, version
	for _, o := range objects {
		switch o := o.(type) {
		case *corev1.Node:
			s.nodes.Items = append(s.nodes.Items, *o)
		case *corev1.Pod:
			s.pods.Items = append(s.pods.Items, *o)
		}
	}
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
	list := s.list(resource, q)
	switch {
	case list == nil || q.URL.Query().Get("sendInitialEvents") == "true" && !(s.streams && resource == "pods"): // the client lists then
		http.Error(w, "not served", http.StatusUnprocessableEntity)
	case q.URL.Query().Get("watch") == "true":
		s.watch(w, q, resource)
	default:
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		_, _ = w.Write(s.encoded(list)) // a client that is gone needs no answer
	}
}

func (s *server) list(resource string, q *http.Request) runtime.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch resource {
	case "nodes":
		return s.nodes.DeepCopy()
	case "pods":
		s.selectors = append(s.selectors, q.URL.Query().Get("fieldSelector"))
		return s.pods.DeepCopy()
	case "namespaces":
		return &corev1.NamespaceList{ListMeta: s.nodes.ListMeta}
	case "priorityclasses":
		return &schedulingv1.PriorityClassList{ListMeta: s.nodes.ListMeta}
	}
	return nil
}

// replace has lists answer with other pods, of which no watch tells.
func (s *server) replace(pods ...*corev1.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pods.Items = nil
	for _, p := range pods {
		s.pods.Items = append(s.pods.Items, *p)
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
	} else if err := s.initial(out, q); err != nil {
		return // the client is gone
	}
	w.(http.Flusher).Flush()
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

// initial begins a watch of pods, with those that are there if it is to replace a list.
func (s *server) initial(out streaming.Encoder, q *http.Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = append(s.from, q.URL.Query().Get("resourceVersion"))
	if q.URL.Query().Get("sendInitialEvents") != "true" {
		return nil
	}
	var errs []error
	for i := range s.pods.Items {
		errs = append(errs, out.Encode(&metav1.WatchEvent{Type: string(watch.Added), Object: runtime.RawExtension{Raw: s.encoded(&s.pods.Items[i])}}))
	}
	end := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: s.pods.ResourceVersion, Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}
	return errors.Join(append(errs, out.Encode(&metav1.WatchEvent{Type: string(watch.Bookmark), Object: runtime.RawExtension{Raw: s.encoded(end)}}))...)
}

// watched are the versions from which pods were watched.
func (s *server) watched() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.from)
}

func (s *server) send(kind watch.EventType, pod *corev1.Pod) {
	pod.ResourceVersion = "8"
	s.tell(kind, pod)
}

// tell sends an event to one watch of pods.
func (s *server) tell(kind watch.EventType, o runtime.Object) {
	s.events <- metav1.WatchEvent{Type: string(kind), Object: runtime.RawExtension{Raw: s.encoded(o)}}
}

// recorder records what the server says.
func (s *server) recorder(o Options) *Recorder {
	s.t.Helper()
	o.Cluster = &rest.Config{Host: s.URL}
	o.Log = slog.New(slog.DiscardHandler)
	r, err := New(o)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// imaged is a pod with an image, which no history needs.
func imaged(name, node string) *corev1.Pod {
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
	s.send(watch.Added, imaged("b", ""))
	if e := <-w.ResultChan(); e.Type != watch.Added || e.Object.(*corev1.Pod).Name != "b" || e.Object.(*corev1.Pod).Spec.Containers[0].Image != "" {
		s.t.Errorf("watched %+v", e)
	}
}

func TestRecorder_ReadsProtobuf(t *testing.T) {
	s, parts := newServer(t, nodeObject("n1"), imaged("a", "")), &sharedParts{}
	r := s.recorder(Options{Create: parts.create})
	s.decodesLess(r)
	stop := run(t, r)
	parts.awaitText(t, `"ask.add","id":"default/a","app":"default/a","resources":{"pods":1,"vcore":"1000m"}`)
	s.send(watch.Modified, imaged("a", "n1"))
	parts.awaitText(t, `"allocation.restore","id":"default/a"`)
	s.send(watch.Deleted, imaged("a", "n1"))
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
