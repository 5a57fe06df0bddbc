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
	"github.com/quern-project/quern/host/configmap"
)

// Queues say which ConfigMaps have the queue configuration.
type Queues struct {
	Namespace string
	Names     []string
	Key       string                        // of data or binaryData, with .gz behind it if it is compressed. The configuration is TOML if it ends in .toml, and YAML otherwise
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
	key, content := c.entry(&m)
	if key == "" {
		return []string{fmt.Sprintf("data: expected the queue configuration under %q, found no such key", c.Key)}, nil
	}
	text, err := configmap.Text(key, content)
	if err != nil {
		return nil, invalid(q.Name, fmt.Errorf("data[%s]: %w", key, err))
	}
	options := config.Options{File: key, Format: config.YAML, Policies: c.Policies, Implausible: true, Types: c.Types}
	if strings.HasSuffix(strings.TrimSuffix(key, configmap.Suffix), ".toml") {
		options.Format = config.TOML
	}
	_, found, err := config.Check(text, options)
	for _, w := range found {
		warnings = append(warnings, w.String())
	}
	if err != nil {
		return warnings, invalid(q.Name, err)
	}
	return warnings, nil
}

// entry finds the queue configuration in a ConfigMap, which may be compressed. The key is empty if there is none.
func (c *Queues) entry(m *corev1.ConfigMap) (key string, content []byte) {
	for _, key := range []string{c.Key, c.Key + configmap.Suffix} {
		if text, ok := m.Data[key]; ok {
			return key, []byte(text)
		}
		if content, ok := m.BinaryData[key]; ok {
			return key, content
		}
	}
	return "", nil
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
