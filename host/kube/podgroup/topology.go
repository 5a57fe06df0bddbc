package podgroup

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"
)

// topology reads the topology constraint of a group. The API server admits one, whose key is that of a label; what it admits later may be more than
// is known here.
func topology(o *unstructured.Unstructured) (key, wrong string) {
	list, has, err := unstructured.NestedFieldNoCopy(o.Object, "spec", "schedulingConstraints", "topology")
	all, is := list.([]any)
	switch {
	case err == nil && !has || is && len(all) == 0:
		return "", ""
	case !is || len(all) > 1:
		return "", fmt.Sprintf("expected one topology constraint, found %d", len(all))
	}
	fields, _ := all[0].(map[string]any)
	key, _ = fields["key"].(string)
	if len(validation.IsQualifiedName(key)) > 0 {
		return "", fmt.Sprintf("expected the key of a label in its topology constraint, found %q", shortened(key))
	}
	return key, ""
}

// longestShown is how many bytes of a wrong key are shown.
const longestShown = 40

func shortened(text string) string {
	if len(text) > longestShown {
		return text[:longestShown] + "…"
	}
	return text
}
