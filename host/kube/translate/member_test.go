package translate

import (
	"slices"
	"testing"
)

// groupsWith declares a group of one in a pod of another group, with what is said of its members.
func groupsWith(what string) string {
	return `annotations: {yunikorn.apache.org/task-group-name: "driver", yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 1, "minResource": {"cpu": 1}` + what + `}]'}`
}

func TestPlaceholders_JudgedByPluginsOfMembers(t *testing.T) {
	const near, apart = `"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "cache"}}}]}`,
		`"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "noisy"}}}]}`
	const spread = `, "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}]`
	for name, c := range map[string]struct {
		says string
		want []string
	}{
		"nothing":                          {"", nil},
		"apart from others":                {`, "affinity": {` + apart + `}`, []string{"InterPodAffinity"}},
		"near others, by known labels":     {`, "labels": {"app": "w"}, "affinity": {` + near + `}`, []string{"InterPodAffinity"}},
		"near others, or near one another": {`, "affinity": {` + near + `}`, nil},
		"spread":                           {spread, []string{"PodTopologySpread"}},
		"a selector that cannot be read": {`, "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", ` +
			`"labelSelector": {"matchExpressions": [{"key": "a", "operator": "Of"}]}}]}}`, nil},
	} {
		pod := marked(t, groupsWith(c.says), "")
		g, bad := GangOf(pod, &Context{})
		if g == nil || bad != nil {
			t.Errorf("%s: %v, %v", name, g, bad)
			continue
		}
		asks := g.Placeholders("a", pod, &Context{})
		if len(asks) != 1 || !slices.Equal(asks[0].Plugins, c.want) {
			t.Errorf("%s: %+v", name, asks)
		}
	}
}
