package yunikorn

import (
	"net/http"
	"strconv"

	"github.com/quern-project/quern/core/config"
)

func (a *API) placementRules(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	return answer(w, rulesOf(&p))
}

func rulesOf(p *partition) []*rule {
	out := []*rule{}
	for _, r := range p.conf.Rules {
		out = append(out, ruleOf(r))
	}
	return out
}

func ruleOf(r *config.Rule) *rule {
	out := &rule{Name: string(r.Kind), Parameters: map[string]string{"create": strconv.FormatBool(r.Create)}}
	if r.Value != "" {
		out.Parameters["value"] = r.Value
	}
	if r.Filter != nil {
		out.Filter = filterOf(r)
	}
	if r.Parent != nil {
		out.ParentRule = ruleOf(r.Parent)
	}
	return out
}

// filterOf says which users a rule is for: users and groups by name, or those that an expression matches.
func filterOf(r *config.Rule) *filter {
	f := r.Filter
	out := &filter{Type: "allow", UserList: []string{}, GroupList: []string{}}
	if f.Deny {
		out.Type = "deny"
	}
	if entries := f.Users.Entries(); f.Users.IsExpression() {
		out.UserExp = entries[0]
	} else {
		out.UserList = orEmptyList(entries)
	}
	if entries := f.Groups.Entries(); f.Groups.IsExpression() {
		out.GroupExp = entries[0]
	} else {
		out.GroupList = orEmptyList(entries)
	}
	return out
}
