package clustertest

import (
	"bytes"
	"os"
)

// logTailLines is how many lines of a log are shown.
const logTailLines = 25

// logTail returns the last lines of the process's log, or why there are none.
func (p *Process) logTail() string {
	text, err := os.ReadFile(p.logFile)
	if err != nil {
		return err.Error()
	}
	text = bytes.TrimRight(text, "\n")
	begin := len(text)
	for range logTailLines {
		if begin = bytes.LastIndexByte(text[:begin], '\n'); begin < 0 {
			return string(text)
		}
	}
	return string(text[begin+1:])
}
