package webhook

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

// listen returns a loopback port.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // a server may have closed it
	return l
}

// fixture is a server without a network, and with one namespace.
func fixture(t *testing.T) *Server {
	t.Helper()
	s, err := New(Options{Client: fake.NewClientset(namespace("generateAppId", "true")), Listener: listen(t), Rules: Rules{Schedulers: []string{"quern"}},
		Queues: Queues{Namespace: "team", Names: []string{"x"}, Key: "queues.yaml"}, Namespace: "quern", Secret: "s", Names: serverNames})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.factory.Core().V1().Namespaces().Informer().GetStore().Add(namespace("generateAppId", "true")); err != nil {
		t.Fatal(err)
	}
	return s
}

func post(h http.Handler, path, contentType string, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func review(t testing.TB, q *admissionv1.AdmissionRequest) []byte {
	t.Helper()
	text, err := json.Marshal(admissionv1.AdmissionReview{TypeMeta: reviewType, Request: q})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ask posts a request, and returns the answer.
func ask(t *testing.T, s *Server, path string, q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	t.Helper()
	w := post(s.Handler(), path, "application/json; charset=utf-8", review(t, q))
	var answer admissionv1.AdmissionReview
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %v: %s", w.Code, err, w.Body)
	}
	if answer.TypeMeta != reviewType || answer.Response == nil || answer.Response.UID != q.UID {
		t.Fatalf("found %s", w.Body)
	}
	return answer.Response
}

func TestAReviewIsAnsweredWithAPatchOrARefusal(t *testing.T) {
	s := fixture(t)
	answer := ask(t, s, PathMutate, request(t, "/Pod", "ann", "spec: {}", ""))
	if !answer.Allowed || *answer.PatchType != admissionv1.PatchTypeJSONPatch || !strings.Contains(string(answer.Patch), "yunikorn-team-autogen") {
		t.Errorf("found %+v", answer)
	}
	answer = ask(t, s, PathMutate, request(t, "/Pod", "ann", "spec: {schedulerName: other}", ""))
	if !answer.Allowed || answer.PatchType != nil || answer.Patch != nil {
		t.Errorf("found %+v", answer)
	}
	answer = ask(t, s, PathMutate, request(t, "/Pod", "ann", `{spec: {schedulerName: quern}, metadata: {annotations: {yunikorn.apache.org/user.info: '`+bobsInfo+`'}}}`, ""))
	if answer.Allowed || answer.Result.Code != http.StatusForbidden || !strings.Contains(answer.Result.Message, `pods "x" is forbidden: annotation yunikorn.apache.org/user.info: expected {"user":"ann"`) {
		t.Errorf("found %+v", answer.Result)
	}
	answer = ask(t, s, PathMutate, request(t, "/Pod", "ann", "[]", ""))
	if answer.Allowed || answer.Result.Code != http.StatusBadRequest {
		t.Errorf("found %+v", answer.Result)
	}
}

func TestWhatIsNoReviewGetsAnError(t *testing.T) {
	h := fixture(t).Handler()
	for _, test := range []struct {
		contentType, body string
		code              int
	}{
		{"text/plain", "{}", http.StatusUnsupportedMediaType},
		{"application/json", "{", http.StatusBadRequest},
		{"application/json", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","request":{}}`, http.StatusBadRequest},
		{"application/json", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`, http.StatusBadRequest},
		{"application/json", strings.Repeat(" ", mostBody+1), http.StatusRequestEntityTooLarge},
	} {
		if w := post(h, PathMutate, test.contentType, []byte(test.body)); w.Code != test.code {
			t.Errorf("%.40q: expected %d, found %d", test.body, test.code, w.Code)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, PathMutate, nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: found %d", w.Code)
	}
}

func TestTheServerIsHealthyWhileItsCertificateIsValid(t *testing.T) {
	s := fixture(t)
	health := func() int {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, PathHealth, nil))
		return w.Code
	}
	if code := health(); code != http.StatusServiceUnavailable {
		t.Errorf("without a certificate: found %d", code)
	}
	if err := s.sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if code := health(); code != http.StatusOK {
		t.Errorf("with a certificate: found %d", code)
	}
	s.now = func() time.Time { return time.Now().Add(usualLifetimes.serving + time.Minute) }
	if code := health(); code != http.StatusServiceUnavailable {
		t.Errorf("after its end: found %d", code)
	}
}

// configMap is a request for the ConfigMap x with a text under a key.
func configMap(t *testing.T, key, text string) *admissionv1.AdmissionRequest {
	t.Helper()
	q := request(t, "/ConfigMap", "ann", "{}", "")
	var err error
	if q.Object.Raw, err = json.Marshal(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "x"}, Data: map[string]string{key: text}}); err != nil {
		t.Fatal(err)
	}
	return q
}

func TestAQueueConfigurationIsCheckedWithLineAndField(t *testing.T) {
	s := fixture(t)
	good := "partitions:\n- name: default\n  queues:\n  - name: a\n    resources: {max: {memroy: 4}}\n"
	answer := ask(t, s, PathValidateQueues, configMap(t, "queues.yaml", good))
	if !answer.Allowed || len(answer.Warnings) != 1 || !strings.Contains(answer.Warnings[0], "queues.yaml:5:") || !strings.Contains(answer.Warnings[0], "memroy") {
		t.Errorf("found %+v", answer)
	}
	answer = ask(t, s, PathValidateQueues, configMap(t, "queues.yaml", "partitions:\n- name: default\n  queues:\n  - name: a\n    maxapplications: -1\n  - name: a\n"))
	if answer.Allowed || answer.Result.Code != http.StatusUnprocessableEntity || answer.Result.Details == nil || len(answer.Result.Details.Causes) != 2 {
		t.Fatalf("found %+v", answer.Result)
	}
	if first := answer.Result.Details.Causes[0]; !strings.HasPrefix(first.Field, "data[queues.yaml]:5:") || !strings.Contains(first.Field, "maxapplications") || !strings.Contains(first.Message, "expected") {
		t.Errorf("found %+v", first)
	}
	if !strings.Contains(answer.Result.Message, "queues.yaml:5:") || !strings.Contains(answer.Result.Message, "queues.yaml:6:") {
		t.Errorf("found %s", answer.Result.Message)
	}
	if answer = ask(t, s, PathValidateQueues, configMap(t, "other", "x")); !answer.Allowed || len(answer.Warnings) != 1 {
		t.Errorf("without the key: %+v", answer)
	}
	elsewhere := configMap(t, "queues.yaml", "x")
	elsewhere.Name = "y"
	if answer = ask(t, s, PathValidateQueues, elsewhere); !answer.Allowed || answer.Warnings != nil {
		t.Errorf("another ConfigMap: %+v", answer)
	}
}

func TestAnAnswerListsAPartOfManyErrors(t *testing.T) {
	text := "partitions:\n- name: default\n  queues:\n"
	for n := range 60 {
		text += fmt.Sprintf("  - {name: q%d, maxapplications: -1}\n", n)
	}
	answer := ask(t, fixture(t), PathValidateQueues, configMap(t, "queues.yaml", text))
	if answer.Allowed || len(answer.Result.Details.Causes) != mostCauses || !strings.Contains(answer.Result.Message, "the first 50 of 60 errors") {
		t.Errorf("found %+v", answer.Result)
	}
}

func TestTOMLIsReadUnderAKeyOfThatEnding(t *testing.T) {
	s := fixture(t)
	s.Queues.Key = "queues.toml"
	if answer := ask(t, s, PathValidateQueues, configMap(t, "queues.toml", "[[partitions]]\nname = \"default\"\n[[partitions.queues]]\nname = \"a\"\n")); !answer.Allowed {
		t.Errorf("found %+v", answer.Result)
	}
}

func TestConfigMap_CompressedQueuesAreChecked(t *testing.T) {
	s := fixture(t)
	zipped := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	of := func(m *corev1.ConfigMap) *admissionv1.AdmissionResponse {
		q := configMap(t, "", "")
		m.Name = "x"
		var err error
		if q.Object.Raw, err = json.Marshal(m); err != nil {
			t.Fatal(err)
		}
		return ask(t, s, PathValidateQueues, q)
	}
	good, bad := zipped("partitions:\n- name: default\n  queues:\n  - name: a\n"), zipped("partitions:\n- name: default\n  queues:\n  - name: a\n    maxapplications: -1\n")
	const key = "queues.yaml.gz"
	for name, m := range map[string]*corev1.ConfigMap{
		"binaryData": {BinaryData: map[string][]byte{key: good}},
		"data":       {Data: map[string]string{key: base64.StdEncoding.EncodeToString(good)}},
	} {
		if answer := of(m); !answer.Allowed || answer.Warnings != nil {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	answer := of(&corev1.ConfigMap{BinaryData: map[string][]byte{key: bad}})
	if answer.Allowed || len(answer.Result.Details.Causes) != 1 || !strings.HasPrefix(answer.Result.Details.Causes[0].Field, "data[queues.yaml.gz]:5:") {
		t.Errorf("found %+v", answer.Result)
	}
	if answer = of(&corev1.ConfigMap{Data: map[string]string{key: "partitions: []"}}); answer.Allowed || !strings.Contains(answer.Result.Message, "data[queues.yaml.gz]: expected what gzip writes") {
		t.Errorf("found %+v", answer.Result)
	}
}

func FuzzReview(f *testing.F) {
	f.Add([]byte(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"1","kind":{"version":"v1","kind":"Pod"},"operation":"CREATE","object":{"spec":{}}}}`))
	f.Add([]byte(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"kind":{"kind":"ConfigMap"},"name":"x","namespace":"team","operation":"UPDATE","object":{"data":{"queues.yaml":"partitions: []"}}}}`))
	queues := &Queues{Namespace: "team", Names: []string{"x"}, Key: "queues.yaml"}
	r := rules(nil)
	f.Fuzz(func(t *testing.T, body []byte) {
		q, err := readReview(body)
		if (q == nil) != (err != nil) {
			t.Fatal("expected a request or an error")
		}
		if err != nil {
			return
		}
		if _, err := r.Mutate(q, nil, nil); err != nil && refuse(err).Result.Code >= 500 {
			t.Errorf("%v", err)
		}
		if _, err := queues.Validate(q); err != nil && refuse(err).Result.Code >= 500 {
			t.Errorf("%v", err)
		}
	})
}

func TestOptionsThatAreIncompleteAreRefused(t *testing.T) {
	for _, o := range []Options{{}, {Client: fake.NewClientset(), Listener: listen(t), Namespace: "n", Secret: "s"}, {Client: fake.NewClientset(), Listener: listen(t), Namespace: "n", Secret: "s", Names: serverNames}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v: expected an error", o)
		}
	}
}
