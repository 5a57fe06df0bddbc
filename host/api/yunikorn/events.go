package yunikorn

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// The numbers of si.v1.EventRecord.
type (
	eventKind   int32
	eventChange int32
	eventDetail int32
)

const (
	eventRequest   eventKind = 1
	eventApp       eventKind = 2
	eventNode      eventKind = 3
	eventQueue     eventKind = 4
	eventUserGroup eventKind = 5

	changeNone   eventChange = 0
	changeSet    eventChange = 1
	changeAdd    eventChange = 2
	changeRemove eventChange = 3

	noDetail         eventDetail = 0
	requestCancel    eventDetail = 100
	requestAlloc     eventDetail = 101
	requestTimeout   eventDetail = 102
	appAlloc         eventDetail = 200
	appRequest       eventDetail = 201
	appReject        eventDetail = 202
	appNew           eventDetail = 203
	appRunning       eventDetail = 206
	nodeDecommission eventDetail = 300
	nodeSchedulable  eventDetail = 302
	nodeAlloc        eventDetail = 303
	nodeCapacity     eventDetail = 304
	nodeOccupied     eventDetail = 305
	nodeReservation  eventDetail = 306
	queueConfig      eventDetail = 400
	queueDynamic     eventDetail = 401
	queueType        eventDetail = 402
	queueMax         eventDetail = 403
	queueGuaranteed  eventDetail = 404
	queueApp         eventDetail = 405
	queueAlloc       eventDetail = 406
	queuePreemption  eventDetail = 407
	allocCancel      eventDetail = 500
	userLimit        eventDetail = 600
	groupLimit       eventDetail = 601
)

// stateDetails are those of the states that applications enter. Starting is the first part of running there.
var stateDetails = map[string]eventDetail{
	core.StateAccepted: 204, core.StateStarting: appRunning, core.StateRunning: appRunning, core.StateCompleting: 207, core.StateCompleted: 208,
	core.StateFailing: 209, core.StateFailed: 210, core.StateResuming: 211, core.StateExpired: 212,
}

// releaseDetails are those of the reasons for which allocations end.
var releaseDetails = map[core.Reason]eventDetail{
	core.ReasonFinished: allocCancel, core.ReasonAppRemoved: allocCancel, core.ReasonPreempted: 501, core.ReasonTimeout: 502, core.ReasonReplaced: 503,
	core.ReasonNodeRemoved: 504,
}

// event is something that happened.
type event struct {
	at            time.Duration
	kind          eventKind
	change        eventChange
	detail        eventDetail
	object, other string // IDs, and paths of queues
	message       string
	resources     resource.Set
}

// tell notes an event.
func (m *Memory) tell(at time.Duration, e event) {
	e.at = at
	m.events.add(e)
}

// eventRecord is one as a si.v1.EventRecord is written in JSON: enumerations are numbers, and what is zero is left out.
type eventRecord struct {
	Type              eventKind      `json:"type,omitempty"`
	ObjectID          string         `json:"objectID,omitempty"`
	Message           string         `json:"message,omitempty"`
	TimestampNano     int64          `json:"timestampNano,omitempty"`
	EventChangeType   eventChange    `json:"eventChangeType,omitempty"`
	EventChangeDetail eventDetail    `json:"eventChangeDetail,omitempty"`
	ReferenceID       string         `json:"referenceID,omitempty"`
	Resource          *eventResource `json:"resource,omitempty"`
}

type eventResource struct {
	Resources map[string]eventQuantity `json:"resources,omitempty"`
}

type eventQuantity struct {
	Value int64 `json:"value,omitempty"`
}

func (e *event) record() eventRecord {
	r := eventRecord{Type: e.kind, ObjectID: e.object, Message: e.message, TimestampNano: nanoseconds(e.at), EventChangeType: e.change,
		EventChangeDetail: e.detail, ReferenceID: e.other}
	if len(e.resources) > 0 {
		r.Resource = &eventResource{Resources: make(map[string]eventQuantity, len(e.resources))}
		for _, q := range e.resources {
			r.Resource.Resources[q.Type] = eventQuantity{q.Value}
		}
	}
	return r
}
