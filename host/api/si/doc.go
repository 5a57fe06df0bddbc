// Package si serves si.v1.Scheduler: resource managers bring nodes, applications and asks, and are told what the scheduler decides
// about them.
//
// # Who is told what
//
// A resource manager is told of its own nodes, applications and asks. Whose they are stands in the state of the scheduler, as an attribute
// of nodes and a tag of applications (Owner), so that it is known after a crash. What is known of answers under way is kept in memory: after a crash a
// resource manager registers again, and says what there is. What the scheduler knows of that is not submitted again, but told again.
//
// # How answers get there
//
// Whether something was accepted is told from the answer to the request that brought it; everything else from the record of decisions, which
// one goroutine follows. What the record says of something before its answer has come is held until then. Answers wait in the outboxes of
// a session, one a stream, until a stream takes them.
package si
