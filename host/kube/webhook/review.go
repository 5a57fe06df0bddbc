package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/core/config"
)

// The paths that the API server posts reviews to, and the one that a kubelet asks.
const (
	PathMutate         = "/mutate"
	PathValidateQueues = "/validate-queues"
	PathHealth         = "/healthz"
)

// mostBody bounds a review in bytes: it has two versions of an object, of which an API server takes up to 3 MiB each.
const mostBody = 8 << 20

// reviewsAtOnce is how many are decoded and decided at a time: one takes several times the memory of its body. Others wait.
const reviewsAtOnce = 8

// Handler answers reviews and questions for health.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+PathMutate, func(w http.ResponseWriter, r *http.Request) { s.review(w, r, s.mutate) })
	mux.HandleFunc("POST "+PathValidateQueues, func(w http.ResponseWriter, r *http.Request) { s.review(w, r, s.validateQueues) })
	mux.HandleFunc("GET "+PathHealth, s.health)
	return mux
}

// decider answers the request of a review.
type decider func(context.Context, *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// review reads a review, has it decided and writes the answer. A request that is no review gets an HTTP error.
func (s *Server) review(w http.ResponseWriter, r *http.Request, decide decider) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "expected application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		http.Error(w, fmt.Sprintf("expected at most %d bytes", mostBody), http.StatusRequestEntityTooLarge)
		return
	} else if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case s.reviews <- struct{}{}:
		defer func() { <-s.reviews }()
	case <-r.Context().Done():
		return // nothing waits for the answer
	}
	request, err := readReview(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := admissionv1.AdmissionReview{TypeMeta: reviewType, Response: decide(r.Context(), request)}
	answer.Response.UID = request.UID
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(&answer); err != nil {
		s.Log.Warn("an admission review could not be answered", "error", err)
	}
}

var reviewType = metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"}

// readReview returns the request in a review.
func readReview(body []byte) (*admissionv1.AdmissionRequest, error) {
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(body, &review); err != nil {
		return nil, fmt.Errorf("admission review: %w", err)
	}
	if review.TypeMeta != reviewType {
		return nil, fmt.Errorf("expected %s of %s, found %q of %q", reviewType.Kind, reviewType.APIVersion, review.Kind, review.APIVersion)
	}
	if review.Request == nil {
		return nil, errors.New("admission review: expected a request, found none")
	}
	return review.Request, nil
}

// mutate decides about a pod or a workload.
func (s *Server) mutate(ctx context.Context, q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	namespace, err := s.namespace(ctx, q.Namespace)
	if err != nil {
		return refuse(apierrors.NewInternalError(fmt.Errorf("namespace %s: %w", q.Namespace, err)))
	}
	patch, err := s.Rules.Mutate(q, namespace, s.class)
	if err != nil {
		return refuse(err)
	}
	answer := &admissionv1.AdmissionResponse{Allowed: true}
	if len(patch) == 0 {
		return answer
	}
	if answer.Patch, err = json.Marshal(patch); err != nil {
		return refuse(apierrors.NewInternalError(err))
	}
	kind := admissionv1.PatchTypeJSONPatch
	answer.PatchType = &kind
	return answer
}

// namespace returns a namespace; nil: there is none. One that was created just now may not be in the cache yet.
func (s *Server) namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	n, err := s.namespaces.Get(name)
	if apierrors.IsNotFound(err) {
		n, err = s.Client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	}
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return n, err
}

// class returns a priority class; nil: it is not known.
func (s *Server) class(name string) *schedulingv1.PriorityClass {
	c, err := s.classes.Get(name)
	if err != nil {
		return nil // it is not in the cache, which is the only error of it
	}
	return c
}

// mostWarnings bounds the warnings of one answer. An API server passes on no more than 4096 characters.
const mostWarnings = 20

// validateQueues decides about a ConfigMap.
func (s *Server) validateQueues(_ context.Context, q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	warnings, err := s.Queues.Validate(q)
	warnings = config.Grouped(warnings)
	answer := &admissionv1.AdmissionResponse{Allowed: true}
	if err != nil {
		answer = refuse(err)
	}
	if more := len(warnings) - mostWarnings; more > 0 {
		warnings = append(warnings[:mostWarnings], fmt.Sprintf("%d more warnings", more))
	}
	answer.Warnings = warnings
	return answer
}

// refuse is the answer to a request with an error.
func refuse(err error) *admissionv1.AdmissionResponse {
	status := apierrors.NewInternalError(err).Status()
	if known := apierrors.APIStatus(nil); errors.As(err, &known) {
		status = known.Status()
	}
	return &admissionv1.AdmissionResponse{Result: &status}
}

// health answers 200 while the server has a valid certificate.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	c := s.certificate.Load()
	if c == nil || s.now().After(c.Leaf.NotAfter) {
		http.Error(w, "no valid certificate", http.StatusServiceUnavailable)
		return
	}
	_, _ = io.WriteString(w, "ok\n") // a client that is gone needs no answer
}
