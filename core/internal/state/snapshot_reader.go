package state

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
)

// contentOf checks the lines around the content of a snapshot.
func contentOf(data []byte) (body []byte, err error) {
	head, body, _ := bytes.Cut(data, []byte("\n"))
	words := bytes.Fields(head)
	if len(words) < 2 || string(words[0]) != snapshotName {
		return nil, fmt.Errorf("snapshot: first line: expected %q and a version, found %.40q", snapshotName, head)
	}
	version, err := strconv.Atoi(string(words[1]))
	if err != nil || version < 1 || version > snapshotVersion {
		return nil, fmt.Errorf("snapshot: version: expected 1 to %d, found %.20q", snapshotVersion, words[1])
	}
	if version <= checksumFirst {
		if len(words) != 3 {
			return nil, fmt.Errorf("snapshot: first line: expected %q, a version and a checksum, found %.40q", snapshotName, head)
		}
		return body, checkSum(body, words[2])
	}
	end := len(data) - sealLength + 1
	if len(words) != 2 || end <= len(head) || data[end-1] != '\n' || data[len(data)-1] != '\n' {
		return nil, errors.New("snapshot: expected a line with the version, one of content, and one with a checksum")
	}
	return data[len(head)+1 : end-1], checkSum(data[:end], data[end:len(data)-1])
}

func checkSum(of, found []byte) error {
	if want := fmt.Sprintf("%x", sha256.Sum256(of)); string(found) != want {
		return fmt.Errorf("snapshot: checksum: expected %s for the content, found %.64s", want, found)
	}
	return nil
}

// readSnapshot checks the lines of a snapshot and decodes its content.
func readSnapshot(data []byte) (*snapshot, error) {
	body, err := contentOf(data)
	if err != nil {
		return nil, err
	}
	return readContent(body)
}

func readContent(body []byte) (*snapshot, error) {
	if rest, asks, ok := cutAsks(body); ok {
		if m, err := decodeContent(rest, 0); err == nil && m.Asks == nil {
			m.Asks = asks
			return m, nil
		}
	}
	return decodeContent(body, asksIn(body))
}

// decodeContent decodes a content with about so many asks; 0: it has none.
func decodeContent(body []byte, asks int) (*snapshot, error) {
	m := &snapshot{}
	if asks > 0 {
		m.Asks = make([]askMemory, 0, asks)
	}
	if len(body) == 0 || body[0] != '{' {
		return nil, errors.New("snapshot: expected one JSON object")
	}
	if err := decodeStrict(body, m); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return m, nil
}

// leastAsk is the least number of bytes of an ask in a snapshot.
const leastAsk = 64

// asksIn estimates the number of asks in a snapshot, so that their list need not grow. It returns 0 if there are several partitions.
func asksIn(body []byte) int {
	if bytes.Contains(body, []byte(`"Others":[`)) {
		return 0
	}
	return min(bytes.Count(body, []byte(`,"Created":`)), len(body)/leastAsk)
}
