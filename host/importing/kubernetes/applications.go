package kubernetes

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/quern-project/quern/host/importing"
)

// The labels and annotations that are read.
const (
	domain          = "yunikorn.apache.org/"
	appIDKey        = domain + "app-id"
	queueKey        = domain + "queue"
	userInfoKey     = domain + "user.info"
	userNameKey     = domain + "username"
	allowPreemption = domain + "allow-preemption"
	taskGroupName   = domain + "task-group-name"
	taskGroupsKey   = domain + "task-groups"
	policyKey       = domain + "schedulingPolicyParameters"
	placeholderKey  = domain + "placeholder"
	parentQueueKey  = domain + "parentqueue"
)

func (i *item) annotation(key string) string { return i.Metadata.Annotations[key] }

func (i *item) label(key string) string { return i.Metadata.Labels[key] }

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// belongs finds out which application a pod is of, and which queue and user it names.
func (i *item) belongs(p *pod) {
	p.app = first(i.annotation(appIDKey), i.label(appIDKey), i.label("applicationId"), i.label("spark-app-selector"))
	if p.app == "" {
		p.app = i.Metadata.Namespace + "/" + i.controller()
	}
	p.queue = first(i.label(queueKey), i.label("queue"), i.annotation(queueKey))
	p.user = i.label(userNameKey)
	text := i.annotation(userInfoKey)
	if text == "" {
		return
	}
	var info struct {
		User   string   `json:"user"`
		Groups []string `json:"groups"`
	}
	if err := json.Unmarshal([]byte(text), &info); err != nil {
		i.refuse(`an object such as {"user":"alice","groups":["staff"]}`, text, "metadata", "annotations", userInfoKey)
		return
	}
	p.user, p.groups = info.User, info.Groups
}

// controller is the name of what made the pod, or else its own.
func (i *item) controller() string {
	for _, o := range i.Metadata.OwnerReferences {
		if o.Controller {
			return o.Name
		}
	}
	return i.Metadata.Name
}

// namespace is what is kept of a namespace.
type namespace struct {
	parent  string
	amounts importing.QueueAmounts
}

// namespace reads the annotations of a namespace. Its quotas may stand under two names.
func (i *item) namespace() *namespace {
	n := &namespace{parent: i.annotation(parentQueueKey)}
	n.amounts.Max = i.quota("quota").set()
	n.amounts.Guaranteed = i.quota("guaranteed").set()
	if key, text := i.either("maxApps"); text != "" {
		most, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			i.refuse("a whole number", text, "metadata", "annotations", key)
		}
		n.amounts.MaxApplications = most
	}
	return n
}

func (i *item) either(name string) (key, text string) {
	for _, key := range []string{domain + "namespace." + name, domain + name} {
		if text := i.annotation(key); text != "" {
			return key, text
		}
	}
	return "", ""
}

func (i *item) quota(name string) amounts {
	key, text := i.either(name)
	if text == "" {
		return nil
	}
	return i.embedded(text, key)
}

// embedded reads quantities that are the JSON of an annotation.
func (i *item) embedded(text, key string) amounts {
	var q quantities
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		i.refuse(`an object of quantities such as {"cpu":"4","memory":"16Gi"}`, text, "metadata", "annotations", key)
		return nil
	}
	return i.amounts(q, "metadata", "annotations", key)
}

// queueOf is the full name of the queue of a pod: what it names itself, else that of its namespace.
func (r *Reader) queueOf(p *pod) (path string, own bool) {
	if p.queue != "" {
		return qualified(p.queue), false
	}
	parent := "root"
	if n := r.namespaces[p.namespace]; n != nil && n.parent != "" {
		parent = qualified(n.parent)
	}
	return parent + "." + importing.Label(p.namespace), true
}

// qualified is a full name of a queue: a name that does not begin at root is one below it.
func qualified(name string) string {
	if lower := strings.ToLower(name); lower == "root" || strings.HasPrefix(lower, "root.") {
		return name
	}
	return "root." + importing.Label(name)
}
