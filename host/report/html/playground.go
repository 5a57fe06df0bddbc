package html

// Playground says how a reader opens the run in the playground.
type Playground struct {
	Command string // that shows the run in one; empty: it cannot be shown
	Address string // of a hosted one; empty: there is none, and the reader starts one by the command
	Session string // the run as an address holds it; empty: it is too long for that
}

// Link is where the run can be opened: in the hosted playground or, where there is none or the run is too long for an address, in the one
// that the reader starts.
func (p *Playground) Link() string {
	if p.Session == "" {
		return startedHere + "#given"
	}
	if p.Address != "" {
		return p.Address + "#s=" + p.Session
	}
	return startedHere + "#s=" + p.Session
}

// startedHere is the address of the playground that its command starts.
const startedHere = "http://127.0.0.1:7467/"

// playgroundData is what the script of the page knows of it.
type playgroundData struct {
	Command string `json:"command"`
	Link    string `json:"link"`
	Hosted  bool   `json:"hosted"` // nothing has to be started
}

func (p *Playground) data() *playgroundData {
	if p.Command == "" {
		return nil
	}
	return &playgroundData{p.Command, p.Link(), p.Address != "" && p.Session != ""}
}
