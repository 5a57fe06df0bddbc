// What is counted by bucket: allocations by priority, ends by reason.

function stack(parent, title, note, list, tone) {
  if (instant()) return; // the card of totals says the same
  const n = Math.max(...list.map((s) => s.counts.length)), at = times(n, data.width);
  chart(parent, {
    title, note, times: at, width: data.width, format: count, axis: tick, bars: true,
    series: list.map((s, i) => ({ name: s.name, values: at.map((_, k) => s.counts[k] || 0), colour: tone(s, i), stack: true, whole: count(s.total) })),
    header: ['From', ...list.map((s) => s.name)], rows: () => at.map((x, k) => [moment(x), ...list.map((s) => count(s.counts[k] || 0))]),
  });
}

function totalsCard(parent, title, name, unit, rows) {
  const largest = Math.max(1, ...rows.map((r) => r[1])), whole = rows.reduce((a, r) => a + r[1], 0);
  const card = el('div', { class: 'card' }, el('div', { class: 'head' }, el('h3', {}, title)), bandTable(name, unit, rows, largest, whole));
  parent.append(card);
  return card;
}

function showPriorities() {
  const cards = byId('priority-cards');
  if (!data.priorities.length) { cards.append(el('p', { class: 'empty' }, 'Nothing was allocated.')); return; }
  stack(cards, 'Over time', 'allocations made, per ' + span(data.width), data.priorities, (s, i) => i);
  totalsCard(cards, 'In all', 'Priority', 'Allocations', data.priorities.map((p) => [p.name, p.total]));
  const most = data.priorities.reduce((n, p) => Math.max(n, p.waited.length), 0), at = times(most, data.width);
  if (!instant()) chart(cards, {
    title: 'How long they had waited, by priority', note: 'mean of the asks that were placed', times: at, width: data.width, format: span, axis: brief, steps,
    series: data.priorities.map((p, i) => ({ name: p.name, values: at.map((_, k) => p.waited[k] ?? null), colour: i, dash: i % dashes.length, whole: '' })),
    header: ['From', ...data.priorities.map((p) => p.name)], rows: () => at.map((x, k) => [moment(x), ...data.priorities.map((p) => span(p.waited[k]))]),
  });
  if (data.priorityWaits.length) cards.append(el('div', { class: 'card' }, el('div', { class: 'head' }, el('h3', {}, 'Waits by priority'), el('p', {}, 'of the asks that were placed')),
    table('Waits by priority', ['Priority', 'Allocated', 'Mean', 'p50', 'p99', 'Longest'],
      data.priorityWaits.map((p) => [p.name, count(p.allocated), span(p.mean), span(p.p50), span(p.p99), span(p.max)]))));
}

const endNames = { finished: 'finished', preempted: 'preempted', node_removed: 'node removed', app_removed: 'application removed', timeout: 'timed out', replaced: 'replaced' };
const endTones = { finished: 5, preempted: 1, node_removed: 4, app_removed: 3, timeout: 6, replaced: 2 };

function showEnds() {
  const cards = byId('ends-cards');
  if (!data.ends.length) { cards.append(el('p', { class: 'empty' }, 'No allocation ended during the run.')); return; }
  const list = data.ends.map((e) => ({ ...e, key: e.name, name: endNames[e.name] || e.name }));
  stack(cards, 'Over time', 'of allocations, per ' + span(data.width), list, (s) => endTones[s.key] ?? 6);
  totalsCard(cards, 'In all', 'Why', 'Allocations', list.map((e) => [e.name, e.total]));
}

const refusedNames = { 'node.rejected': 'node rejected', 'app.rejected': 'application rejected', 'ask.rejected': 'ask rejected', ignored: 'input ignored' };

function showRefused() {
  if (!data.refused.length) { leaveOut('refused'); return; }
  byId('refused-list').append(table('Rejected and ignored inputs by reason', ['Decision', 'Reason', 'Count', 'Example'],
    data.refused.map((r) => [refusedNames[r.decision], r.reason, count(r.count), r.example])));
}
