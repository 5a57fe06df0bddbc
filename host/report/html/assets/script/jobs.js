// Waits, turnarounds and slowdowns of jobs, by queue and by user.

function showJobs() {
  if (!data.jobs.length) { leaveOut('jobs'); return; }
  byId('jobs-lead').textContent = 'A job is an ask, or a gang as a whole. Turnaround: from submission to end. Slowdown: turnaround / max(run time, 10 s). ' +
    'By resource type: what allocations used, times hours.';
  for (const t of data.jobs) byId('jobs-tables').append(el('div', { class: 'card rows' }, table(t.header[0], t.header, t.rows)));
}
