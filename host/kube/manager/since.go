package manager

import "time"

// since is the time of the request with which the scheduler learned of an object or a property of it. Decisions before it are about an earlier
// object of the same name, or were made without knowing. The zero value stands for what was known from the beginning.
type since struct {
	at      time.Duration
	pending bool // the request has yet to be made; no decision knows of it
}

// soon is the since of what the next request contains.
var soon = since{pending: true}

// submittedAt is the since of a request that was made.
func submittedAt(at time.Duration) since { return since{at: at} }

// knownTo reports whether a decision of a time knows of the object.
func (s since) knownTo(at time.Duration) bool { return !s.pending && at >= s.at }

// before reports whether the request was made before a time. A decision of exactly that time may be about what the request replaced.
func (s since) before(at time.Duration) bool { return !s.pending && at > s.at }
