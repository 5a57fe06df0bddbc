package journal

// Follow has the first lines of journals say what the options leave open. Journals that say a grace, or until when to
// replay, have to agree; where several say when they ended, the latest counts. What the options say, no line has to agree
// with. The error is an *Error that names the line which does not.
func (o *Options) Follow(headers ...Header) error {
	ends := o.HasUntil || o.Idle || o.Last
	if !o.HasGrace && o.Grace == 0 {
		if err := o.followGrace(headers); err != nil {
			return err
		}
	}
	if ends {
		return nil
	}
	return o.followUntil(headers)
}

func (o *Options) followGrace(headers []Header) error {
	var said *Header
	for i := range headers {
		switch h := &headers[i]; {
		case !h.HasGrace:
		case said == nil:
			said = h
			o.Grace, o.HasGrace = h.Grace, true
		case h.Grace != said.Grace:
			return h.differs(said, keyGrace, said.Grace.String(), h.Grace.String())
		}
	}
	return nil
}

func (o *Options) followUntil(headers []Header) error {
	var said *Header
	for i := range headers {
		h := &headers[i]
		if h.HasEnd && (!o.HasEnd || h.End > o.End) {
			o.End, o.HasEnd = h.End, true
		}
		switch {
		case !h.Idle && !h.HasUntil:
		case said == nil:
			said = h
			o.Until, o.HasUntil, o.Idle = h.Until, h.HasUntil, h.Idle
		case h.Idle != said.Idle || h.Until != said.Until:
			return h.differs(said, keyUntil, said.untilText(), h.untilText())
		}
	}
	return nil
}

// differs says that two first lines disagree.
func (h *Header) differs(said *Header, k key, expected, found string) error {
	return &Error{File: h.File, Line: h.Line, Key: k.String(), Expected: expected + " as in " + said.File, Found: found}
}

// untilText is Until as the journal writes it.
func (h *Header) untilText() string {
	if h.Idle {
		return idleWord
	}
	return string(appendAt(nil, h.Until, h.form))
}
