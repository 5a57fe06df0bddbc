package html

import (
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/report/summary"
)

// jobsData is a table of jobs, by queue or by user.
type jobsData struct {
	Header []string   `json:"header"`
	Rows   [][]string `json:"rows"`
}

// mostJobRows bounds the rows of a table of jobs.
const mostJobRows = 1001

// jobsOf lists the jobs by queue and by user. The list is empty if no job has ended.
func jobsOf(s *summary.Summary) []jobsData {
	queues := make([]*ledger.QueueSummary, min(len(s.Queues), mostJobRows))
	for i := range queues {
		queues[i] = &s.Queues[i]
	}
	all := []jobsData{}
	for _, t := range s.JobTables(queues, func(q *ledger.QueueSummary) string { return q.Path }) {
		all = append(all, jobsData{t.Header, t.Rows})
	}
	return all
}
