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
    title: 'How long they had waited', note: 'by the time they were placed', times: at, width: data.width, format: span, steps,
    series: [
      { name: 'longest', values: data.waitMax, colour: 1, whole: span(t.waitMax) },
      { name: 'mean', values: data.waitMean, colour: 0, dash: 1, whole: '' },
    ],
    header: ['From', 'Mean', 'Longest'], rows: () => at.map((x, i) => [moment(x), span(data.waitMean[i]), span(data.waitMax[i])]),
  });
  const largest = Math.max(1, ...data.waits.map((b) => b.count));
  const seen = data.waits.map((b, i) => b.count ? i : -1).filter((i) => i >= 0), last = Math.max(0, ...seen);
  cards.append(el('div', { class: 'card' }, el('div', { class: 'head' }, el('h3', {}, 'Lengths of waits'), el('p', {}, 'asks that were placed')),
    bandTable('Wait', 'Asks', data.waits.slice(0, last + 1).map((b) => [b.name, b.count]), largest, t.allocated)));
}

// bandTable is a table whose rows carry bars.
function bandTable(name, unit, rows, largest, whole) {
  return el('table', {}, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, name), el('th', { scope: 'col' }, el('span', { 'aria-hidden': 'true' }, '')), el('th', { scope: 'col' }, unit), el('th', { scope: 'col' }, 'Part'))),
    el('tbody', {}, ...rows.map(([label, n]) => el('tr', {}, el('th', { scope: 'row' }, label),
      el('td', { class: 'hbar' }, n ? el('div', { 'width%': n / largest * 100 }) : ''), el('td', {}, count(n)), el('td', {}, whole ? percent(n / whole) : '–')))));
}
