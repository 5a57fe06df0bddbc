// Package yunikorn serves a live scheduler through the REST interface of Apache YuniKorn, below /ws/v1 and /debug: web consoles and
// scripts for it need no more than the address.
//
// What there is now is read from the view, part by part, so that no answer holds it for long; a long answer may therefore show its parts
// at different moments. What the scheduler forgets (what has ended, when states changed, events) is kept in a Memory, which watches the
// view.
package yunikorn
