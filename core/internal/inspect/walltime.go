package inspect

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
)

// explainWalltime fills in the promised end of an allocation, if it has one.
func (s *View) explainWalltime(ask app.Ask, e *explain.AskExplanation) {
	ends := ask.Ends()
	if ends == instant.Never {
		return
	}
	e.Ends, e.MayStay = &ends, ask.Walltime().Allow
	switch passed := ends <= s.Now(); {
	case passed && e.MayStay:
		e.Text += " Its promised end has passed; it may stay."
	case passed && ask.Leaving():
		e.Text += " Its promised end has passed, and it was asked to leave."
	case e.MayStay:
		e.Text += " It promises to end " + s.moment(ends) + ", and may stay longer."
	default:
		e.Text += " It promises to end " + s.moment(ends) + "; if it is still there, it is asked to leave."
	}
}
