package manager

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/quern-project/quern/internal/await"
)

// api is an API server with what this package needs of one: objects with resource versions, lists, watches that may lag or have gaps,
// bindings that the server refuses like the real one, patches of a pod's status, and deletion with grace.
type api struct {
	mu       sync.Mutex
	version  int
	objects  map[string]map[string]object // by resource and key
	changes  []watchEvent
	oldest   int           // changes up to this version are forgotten
	moved    chan struct{} // closed when there is something new, or watches have to end
	epoch    int           // watches of another one end
	bound    map[types.UID][]string
	events   map[string]int // by reason
	requests map[string]int // by what they do
	old      bool           // without dynamic resources
	groups   []string       // the versions of pod groups that it has
	// fault may answer a request in the server's place, before or after it was carried out.
	fault func(r *http.Request) fault
	http  *httptest.Server
}

type object interface {
	metav1.Object
}

type watchEvent struct {
	version        int
	resource, kind string // ADDED, MODIFIED, DELETED
	text           []byte
}

// fault is what goes wrong with a request; the zero value: nothing.
type fault struct {
	status int  // instead of the answer; 0: none
	late   bool // the request is carried out before
	hang   bool // the connection ends without an answer
}

func newAPI(t testing.TB) *api {
	a := &api{objects: map[string]map[string]object{"pods": {}, "nodes": {}, "namespaces": {}, "priorityclasses": {}, "poddisruptionbudgets": {}, "deviceclasses": {}, "podgroups": {}, "compositepodgroups": {}, "jobs": {}, "statefulsets": {}}, moved: make(chan struct{}),
		bound: map[types.UID][]string{}, events: map[string]int{}, requests: map[string]int{}}
	a.http = httptest.NewServer(a)
	t.Cleanup(func() {
		a.gap() // ends the watches
		a.http.CloseClientConnections()
		a.http.Close()
	})
	a.put("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}})
	return a
}

// serveGroups has it have pod groups of some versions, and end what follows others.
func (a *api) serveGroups(versions ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.groups = versions
	a.epoch++
	a.stir()
}

// offers answers what it has of the API of pod groups, or that it has nothing of it.
func (a *api) offers(w http.ResponseWriter, parts []string) (answered bool) {
	a.mu.Lock()
	versions := a.groups
	a.mu.Unlock()
	has := len(parts) > 2 && slices.Contains(versions, parts[2])
	switch {
	case len(parts) == 1:
		list := []any{}
		for _, v := range append([]string{"v1"}, versions...) {
			list = append(list, map[string]any{"groupVersion": "scheduling.k8s.io/" + v, "version": v})
		}
		answer(w, map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{map[string]any{"name": "scheduling.k8s.io", "versions": list}}})
	case parts[1] != "scheduling.k8s.io" || len(parts) > 3 && has || parts[2] == "v1":
		return false
	case has:
		answer(w, map[string]any{"kind": "APIResourceList", "groupVersion": "scheduling.k8s.io/" + parts[2], "resources": resourcesOf(parts[2])})
	default:
		refuse(w, http.StatusNotFound, "not served")
	}
	return true
}

// resourcesOf are those that a version of the API of pod groups has.
func resourcesOf(version string) []any {
	list := []any{map[string]any{"name": "podgroups"}}
	if version == "v1alpha3" {
		list = append(list, map[string]any{"name": "compositepodgroups"})
	}
	return list
}

func (a *api) client(t testing.TB) connected {
	return connect(t, &rest.Config{Host: a.http.URL, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
}

// connected is a client with the configuration that it was made of.
type connected struct {
	kubernetes.Interface

	config *rest.Config
}

func connect(t testing.TB, config *rest.Config) connected {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return connected{client, config}
}

func keyOf(o object) string {
	if o.GetNamespace() == "" {
		return o.GetName()
	}
	return o.GetNamespace() + "/" + o.GetName()
}

// put creates or changes an object.
func (a *api) put(resource string, o object) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.set(resource, o)
}

func (a *api) set(resource string, o object) {
	key, kind := keyOf(o), "MODIFIED"
	if a.objects[resource][key] == nil {
		kind = "ADDED"
		if o.GetUID() == "" {
			o.SetUID(types.UID(fmt.Sprint("uid-", a.version+1)))
		}
		o.SetCreationTimestamp(metav1.NewTime(time.Unix(1_700_000_000+int64(a.version), 0)))
	}
	a.note(resource, kind, o)
	a.objects[resource][key] = o
}

// remove deletes an object at once.
func (a *api) remove(resource, key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if o := a.objects[resource][key]; o != nil {
		a.erase(resource, o)
	}
}

func (a *api) erase(resource string, o object) {
	delete(a.objects[resource], keyOf(o))
	a.note(resource, "DELETED", o)
}

func (a *api) note(resource, kind string, o object) {
	a.version++
	o.SetResourceVersion(strconv.Itoa(a.version))
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	a.changes = append(a.changes, watchEvent{a.version, resource, kind, text})
	a.stir()
}

func (a *api) stir() {
	close(a.moved)
	a.moved = make(chan struct{})
}

// gap ends all watches and forgets what they would go on with.
func (a *api) gap() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.epoch++
	a.version++
	a.oldest, a.changes = a.version, nil
	a.stir()
}

func (a *api) pod(key string) *corev1.Pod {
	a.mu.Lock()
	defer a.mu.Unlock()
	if o := a.objects["pods"][key]; o != nil {
		return o.(*corev1.Pod).DeepCopy()
	}
	return nil
}

func (a *api) pods() (list []*corev1.Pod) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.objects["pods"] {
		list = append(list, o.(*corev1.Pod).DeepCopy())
	}
	return list
}

// change changes a pod, if it is there.
func (a *api) change(key string, how func(*corev1.Pod)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if o := a.objects["pods"][key]; o != nil {
		pod := o.(*corev1.Pod).DeepCopy()
		how(pod)
		a.set("pods", pod)
	}
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var f fault
	a.mu.Lock()
	if a.fault != nil {
		f = a.fault(r)
	}
	a.mu.Unlock()
	out := w
	if f != (fault{}) {
		out = httptest.NewRecorder()
	}
	if f == (fault{}) || f.late {
		a.serve(out, r)
	}
	switch {
	case f.hang:
		panic(http.ErrAbortHandler)
	case f.status != 0:
		refuse(w, f.status, "injected")
	}
}

func (a *api) serve(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if strings.HasPrefix(r.URL.Path, "/apis/events.k8s.io/v1/") {
		var e struct{ Reason string }
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &e) != nil {
			refuse(w, http.StatusBadRequest, "not an event")
			return
		}
		a.mu.Lock()
		a.events[e.Reason]++
		a.mu.Unlock()
		answer(w, json.RawMessage(body))
		return
	}
	last := parts[len(parts)-1]
	switch {
	case r.URL.Path == "/apis/resource.k8s.io/v1" && !a.old:
		answer(w, map[string]any{"kind": "APIResourceList", "groupVersion": "resource.k8s.io/v1", "resources": []any{map[string]any{"name": "resourceclaims"}}})
	case parts[0] == "apis" && a.offers(w, parts):
	case a.objects[last] != nil && r.URL.Query().Get("watch") != "":
		a.watch(w, r, last, parts)
	case a.objects[last] != nil:
		a.list(w, last, parts)
	case len(parts) >= 6 && parts[4] == "pods":
		a.onPod(w, r, parts[3]+"/"+parts[5], strings.Join(parts[6:], "/"))
	case len(parts) == 8 && strings.HasSuffix(parts[5], "podgroups") && r.Method == http.MethodPatch:
		a.onGroup(w, r, parts[5], parts[4]+"/"+parts[6])
	default:
		refuse(w, http.StatusNotFound, r.URL.Path)
	}
}

var kinds = map[string][2]string{
	"pods": {"v1", "PodList"}, "nodes": {"v1", "NodeList"}, "namespaces": {"v1", "NamespaceList"}, "priorityclasses": {"scheduling.k8s.io/v1", "PriorityClassList"},
	"poddisruptionbudgets": {"policy/v1", "PodDisruptionBudgetList"}, "podgroups": {"scheduling.k8s.io/v1alpha2", "PodGroupList"}, "compositepodgroups": {"scheduling.k8s.io/v1alpha3", "CompositePodGroupList"}, "deviceclasses": {"resource.k8s.io/v1", "DeviceClassList"},
	"services": {"v1", "ServiceList"}, "replicationcontrollers": {"v1", "ReplicationControllerList"}, "replicasets": {"apps/v1", "ReplicaSetList"},
	"statefulsets": {"apps/v1", "StatefulSetList"}, "persistentvolumes": {"v1", "PersistentVolumeList"}, "persistentvolumeclaims": {"v1", "PersistentVolumeClaimList"},
	"storageclasses": {"storage.k8s.io/v1", "StorageClassList"}, "csinodes": {"storage.k8s.io/v1", "CSINodeList"}, "csidrivers": {"storage.k8s.io/v1", "CSIDriverList"},
	"csistoragecapacities": {"storage.k8s.io/v1", "CSIStorageCapacityList"}, "volumeattachments": {"storage.k8s.io/v1", "VolumeAttachmentList"},
	"resourceclaims": {"resource.k8s.io/v1", "ResourceClaimList"}, "resourceslices": {"resource.k8s.io/v1", "ResourceSliceList"},
	"jobs": {"batch/v1", "JobList"}, "devicetaintrules": {"resource.k8s.io/v1beta2", "DeviceTaintRuleList"},
}

// versionOf is the version in which a request wants objects.
func versionOf(resource string, path []string) string {
	if resource == "podgroups" { // of which there are several
		return path[1] + "/" + path[2]
	}
	return kinds[resource][0]
}

func (a *api) list(w http.ResponseWriter, resource string, path []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	items := []object{}
	for _, o := range a.objects[resource] {
		items = append(items, o)
	}
	a.requests["list "+resource]++
	answer(w, map[string]any{"apiVersion": versionOf(resource, path), "kind": kinds[resource][1], "metadata": map[string]string{"resourceVersion": strconv.Itoa(a.version)}, "items": items})
}

func (a *api) watch(w http.ResponseWriter, r *http.Request, resource string, path []string) {
	if r.URL.Query().Get("sendInitialEvents") != "" {
		refuse(w, http.StatusUnprocessableEntity, "lists are not streamed")
		return
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	a.mu.Lock()
	epoch := a.epoch
	a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.(http.Flusher).Flush()
	kind := strings.TrimSuffix(kinds[resource][1], "List")
	for {
		a.mu.Lock()
		moved, over, old := a.moved, a.epoch != epoch, from < a.oldest
		var due []watchEvent
		for _, c := range a.changes[len(a.changes)-min(len(a.changes), max(0, a.version-from)):] {
			if c.version > from && c.resource == resource {
				due = append(due, c)
			}
		}
		a.mu.Unlock()
		if over {
			return
		}
		if old {
			fmt.Fprintf(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","message":"too old resource version","code":410}}`+"\n")
			return
		}
		for _, c := range due {
			fmt.Fprintf(w, `{"type":%q,"object":{"kind":%q,"apiVersion":%q,%s}`+"\n", c.kind, kind, versionOf(resource, path), c.text[1:])
			from = c.version
		}
		w.(http.Flusher).Flush()
		select {
		case <-moved:
		case <-r.Context().Done():
			return
		}
	}
}

func (a *api) onPod(w http.ResponseWriter, r *http.Request, key, sub string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests[strings.TrimSpace(r.Method+" "+sub)]++
	o := a.objects["pods"][key]
	if o == nil {
		refuse(w, http.StatusNotFound, key)
		return
	}
	pod := o.(*corev1.Pod).DeepCopy()
	switch {
	case r.Method == http.MethodGet:
	case sub == "binding":
		var b corev1.Binding
		if json.Unmarshal(body, &b) != nil {
			refuse(w, http.StatusBadRequest, "not a binding")
			return
		}
		if why := a.bind(pod, &b); why != "" {
			refuse(w, http.StatusConflict, why)
			return
		}
	case sub == "status":
		if !a.patch(w, pod, body) {
			return
		}
	case r.Method == http.MethodDelete:
		a.terminate(pod, body)
	}
	answer(w, pod)
}

// onGroup patches the status of a pod group.
func (a *api) onGroup(w http.ResponseWriter, r *http.Request, resource, key string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests["PATCH "+resource+"/status"]++
	o := a.objects[resource][key]
	if o == nil {
		refuse(w, http.StatusNotFound, key)
		return
	}
	text, err := json.Marshal(o)
	if err == nil {
		text, err = strategicpatch.StrategicMergePatch(text, body, schedulingv1alpha2.PodGroup{}) // conditions are merged alike in all versions
	}
	patched := reflect.New(reflect.TypeOf(o).Elem()).Interface().(object)
	switch {
	case err != nil || json.Unmarshal(text, patched) != nil:
		refuse(w, http.StatusBadRequest, "not a patch of a group")
		return
	case patched.GetUID() != o.GetUID():
		refuse(w, http.StatusConflict, "another UID")
		return
	}
	a.set(resource, patched)
	answer(w, patched)
}

// bind refuses what the real server refuses.
func (a *api) bind(pod *corev1.Pod, b *corev1.Binding) string {
	switch {
	case b.UID != "" && b.UID != pod.UID:
		return "another UID"
	case b.ResourceVersion != "" && b.ResourceVersion != pod.ResourceVersion:
		return "another resource version"
	case pod.DeletionTimestamp != nil:
		return "it is being deleted"
	case pod.Spec.NodeName != "":
		return "it is assigned to node " + pod.Spec.NodeName
	}
	pod.Spec.NodeName = b.Target.Name
	a.bound[pod.UID] = append(a.bound[pod.UID], b.Target.Name)
	a.set("pods", pod)
	return ""
}

func (a *api) patch(w http.ResponseWriter, pod *corev1.Pod, body []byte) bool {
	before, err := json.Marshal(pod)
	if err == nil {
		before, err = strategicpatch.StrategicMergePatch(before, body, corev1.Pod{})
	}
	patched := &corev1.Pod{}
	if err == nil {
		err = json.Unmarshal(before, patched)
	}
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
		return false
	case patched.UID != pod.UID:
		refuse(w, http.StatusConflict, "another UID")
		return false
	case patched.ResourceVersion != pod.ResourceVersion:
		refuse(w, http.StatusConflict, "another resource version")
		return false
	}
	pod.Status = patched.Status
	a.set("pods", pod)
	return true
}

// terminate deletes a pod that has no node, or asks for no grace, at once. Another one stays until its kubelet removes it.
func (a *api) terminate(pod *corev1.Pod, body []byte) {
	var o metav1.DeleteOptions
	_ = json.Unmarshal(body, &o) // the zero value has no preconditions
	if o.Preconditions != nil && o.Preconditions.UID != nil && *o.Preconditions.UID != pod.UID {
		return
	}
	if pod.Spec.NodeName == "" {
		a.erase("pods", pod)
		return
	}
	now := metav1.NewTime(time.Unix(1_700_000_000, 0))
	pod.DeletionTimestamp = &now
	a.set("pods", pod)
}

func answer(w http.ResponseWriter, o any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o) // the client sees that it is cut off
}

func refuse(w http.ResponseWriter, code int, message string) {
	reasons := map[int]metav1.StatusReason{404: metav1.StatusReasonNotFound, 409: metav1.StatusReasonConflict, 422: metav1.StatusReasonInvalid, 429: metav1.StatusReasonTooManyRequests, 500: metav1.StatusReasonInternalError}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: int32(code), Reason: reasons[code], Message: message})
}

// flaky answers a share of the requests that change pods with faults.
func flaky(seed uint64, share float64) func(*http.Request) fault {
	random := rand.New(rand.NewPCG(seed, 1))
	return func(r *http.Request) fault {
		if r.Method == http.MethodGet || random.Float64() >= share {
			return fault{}
		}
		switch random.IntN(4) {
		case 0:
			return fault{status: http.StatusTooManyRequests}
		case 1:
			return fault{status: http.StatusInternalServerError, late: random.IntN(2) == 0}
		case 2:
			return fault{hang: true, late: random.IntN(2) == 0}
		}
		return fault{status: http.StatusConflict}
	}
}

// until waits until something holds.
func until(t testing.TB, what func() string) {
	t.Helper()
	untilWithin(t, time.Minute, what)
}

func untilWithin(t testing.TB, patience time.Duration, what func() string) {
	t.Helper()
	await.RightWithin(t, patience, what)
}
