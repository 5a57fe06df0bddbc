// The cluster over time: a chart for each type, and one of stranded room for all of them.

function mean(values) {
  const known = values.filter((v) => v !== null);
  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
}

function peak(values) { return values.reduce((a, b) => Math.max(a, b === null ? 0 : b), 0); }

function showCluster() {
  const cards = byId('cluster-cards');
  byId('cluster-lead').textContent = 'The usage of allocations, and the stranded room: free room on nodes where none of the waiting asks would fit.'
    + (data.tooLarge ? ' Asks that would fit no node even if it were empty do not count; ' + data.tooLarge + (data.tooLarge === 1 ? ' waits' : ' wait') + ' at the end.' : '');
  if (!data.types.length) { cards.append(el('p', { class: 'empty' }, 'The run had no nodes.')); return; }
  data.types.forEach((t) => typeChart(cards, t));
  fragmentation(cards);
}

function typeChart(cards, t) {
  const s = scale(t.name, Math.max(peak(t.capacity), peak(t.used))), format = (v) => short(v / s.by) + (s.unit ? ' ' + s.unit : '');
  const used = mean(t.used), capacity = mean(t.capacity);
  const at = times(t.used.length, data.width);
  const stranded = held(t.stranded, t.used.length).map((v, i) => Math.min(v, Math.max(0, t.capacity[i] - t.used[i])));
  chart(cards, {
    title: t.name, note: capacity ? percent(used / capacity) + ' used on average, ' + percent(share(t)) + ' at the peak' : 'used, without any capacity',
    times: at, width: data.width, format, axis: (v) => tick(v / s.by), steps: rounds(s.by), top: peak(t.capacity),
    series: [
      { name: 'used', values: t.used, colour: 0, fill: 0.34, stack: true, whole: format(used) + ' on average' },
      { name: 'stranded', values: stranded, colour: 1, fill: true, hatch: true, stack: true, hidden: true, whole: format(mean(stranded)) },
      { name: 'capacity', values: t.capacity, colour: 6, dash: 1, whole: format(capacity) },
    ],
    header: ['From', 'Used', 'Used of capacity', 'Stranded', 'Capacity'],
    rows: () => at.map((x, i) => [moment(x), format(t.used[i]), percent(t.used[i] / t.capacity[i]), format(stranded[i]), format(t.capacity[i])]),
  });
}

// held fills buckets without a sample: the last sample still holds.
function held(values, n) {
  let last = 0;
  return Array.from({ length: n }, (_, i) => { if (values[i] !== null && values[i] !== undefined) last = values[i]; return last; });
}

function share(t) { return t.used.reduce((most, v, i) => t.capacity[i] ? Math.max(most, v / t.capacity[i]) : most, 0); }

function fragmentation(cards) {
  const at = times(data.types[0].used.length, data.width);
  const all = data.types.map((t) => ({ name: t.name, values: held(t.stranded, at.length).map((v, i) => t.capacity[i] ? v / t.capacity[i] : 0) }));
  const rough = data.rough ? '. So many different asks waited that not all were checked against every node: this is an upper bound.' : '';
  chart(cards, {
    title: 'Fragmentation', note: 'stranded room as a share of the capacity' + rough, times: at, width: data.width, format: percent,
    series: all.map((s, i) => ({ ...s, colour: i, dash: i % dashes.length, whole: percent(mean(s.values)) + ' on average' })),
    header: ['From', ...all.map((s) => s.name)],
    rows: () => at.map((x, i) => [moment(x), ...all.map((s) => percent(s.values[i]))]),
  });
}
