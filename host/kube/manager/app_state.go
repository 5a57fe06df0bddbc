package manager

// appState is what the scheduler has of an application, and whether its pods may ask.
type appState uint8

// The states of an application.
const (
	appAbsent  appState = iota // the scheduler does not have it; the next pod that asks begins it
	appLive                    // the scheduler has it
	appRefused                 // the scheduler has rejected it, and its pods do not ask until it is readmitted
	appFailing                 // its gang was not formed in time: the scheduler has it until it has ended, and its pods do not ask
	appStates
)

// appEvent is something that happens to an application.
type appEvent uint8

// The events of applications.
const (
	appSubmitted  appEvent = iota // the next request begins it
	appRejected                   // the scheduler has rejected it
	appReadmitted                 // its pause is over, or there is another configuration
	appFails                      // its gang was not formed in time, so its pods fail
	appEnded                      // the scheduler has ended it, or the next request removes it
	appMissing                    // the scheduler refuses an ask, since it does not have the application
	appEvents
)

// appTable lists the states after each event. Every pair may happen, since decisions and requests cross: one about an application that the
// scheduler had before under this name changes nothing.
var appTable = [appEvents][appStates]appState{
	//              absent      live        refused     failing
	appSubmitted:  {appLive, appLive, appLive, appFailing},
	appRejected:   {appRefused, appRefused, appRefused, appRefused},
	appReadmitted: {appAbsent, appLive, appAbsent, appFailing},
	appFails:      {appAbsent, appFailing, appRefused, appFailing},
	appEnded:      {appAbsent, appAbsent, appRefused, appAbsent},
	appMissing:    {appAbsent, appAbsent, appRefused, appFailing},
}

func (s appState) after(e appEvent) appState { return appTable[e][s] }

// known reports whether the scheduler has the application.
func (s appState) known() bool { return s == appLive || s == appFailing }

// holds reports whether the pods of the application must not ask.
func (s appState) holds() bool { return s == appRefused || s == appFailing }
