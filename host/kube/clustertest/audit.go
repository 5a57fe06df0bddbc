package clustertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// Files of the API server's audit log, in the cluster's folder.
const (
	fileAuditPolicy = "audit-policy.yaml"
	fileAuditLog    = "audit.log"
)

// auditPolicy has the requests of service accounts written down, without their bodies and except those of the controller manager. The requests of
// tests and of programs that act as users cost nothing.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, Panic]
rules:
- level: None
  userGroups: [system:serviceaccounts:kube-system]
- level: Metadata
  userGroups: [system:serviceaccounts]
  verbs: [watch]
  omitStages: [ResponseComplete] # which comes only when the watch ends
- level: Metadata
  userGroups: [system:serviceaccounts]
`

// A Request is what a service account has asked of the API server.
type Request struct {
	Verb      string // of RBAC
	Group     string // of the API; empty: the core
	Resource  string // with the subresource, as in pods/binding
	Namespace string // empty: of all namespaces, or the object has none
	Name      string // empty: of no object that was there
	Forbidden bool   // RBAC has refused it
	Throttled bool   // priority and fairness has refused it
}

// auditArgs writes the policy, and returns the arguments of an API server that keeps the log.
func (c *Cluster) auditArgs() ([]string, error) {
	policy := c.credentials.file(fileAuditPolicy)
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return nil, err
	}
	return []string{"--audit-policy-file=" + policy, "--audit-log-path=" + c.credentials.file(fileAuditLog), "--audit-log-mode=blocking"}, nil
}

// Requests returns what a service account has asked so far for resources of the API, in the order of the answers.
func (c *Cluster) Requests(namespace, name string) ([]Request, error) {
	text, err := os.ReadFile(c.credentials.file(fileAuditLog))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nothing was written yet
	}
	if err != nil {
		return nil, err
	}
	var list []Request
	user := "system:serviceaccount:" + namespace + ":" + name
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // it is being written
		}
		var e auditv1.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("audit log: %w: %s", err, line)
		}
		if e.User.Username == user && e.ObjectRef != nil {
			list = append(list, requestOf(&e))
		}
	}
	return list, nil
}

func requestOf(e *auditv1.Event) Request {
	o := e.ObjectRef
	r := Request{Verb: e.Verb, Group: o.APIGroup, Resource: o.Resource, Namespace: o.Namespace, Name: o.Name,
		Forbidden: e.Annotations["authorization.k8s.io/decision"] == "forbid",
		Throttled: e.ResponseStatus != nil && e.ResponseStatus.Code == http.StatusTooManyRequests}
	if o.Subresource != "" {
		r.Resource += "/" + o.Subresource
	}
	return r
}
