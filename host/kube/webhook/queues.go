package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/core/config"
)

// Queues say which ConfigMaps have the queue configuration.
type Queues struct {
	Namespace string
	Names     []string
	Key       string                        // of data; the configuration is TOML if it ends in .toml, and YAML otherwise
	Policies  func(point, name string) bool // as in config.Options
	Types     []string                      // as in config.Options
}

// mostCauses bounds the errors that one answer lists.
const mostCauses = 50

// Validate checks the queue configuration in a ConfigMap. The error is an apierrors.APIStatus with each error of the configuration as a cause;
// lines are those of the text under the key. Other objects, and ConfigMaps of other names, are admitted.
func (c *Queues) Validate(q *admissionv1.AdmissionRequest) (warnings []string, err error) {
	if q.Kind.Group != "" || q.Kind.Kind != "ConfigMap" || q.Namespace != c.Namespace || !slices.Contains(c.Names, q.Name) ||
		q.Operation != admissionv1.Create && q.Operation != admissionv1.Update {
		return nil, nil
	}
	var m corev1.ConfigMap
	if err := json.Unmarshal(q.Object.Raw, &m); err != nil {
		return nil, apierrors.NewBadRequest("the object of the request: " + err.Error())
	}
	text, found := m.Data[c.Key]
	if !found {
		return []string{fmt.Sprintf("data: expected the queue configuration under %q, found no such key", c.Key)}, nil
	}
	options := config.Options{File: c.Key, Format: config.YAML, Policies: c.Policies, Doubts: true, Types: c.Types}
	if strings.HasSuffix(c.Key, ".toml") {
		options.Format = config.TOML
	}
	_, doubts, err := config.Check([]byte(text), options)
	for _, w := range doubts {
		warnings = append(warnings, w.String())
	}
	if err != nil {
		return warnings, invalid(q.Name, err)
	}
	return warnings, nil
}

// invalid is the answer to a configuration with errors.
func invalid(name string, err error) error {
	status := apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("ConfigMap").GroupKind(), name, nil)
	status.ErrStatus.Message = fmt.Sprintf("ConfigMap %q is not a valid queue configuration:\n%s", name, err)
	var all config.Errors
	if !errors.As(err, &all) {
		return status
	}
	if len(all) > mostCauses {
		status.ErrStatus.Message = fmt.Sprintf("ConfigMap %q is not a valid queue configuration; the first %d of %d errors:\n%s",
			name, mostCauses, all.Total(), all[:mostCauses])
		all = all[:mostCauses]
	}
	for _, e := range all {
		status.ErrStatus.Details.Causes = append(status.ErrStatus.Details.Causes, metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid,
			Field: fmt.Sprintf("data[%s]:%d:%d: %s: %s", e.File, e.Line, e.Column, e.Queue, e.Key), Message: "expected " + e.Expected + ", found " + e.Found})
	}
	return status
}
