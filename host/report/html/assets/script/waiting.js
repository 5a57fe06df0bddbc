// How many asks wait, and for how long.

function showWaiting() {
  const cards = byId('waiting-cards'), at = times(data.pending.length, data.width), t = data.totals;
  byId('waiting-lead').textContent = t.allocated
    ? 'Half of the asks that were placed waited ' + span(t.waitP50) + ' or less, one in a hundred longer than ' + span(t.waitP99) + ', and none longer than ' + span(t.waitMax) + '.'
    : 'No ask was placed.';
  chart(cards, {
    title: 'Asks that wait', note: count(t.pending) + ' at the end', times: at, width: data.width, format: short, axis: tick,
    series: [{ name: 'pending', values: data.pending, colour: 0, fill: 0.34, stack: true, whole: short(mean(data.pending)) + ' on average, ' + short(peak(data.pending)) + ' at most' }],
    header: ['From', 'Pending on average'], rows: () => at.map((x, i) => [moment(x), short(data.pending[i])]),
  });
  chart(cards, {
    title: 'How long they had waited', note: 'by the time they were placed', times: at, width: data.width, format: span, axis: brief, steps,
    series: [
      { name: 'longest', values: data.waitMax, colour: 1, whole: span(t.waitMax) },
      { name: 'mean', values: data.waitMean, colour: 0, dash: 1, whole: '' },
    ],
    header: ['From', 'Mean', 'Longest'], rows: () => at.map((x, i) => [moment(x), span(data.waitMean[i]), span(data.waitMax[i])]),
  });
  waitingByQueue(cards);
  const largest = Math.max(1, ...data.waits.map((b) => b.count));
  const seen = data.waits.map((b, i) => b.count ? i : -1).filter((i) => i >= 0), last = Math.max(0, ...seen);
  cards.append(el('div', { class: 'card' }, el('div', { class: 'head' }, el('h3', {}, 'Lengths of waits'), el('p', {}, 'asks that were placed')),
    bandTable('Wait', 'Asks', data.waits.slice(0, last + 1).map((b) => [b.name, b.count]), largest, t.allocated)));
}

// The chart by queue distinguishes this many leaf queues: those in which most asks waited.
const mostWaiting = 6;

function waitingByQueue(cards) {
  const all = data.queues.filter((q) => q.leaf && q.asks && peak(q.asks) > 0).map((q) => ({ name: q.path, values: q.asks, mean: mean(q.asks) }));
  if (all.length < 2) return;
  all.sort((a, b) => b.mean - a.mean);
  const rest = all.slice(mostWaiting), shown = all.slice(0, mostWaiting);
  const at = times(Math.max(...all.map((q) => q.values.length)), data.queueWidth);
  if (rest.length) shown.push({ name: counted(rest.length, 'other', 'others'), values: at.map((_, i) => rest.reduce((sum, q) => sum + (q.values[i] || 0), 0)) });
  const bare = data.queues.filter((q) => q.leaf && !q.asks && (q.allocated || q.pending)).length;
  chart(cards, {
    title: 'Asks that wait, by queue', note: bare ? 'without ' + counted(bare, 'queue', 'queues') + ' whose curves were not kept' : 'leaf queues', times: at, width: data.queueWidth, format: short, axis: tick,
    series: shown.map((q, i) => ({ name: q.name, values: at.map((_, k) => q.values[k] || 0), colour: i, fill: 0.34, stack: true, whole: short(mean(q.values)) + ' on average' })),
    header: ['From', ...shown.map((q) => q.name)], rows: () => at.map((x, i) => [moment(x), ...shown.map((q) => short(q.values[i] || 0))]),
  });
}

// bandTable is a table whose rows carry bars.
function bandTable(name, unit, rows, largest, whole) {
  return el('table', {}, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, name), el('th', { scope: 'col' }, el('span', { 'aria-hidden': 'true' }, '')), el('th', { scope: 'col' }, unit), el('th', { scope: 'col' }, 'Share'))),
    el('tbody', {}, ...rows.map(([label, n]) => el('tr', {}, el('th', { scope: 'row' }, label),
      el('td', { class: 'hbar' }, n ? el('div', { 'width%': n / largest * 100 }) : ''), el('td', {}, count(n)), el('td', {}, whole ? percent(n / whole) : '–')))));
}
