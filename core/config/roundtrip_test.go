package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

// generator writes valid configurations, as flow YAML in any order of keys.
type generator struct {
	*rapid.T
	queues int
}

func (g *generator) coin(label string) bool { return rapid.Bool().Draw(g.T, label) }

func (g *generator) number(label string, least, most int) int {
	return rapid.IntRange(least, most).Draw(g.T, label)
}

func (g *generator) pick(label string, of ...string) string {
	return rapid.SampledFrom(of).Draw(g.T, label)
}

// mapping writes the fields that are not empty, in any order.
func (g *generator) mapping(fields ...string) string {
	var kept []string
	for _, f := range fields {
		if f != "" {
			kept = append(kept, f)
		}
	}
	if len(kept) > 1 {
		kept = rapid.Permutation(kept).Draw(g.T, "order")
	}
	return "{" + strings.Join(kept, ", ") + "}"
}

// maybe returns a field with a value, or "".
func (g *generator) maybe(key string, value func() string) string {
	if !g.coin(key) {
		return ""
	}
	return key + ": " + value()
}

func (g *generator) list(label string, most int, item func(i int) string) string {
	var items []string
	for i := range g.number(label, 0, most) {
		items = append(items, item(i))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (g *generator) config() string {
	second := ""
	if g.coin("second partition") {
		second = ", " + g.partition("GPU")
	}
	return "partitions: [" + g.partition("Default") + second + "]"
}

func (g *generator) partition(name string) string {
	limits := ""
	if g.coin("limits of the partition") {
		limits = g.limits(0)
	}
	own := limits
	if limits != "" && g.coin("left out at root") {
		own = ""
	}
	root := g.queue(0, own)
	return g.mapping("name: "+name, limits, "queues: ["+root+"]",
		g.maybe("placementrules", func() string { return g.list("rules", 3, func(int) string { return g.rule(0) }) }),
		g.maybe("preemption", func() string {
			return g.mapping(g.maybe("enabled", g.truth), g.maybe("observe", g.truth), g.maybe("quotapreemptionenabled", g.truth))
		}),
		g.maybe("nodesortpolicy", func() string { return "{type: binpacking, resourceweights: {vcore: 2.5}}" }),
		g.maybe("topology", func() string {
			return g.pick("topology", "[]", "[{level: rack, attribute: r}]", `[{level: b, attribute: "x y"}, {level: "1", attribute: r}]`)
		}),
		g.maybe("backfill", func() string {
			return g.mapping("depth: "+g.pick("depth", "0", "1", "100", "all"), g.maybe("horizon", func() string { return g.pick("horizon", "1s", "36h") }))
		}),
		g.maybe("usergroupresolver", func() string { return "{type: " + g.pick("resolver", `""`, "os", "ldap", "none") + "}" }))
}

func (g *generator) truth() string { return g.pick("truth", "true", "false") }

// rule writes a rule. A fixed rule whose parents are all fixed creates its queue, since that may not exist.
func (g *generator) rule(depth int) string {
	kind := g.pick("kind", "provided", "User", "tag", "fixed")
	value, parent := "", ""
	switch kind {
	case "tag":
		value = "value: " + g.pick("tag", "namespace", "Example.com/team", "a:b")
	case "fixed":
		value = "value: " + g.pick("fixed", "made", "Made.deeper", "made.@recovery@", "root.made.x")
	default:
		value = g.maybe("value", func() string { return g.pick("unused", "x", "Y z", `""`) })
	}
	if depth < 4 && !strings.Contains(value, "root.") {
		parent = g.maybe("parent", func() string { return g.rule(depth + 1) })
	}
	create := g.maybe("create", g.truth)
	if kind == "fixed" {
		create = "create: yes"
	}
	return g.mapping("name: "+kind, value, create, parent, g.maybe("filter", g.filter))
}

func (g *generator) filter() string {
	names := func(expressions ...string) func() string {
		return func() string {
			if g.coin("expression") {
				return `["` + g.pick("expression", expressions...) + `"]`
			}
			return g.list("names", 4, func(int) string { return g.pick("name", "ann", "_b", "c:d", "E.f-g") })
		}
	}
	return g.mapping(g.maybe("type", func() string { return g.pick("type", "allow", "Deny", "") }),
		g.maybe("users", names("^a", "b$", "[a-z]{2,5}")), g.maybe("groups", names(".*", "(x|y)+")))
}

// amounts returns bounds that shrink with the depth, so that they are within those above.
func (g *generator) amounts(depth int) string {
	return g.mapping(g.maybe("vcore", func() string { return fmt.Sprintf("%d%03dm", 90-depth, g.number("vcore", 10, 11)) }),
		g.maybe("memory", func() string { return fmt.Sprintf("%dGi", 900-depth) }),
		g.maybe("x.com/y", func() string { return fmt.Sprint(900 - depth) }))
}

func (g *generator) applications(depth int) string {
	return g.maybe("maxapplications", func() string { return fmt.Sprint(900 - depth) })
}

func (g *generator) limits(depth int) string {
	var items []string
	count := g.number("limits", 0, 3)
	for i := range count {
		users := fmt.Sprintf("users: [u%d, v%d$]", i, i)
		groups := g.maybe("groups", func() string { return fmt.Sprintf("[g%d]", i) })
		if i == count-1 && g.coin("everybody") {
			users = `users: ["*"]`
		}
		bound := fmt.Sprintf("maxapplications: %d", 800-depth)
		items = append(items, g.mapping(users, groups, bound,
			g.maybe("limit", func() string { return g.pick("description", "x", `"a: b"`, `""`) }),
			g.maybe("maxresources", func() string { return fmt.Sprintf("{vcore: %d, gpu: 0}", 20-depth) })))
	}
	return "limits: [" + strings.Join(items, ", ") + "]"
}

// queue writes a queue; limits are those of root.
func (g *generator) queue(depth int, limits string) string {
	g.queues++
	name, resources := "root", ""
	if depth > 0 {
		name = fmt.Sprintf("Q%d", g.queues)
		resources = g.maybe("resources", func() string {
			return "{max: " + g.amounts(depth) + "}"
		})
		limits = g.limits(depth)
	}
	children := ""
	if depth < 3 {
		children = g.maybe("queues", func() string { return g.list("children", 3, func(int) string { return g.queue(depth+1, "") }) })
	}
	access := func() string {
		return g.pick("list", `"*"`, `""`, `" "`, "ann", `"b,a,b"`, `"a c,b"`, `" c"`, `"a *"`)
	}
	return g.mapping("name: "+name, resources, limits, children, g.applications(depth),
		g.maybe("parent", g.truth), g.maybe("submitacl", access), g.maybe("adminacl", access),
		g.maybe("properties", g.properties),
		g.maybe("childtemplate", func() string {
			return g.mapping(g.applications(5), g.maybe("properties", g.properties),
				g.maybe("resources", func() string { return "{guaranteed: {vcore: 1}, max: " + g.amounts(0) + "}" }))
		}))
}

func (g *generator) properties() string {
	return g.mapping(g.maybe("quota.preemption.delay", func() string { return g.pick("delay", "10m", "0", "-1s", "soon", "") }),
		g.maybe("priority.offset", func() string { return g.pick("offset", "5", "x", "2000000000", "-7") }),
		g.maybe("preemption.policy", func() string { return g.pick("policy", "fence", "disabled", "Default") }),
		g.maybe("application.sort.policy", func() string { return g.pick("sort", "fair", "FIFO") }),
		g.maybe("own", func() string { return g.pick("own", "a", `""`, `"1"`, "") }))
}

// TestTheNormalFormOfEveryKeyIsReadBack decodes the normal form of generated configurations, and compares it with the original.
func TestTheNormalFormOfEveryKeyIsReadBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g := &generator{T: r}
		text := g.config()
		c, err := Decode([]byte(text), Options{})
		if err != nil {
			r.Fatalf("%s\n%v", text, err)
		}
		printed := c.Print()
		again, err := Decode(printed, Options{})
		if err != nil {
			r.Fatalf("%s\nbecame\n%s\n%v", text, printed, err)
		}
		if !reflect.DeepEqual(withoutPlaces(c), withoutPlaces(again)) || string(again.Print()) != string(printed) {
			r.Fatalf("%s\nbecame\n%s\nand then\n%s\nwarnings %v and %v", text, printed, again.Print(), c.Warnings, again.Warnings)
		}
	})
}
