package conformance

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// manifestStays asks one instance twice, and another one.
func manifestStays(s *suite) verdict {
	first := ""
	for n := range 2 {
		g, err := s.bare()
		if err != nil {
			return differs("an instance", "%v", err)
		}
		defer g.close()
		for range 2 {
			said, err := g.declared()
			switch {
			case err != nil:
				return differs("a version and a manifest", "%v", err)
			case first == "":
				first = said
			case said != first:
				return differs("the same version and manifest every time", "others in instance %d", n+1)
			}
		}
	}
	return fine
}

// declared is the version and the manifest, as one text.
func (g *guest) declared() (string, error) {
	version, err := g.call(abi.ExportABI)
	if err != nil {
		return "", err
	}
	at, err := g.call(abi.ExportManifest)
	if err != nil {
		return "", err
	}
	text, err := g.text(at, abi.MaxManifest)
	return fmt.Sprintf("%#x %s", version, text), err
}

func manifestHasVersion(s *suite) verdict {
	if s.Declared.Version == "" {
		return differs("version: a text, as its author counts", "none")
	}
	return verdict{note: fmt.Sprintf("%s %s, for ABI %s", s.Declared.Name, s.Declared.Version, s.Declared.ABI)}
}

// arenaGrows asks for more and more, and for less in between.
func arenaGrows(s *suite) verdict {
	g, err := s.bare()
	if err != nil {
		return differs("an instance", "%v", err)
	}
	defer g.close()
	for _, size := range []uint32{1, 64, 65, 4096, 100, 1 << 16, 1<<16 + 1, 1 << 20, 2 << 20} {
		view, err := g.reserve(size)
		if size > 1<<16 && errors.Is(err, errNoRoom) {
			return verdict{note: fmt.Sprintf("%d bytes are too many for it", size)}
		}
		if err != nil {
			return differs("an arena aligned to 64, or 0 where much is wanted", "%v", err)
		}
		view[0], view[size-1] = 1, 1
	}
	return fine
}

// otherVersionRefused hands a frame of major version 2 over.
func otherVersionRefused(s *suite) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			code, err := in.guest.foreign(in.batch(p, ids(0, 2), plausible))
			switch {
			case err != nil:
				return fault(p, err)
			case code != abi.BadFrame:
				return differs("return code 1", "%s: %d", p, int32(code))
			}
			return fine
		})
	})
}

// foreign asks about a batch in a frame of another major version.
func (g *guest) foreign(b *policy.Batch) (uint32, error) {
	if err := g.tell(b.Texts); err != nil {
		return 0, err
	}
	f, err := g.lay(b)
	if err != nil {
		return 0, err
	}
	binary.LittleEndian.PutUint32(f.view[guard+abi.OffVersion:], (abi.Major+1)<<16)
	return g.callOnArena(exportOf(b.Point), g.arena+guard)
}

func grownFramesRead(s *suite) verdict { return s.sameInShape(shape{header: 16, descriptor: 8}) }

func flagsIgnored(s *suite) verdict { return s.sameInShape(shape{flags: 0xfffffffe}) }

// sameInShape compares answers in plain frames and in others.
func (s *suite) sameInShape(other shape) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			in.guest.shape = shape{}
			want, err := in.numbers(p, ids(0, 50), plausible)
			if err != nil {
				return fault(p, err)
			}
			in.guest.shape = other
			got, err := in.numbers(p, ids(0, 50), plausible)
			if err != nil {
				return fault(p, err)
			}
			return compare(p, in.keys(p), want, got, nil, 0)
		})
	})
}

// errorReadable lets a call fail and reads why.
func errorReadable(s *suite) verdict {
	return s.with(func(in *session) verdict {
		if !in.guest.exports(abi.ExportError) {
			return verdict{skipped: true, note: "it does not export quern_error, which is optional"}
		}
		p := s.points[0]
		if _, err := in.guest.foreign(in.batch(p, ids(0, 2), plausible)); err != nil {
			return fault(p, err)
		}
		text, err := in.guest.failure()
		switch {
		case err != nil:
			return differs("a text that ends with a NUL", "%v", err)
		case !utf8.ValidString(text):
			return differs("a text in UTF-8", "%q", text)
		case strings.TrimSpace(text) == "":
			return verdict{note: "it gives no error text for a frame of another version"}
		}
		return verdict{note: fmt.Sprintf("its error text is %q", text)}
	})
}
