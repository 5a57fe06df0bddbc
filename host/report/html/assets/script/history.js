// What changed since an earlier report, and the figures of those before it.

function showHistory() {
  if (!data.since) { leaveOut('history'); return; }
  const changes = data.changes || [];
  byId('history-lead').textContent = changes.length ? 'Figures that differ from those of ' + data.since + '.' : 'No figure has changed since ' + data.since + '.';
  const cards = byId('history-cards');
  if (changes.length) {
    cards.append(el('div', { class: 'card' }, el('div', { class: 'head' }, el('h3', {}, 'Since the last report')),
      table('Changes', ['Figure', 'Before', 'Now'], changes.map((c) => [c.name, c.before, c.after]))));
  }
  cards.append(el('div', { class: 'card wide' }, el('div', { class: 'head' }, el('h3', {}, 'The reports so far'), el('p', {}, 'the latest last')),
    table('Reports', ['Run', 'Allocated', 'Pending', 'Rejected', 'Wait mean', 'p99', 'Makespan'], data.history.map((r) => [
      (r.journal || 'a summary') + (r.config ? ', ' + r.config : ''), count(r.allocated), count(r.pending), count(r.rejected), brief(r.wait_seconds.mean), brief(r.wait_seconds.p99), brief(r.makespan_seconds)]))));
}
