package journal

// Follow fills in the options that are not set from the first lines of journals. Journals that specify a grace, or where a replay ends,
// must agree; of several ends of recordings, the latest counts. Lines need not agree with options that are set. The error is an *Error
// for the line that disagrees.
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

// differs returns the error for two first lines that disagree.
func (h *Header) differs(said *Header, k key, expected, found string) error {
	return &Error{File: h.File, Line: h.Line, Key: k.String(), Expected: expected + " as in " + said.File, Found: found}
}

// untilText returns Until as the journal writes it.
func (h *Header) untilText() string {
	if h.Idle {
		return idleWord
	}
	return string(appendAt(nil, h.Until, h.form))
}
