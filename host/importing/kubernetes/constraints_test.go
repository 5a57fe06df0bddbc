package kubernetes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// mayUse is what Kubernetes says: whether a pod may be placed on a node, for its labels, taints and name alone. It is written
// from the rules, apart from what the package does.
func mayUse(p, n map[string]any) bool {
	labels := n["labels"].(map[string]string)
	for key, value := range p["selector"].(map[string]string) {
		if have, ok := labels[key]; !ok || have != value {
			return false
		}
	}
	for _, t := range n["taints"].([]taint) {
		if t.Effect == "PreferNoSchedule" {
			continue
		}
		fine := false
		for _, o := range p["tolerations"].([]toleration) {
			key, value := o.Key == t.Key, o.Operator == "Exists" || o.Value == t.Value
			if o.Key == "" {
				key = o.Operator == "Exists"
			}
			fine = fine || key && value && (o.Effect == "" || o.Effect == t.Effect)
		}
		if !fine {
			return false
		}
	}
	terms := p["terms"].([]term)
	if len(terms) == 0 {
		return true
	}
	for _, t := range terms {
		all := len(t.Expressions)+len(t.Fields) > 0
		for i, e := range append(slices.Clone(t.Expressions), t.Fields...) {
			have, ok := labels[e.Key]
			if i >= len(t.Expressions) {
				have, ok = n["name"].(string), true
			}
			among := ok && slices.Contains(e.Values, have)
			number, bad := strconv.Atoi(have)
			switch e.Operator {
			case "In":
				all = all && among
			case "NotIn":
				all = all && !among
			case "Exists":
				all = all && ok
			case "DoesNotExist":
				all = all && !ok
			case "Gt":
				bound, _ := strconv.Atoi(e.Values[0])
				all = all && ok && bad == nil && number > bound
			}
		}
		if all {
			return true
		}
	}
	return false
}

// takes is what the journal says of the same.
func takes(ask *core.Ask, n *core.Input) bool {
	if ask.Node != "" && ask.Node != n.ID() {
		return false
	}
	for key, values := range ask.Constraints {
		if have, ok := n.Event.(*core.AddNode).Attributes[key]; !ok || !slices.Contains(values, have) {
			return false
		}
	}
	return true
}

var (
	keys   = []string{"zone", "disk", "size", "gpu"}
	values = []string{"a", "b", "1", "5"}
)

func draw[T any](t *rapid.T, name string, from []T) T { return rapid.SampledFrom(from).Draw(t, name) }

func drawTerm(t *rapid.T) term {
	var out term
	for range rapid.IntRange(0, 2).Draw(t, "expressions") {
		e := expression{Key: draw(t, "key", keys), Operator: draw(t, "operator", []string{"In", "In", "In", "NotIn", "Exists", "DoesNotExist", "Gt"})}
		switch e.Operator {
		case "In", "NotIn":
			e.Values = rapid.SliceOfNDistinct(rapid.SampledFrom(values), 1, 2, rapid.ID[string]).Draw(t, "values")
		case "Gt":
			e.Values = []string{"3"}
		}
		out.Expressions = append(out.Expressions, e)
	}
	if rapid.IntRange(0, 5).Draw(t, "fields") == 0 {
		out.Fields = []expression{{Key: "metadata.name", Operator: draw(t, "field operator", []string{"In", "NotIn"}), Values: []string{"n1"}}}
	}
	return out
}

func drawLabels(t *rapid.T) map[string]string {
	return rapid.MapOfN(rapid.SampledFrom(keys), rapid.SampledFrom(values), 0, 3).Draw(t, "labels")
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestAPodMayGoInTheJournalWhereKubernetesWouldLetIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var objects []string
		var nodes, pods []map[string]any
		for i := range rapid.IntRange(1, 5).Draw(t, "nodes") {
			n := map[string]any{"name": fmt.Sprintf("n%d", i), "labels": drawLabels(t), "taints": []taint{}}
			for range rapid.IntRange(0, 2).Draw(t, "taints") {
				n["taints"] = append(n["taints"].([]taint), taint{Key: draw(t, "taint", keys[:2]), Value: draw(t, "taint value", values[:2]), Effect: draw(t, "effect", []string{"NoSchedule", "NoExecute", "PreferNoSchedule"})})
			}
			nodes = append(nodes, n)
			objects = append(objects, aNode(n["name"].(string), `,"labels":`+asJSON(n["labels"]), `"taints":`+asJSON(n["taints"]), `"cpu":"1"`))
		}
		for i := range rapid.IntRange(1, 4).Draw(t, "pods") {
			p := map[string]any{"name": fmt.Sprintf("p%d", i), "selector": map[string]string{}, "tolerations": []toleration{}, "terms": []term{}}
			if rapid.Bool().Draw(t, "selects") {
				p["selector"] = rapid.MapOfN(rapid.SampledFrom(keys), rapid.SampledFrom(values), 0, 1).Draw(t, "selector")
			}
			for range rapid.IntRange(0, 3).Draw(t, "tolerations") {
				p["tolerations"] = append(p["tolerations"].([]toleration), toleration{Key: draw(t, "tolerates", append(slices.Clone(keys[:2]), "")), Operator: draw(t, "operator", []string{"", "Equal", "Exists"}),
					Value: draw(t, "value", values[:2]), Effect: draw(t, "effect", []string{"", "NoSchedule", "NoExecute"})})
			}
			for range rapid.IntRange(0, 2).Draw(t, "terms") {
				p["terms"] = append(p["terms"].([]term), drawTerm(t))
			}
			pods = append(pods, p)
			objects = append(objects, aPod(p["name"].(string), i, "", `"nodeSelector":`+asJSON(p["selector"])+`,"tolerations":`+asJSON(p["tolerations"])+
				`,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":`+asJSON(p["terms"])+`}}}`))
		}
		compare(t, list(objects...), nodes, pods)
	})
}

func compare(t *rapid.T, listing string, nodes, pods []map[string]any) {
	text, _, err := imported(t, Options{}, listing)
	if err != nil {
		t.Fatalf("%v in\n%s", err, listing)
	}
	found := map[string]core.Input{}
	d := journal.NewDecoder(strings.NewReader(text), "j", nil)
	for e, err := d.Next(); err == nil; e, err = d.Next() {
		if e.Input.Type() != core.AppAdd {
			found[e.Input.ID()] = e.Input
		}
	}
	for _, p := range pods {
		ask := found["ns/"+p["name"].(string)]
		for _, n := range nodes {
			node := found[n["name"].(string)]
			if got, want := takes(&ask.Ask().Ask, &node), mayUse(p, n); got != want {
				t.Fatalf("%s on %s: the journal says %t, Kubernetes %t\n%s\n%s", p["name"], n["name"], got, want, text, listing)
			}
		}
	}
}

func TestAffinity_NamedByTextOrNumber(t *testing.T) {
	affinity := func(values ...string) string {
		return `"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"NotIn","values":` + asJSON(values) + `}]}]}}}`
	}
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprint("value-", i)
	}
	text, _, err := imported(t, Options{}, list(
		aNode("n", `,"labels":{"zone":"b"}`, "", `"cpu":"1"`), aPod("p", 1, "", affinity("a")), aPod("q", 1, "", affinity("b", "c")), aPod("r", 1, "", affinity(many...)),
	))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"n": `"attributes":{"affinity 1":"true","zone":"b","zone NotIn (a)":"true"}`, "ns/p": `{"zone NotIn (a)":["true"]}`,
		"ns/q": `{"zone NotIn (b, c)":["true"]}`, "ns/r": `{"affinity 1":["true"]}`,
	} {
		if got := text[strings.Index(text, `"id":"`+id+`"`):]; !strings.Contains(got, want) {
			t.Errorf("%s: want %s in\n%s", id, want, text)
		}
	}
}

func TestWhatAJournalCannotSayOfAPodIsCounted(t *testing.T) {
	_, tally, err := imported(t, Options{}, list(aPod("p", 1, "", `"containers":[{"name":"c","ports":[{"hostPort":80}]}],"volumes":[{"persistentVolumeClaim":{"claimName":"d"}}],
		"topologySpreadConstraints":[{"whenUnsatisfiable":"DoNotSchedule"}],"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"h"}]}}`)))
	const want = `taken: 0 nodes, 1 application, 1 ask
note: 1 pod: required affinity to other pods ignored
note: 1 pod: hard topology spread ignored
note: 1 pod: ports on the node ignored
note: 1 pod: constraints of volumes ignored`
	if err != nil || tally != want {
		t.Errorf("%v\n%s", err, tally)
	}
}
