package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/api/web"
)

func TestInput_TooManyTypesRefusedByLine(t *testing.T) {
	l := start(t)
	l.submit(node, app)
	var amounts []string
	for i := range 101 {
		amounts = append(amounts, fmt.Sprintf(`"x%d":1`, i))
	}
	body := ask + "\n\n" + `{"type":"ask.add","id":"wide","app":"a1","resources":{` + strings.Join(amounts, ",") + `}}`
	for _, path := range []string{"/v1/inputs", "/v1/what-if"} {
		found := l.do("POST", path, body)
		var p web.Problem
		if err := json.Unmarshal([]byte(found.body), &p); err != nil {
			t.Fatal(err)
		}
		if found.status != http.StatusUnprocessableEntity || !strings.HasSuffix(p.Type, ":too_many_names") || p.Line != 3 || p.Key != "resources" ||
			!strings.HasPrefix(p.Detail, `body:3: resources: the resource type "x`) || !strings.HasSuffix(p.Detail, "(--max-resource-types 200)") {
			t.Errorf("%s: found %+v", path, found)
		}
	}
	if found := l.do("GET", "/v1/asks/k1", ""); found.status != http.StatusNotFound {
		t.Errorf("a part of the body was applied: %+v", found)
	}
}
