package podgroup

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	discoveryfake "k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/quern-project/quern/internal/await"
)

// server is an API server that has pod groups of some versions. What each version has is its own here.
type server struct {
	discovery.DiscoveryInterface

	mu       sync.Mutex
	versions []string
	client   *fake.FakeDynamicClient
	changed  map[string]int // by key
	moved    int
	watches  int // that have begun
}

func (s *server) serve(versions ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions = versions
}

// ServerResourcesForGroupVersion implements discovery.DiscoveryInterface.
func (s *server) ServerResourcesForGroupVersion(version string) (*metav1.APIResourceList, error) {
	s.mu.Lock()
	lists := []*metav1.APIResourceList{{GroupVersion: apiGroup + "/v1", APIResources: []metav1.APIResource{{Name: "priorityclasses"}}}}
	for _, v := range s.versions {
		lists = append(lists, &metav1.APIResourceList{GroupVersion: apiGroup + "/" + v, APIResources: []metav1.APIResource{{Name: resource}}})
	}
	s.mu.Unlock()
	return (&discoveryfake.FakeDiscovery{Fake: &clienttesting.Fake{Resources: lists}}).ServerResourcesForGroupVersion(version)
}

// ServerGroups implements discovery.DiscoveryInterface.
func (s *server) ServerGroups() (*metav1.APIGroupList, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	group := metav1.APIGroup{Name: apiGroup}
	for _, v := range append([]string{"v1"}, s.versions...) {
		group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: apiGroup + "/" + v, Version: v})
	}
	return &metav1.APIGroupList{Groups: []metav1.APIGroup{{Name: "apps"}, group}}, nil
}

// put has a version have a group.
func (s *server) put(t *testing.T, version, name string, least int64) {
	t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiGroup + "/" + version, "kind": "PodGroup", "metadata": map[string]any{"namespace": "ml", "name": name, "uid": name},
		"spec": map[string]any{"schedulingPolicy": map[string]any{"basic": map[string]any{}}}}}
	if least > 0 {
		o.Object["spec"] = map[string]any{"schedulingPolicy": map[string]any{"gang": map[string]any{"minCount": least}}}
	}
	gvr := schema.GroupVersionResource{Group: apiGroup, Version: version, Resource: resource}
	groups := s.client.Resource(gvr).Namespace("ml")
	if _, err := groups.Update(t.Context(), o, metav1.UpdateOptions{}); err == nil {
		return
	}
	if _, err := groups.Create(t.Context(), o, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func newServer() *server {
	kinds := map[schema.GroupVersionResource]string{}
	for _, v := range Known() {
		kinds[v.WithResource(resource)] = "PodGroupList"
	}
	s := &server{client: fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds), changed: map[string]int{}}
	s.client.PrependWatchReactor("*", func(a clienttesting.Action) (bool, watch.Interface, error) {
		w, err := s.client.Tracker().Watch(a.GetResource(), a.GetNamespace())
		s.mu.Lock()
		defer s.mu.Unlock()
		s.watches++
		return true, w, err
	})
	return s
}

// watched waits until so many watches have begun: unlike a real API server, this one forgets what came between a list and a watch.
func (s *server) watched(t *testing.T, n int) {
	t.Helper()
	await.True(t, "another watch", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.watches == n
	})
}

// follow follows the server until the test ends.
func (s *server) follow(t *testing.T) *Follower {
	t.Helper()
	f := New(Options{Client: s.client, Discovery: s, Log: slog.New(slog.DiscardHandler), Every: 12 * time.Millisecond,
		Changed: func(key string) { s.mu.Lock(); s.changed[key]++; s.mu.Unlock() }, Moved: func() { s.mu.Lock(); s.moved++; s.mu.Unlock() }})
	if err := f.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// told takes the keys of groups that were told of, until they are the wanted ones.
func (s *server) told(t *testing.T, want ...string) {
	t.Helper()
	await.Right(t, func() string {
		s.mu.Lock()
		defer s.mu.Unlock()
		if keys := slices.Sorted(maps.Keys(s.changed)); !slices.Equal(keys, want) {
			return "told of " + strings.Join(keys, ", ")
		}
		clear(s.changed)
		return ""
	})
}

func (f *Follower) becomes(t *testing.T, version string) {
	t.Helper()
	await.Right(t, func() string {
		if v := f.Served().Version.Version; v != version {
			return "the version is " + v
		}
		return ""
	})
}

func TestFollower_PrefersTheNewestKnown(t *testing.T) {
	for _, c := range []struct {
		has  []string
		want string
	}{{[]string{"v1alpha2"}, "v1alpha2"}, {[]string{"v1alpha3", "v1beta1"}, "v1beta1"}, {[]string{"v1alpha2", "v1alpha3", "v2"}, "v1alpha3"}, {[]string{"v2"}, ""}, {nil, ""}} {
		s := newServer()
		s.serve(c.has...)
		f := s.follow(t)
		if found := f.Served(); found.Version.Version != c.want {
			t.Errorf("of %v, %q is followed", c.has, found.Version.Version)
		} else if c.want == "" && len(found.Others) != len(c.has) {
			t.Errorf("of %v, the others are %v", c.has, found.Others)
		}
	}
}

func TestFollower_SaysWhatChanges(t *testing.T) {
	s := newServer()
	s.serve("v1beta1")
	s.put(t, "v1beta1", "first", 2)
	f := s.follow(t)
	s.watched(t, 1)
	if g := f.Get("ml/first"); g == nil || *g != (Group{Namespace: "ml", Name: "first", UID: "first", Gang: true, MinCount: 2}) {
		t.Errorf("found %+v", g)
	}
	s.put(t, "v1beta1", "second", 0)
	s.told(t, "ml/second")
	if g := f.Get("ml/second"); g == nil || g.Gang || g.MinCount != 0 {
		t.Errorf("found %+v", g)
	}
	s.put(t, "v1beta1", "first", 2) // says the same
	s.put(t, "v1beta1", "second", 3)
	s.told(t, "ml/second")
	if err := s.client.Resource(Known()[0].WithResource(resource)).Namespace("ml").Delete(t.Context(), "first", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	s.told(t, "ml/first")
	if g := f.Get("ml/first"); g != nil {
		t.Errorf("found %+v", g)
	}
}

// The API server has another version instead, nothing, and something again: groups that say the same in both are not told of.
func TestFollower_MovesToAnotherVersion(t *testing.T) {
	s := newServer()
	s.serve("v1alpha2")
	s.put(t, "v1alpha2", "same", 2)
	s.put(t, "v1alpha2", "other", 2)
	s.put(t, "v1beta1", "same", 2)
	s.put(t, "v1beta1", "other", 3)
	f := s.follow(t)
	s.watched(t, 1)
	s.serve("v1beta1", "v1alpha3")
	f.becomes(t, "v1beta1")
	s.told(t, "ml/other")
	if g := f.Get("ml/other"); g == nil || g.MinCount != 3 {
		t.Errorf("found %+v", g)
	}
	s.watched(t, 2)
	s.put(t, "v1beta1", "new", 1)
	s.told(t, "ml/new")
	s.serve()
	f.becomes(t, "")
	s.told(t, "ml/new", "ml/other", "ml/same")
	s.serve("v1beta1")
	f.becomes(t, "v1beta1")
	s.told(t, "ml/new", "ml/other", "ml/same")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.moved != 3 {
		t.Errorf("moved %d times", s.moved)
	}
}

func TestFollower_EndsWithItsContext(t *testing.T) {
	s := newServer()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := New(Options{Client: s.client, Discovery: s, Log: slog.New(slog.DiscardHandler)})
	if err := f.Follow(ctx); err == nil {
		t.Error("it follows after its context has ended")
	}
}
