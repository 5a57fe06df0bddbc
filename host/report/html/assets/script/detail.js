// One queue over time, against its limits as reloads changed them.

let detailCharts = [];

// stepsOf gives, for each bucket, the limit in force at its end.
function stepsOf(q, kind, type, at) {
  return at.map((t) => {
    let value = null;
    for (const l of q.limits) {
      if (l.at > t + data.queueWidth) break;
      value = l[kind][type] === undefined ? null : l[kind][type];
    }
    return value;
  });
}

function showDetail() {
  const host = byId('detail'), q = data.queues.find((x) => x.path === tree.chosen);
  detailCharts.forEach((one) => one.drop());
  detailCharts = [];
  host.replaceChildren();
  if (!q) { host.append(el('p', { class: 'empty' }, 'No queue.')); return; }
  host.append(el('h3', { class: 'path' }, q.path), facts(q));
  useChart(host, q);
  waitingCharts(host, q);
  for (const one of detailCharts) one.card.className = '';
}

function useChart(host, q) {
  const type = tree.type, values = q.curves && q.curves[type];
  if (!values) {
    host.append(el('p', { class: 'empty' }, q.curves ? 'It never used any ' + type + '.' : q.allocated ? 'No curve was kept for this queue, since others were busier.' : 'No ask was placed here.'));
    return;
  }
  const at = times(values.length, data.queueWidth), guaranteed = stepsOf(q, 'guaranteed', type, at), max = stepsOf(q, 'max', type, at);
  const s = scale(type, Math.max(peak(values), peak(guaranteed), peak(max))), format = (v) => v === null ? '–' : short(v / s.by) + (s.unit ? ' ' + s.unit : '');
  const series = [{ name: 'used', values, colour: 0, fill: 0.34, stack: true, whole: format(mean(values)) + ' on average' }];
  if (guaranteed.some((v) => v !== null)) series.push({ name: 'guaranteed', values: guaranteed, colour: 1, whole: format(guaranteed[guaranteed.length - 1]) });
  if (max.some((v) => v !== null)) series.push({ name: withoutPartition(q.path) === 'root' ? 'cluster' : 'max', values: max, colour: 6, dash: 1, whole: format(max[max.length - 1]) });
  detailCharts.push(chart(host, {
    title: instant() ? type : type + ' over time', times: at, width: data.queueWidth, format, axis: (v) => tick(v / s.by), steps: rounds(s.by), tall: true, series,
    header: ['From', 'Used', 'Guaranteed', 'Max'],
    rows: () => at.map((x, i) => [moment(x), format(values[i]), format(guaranteed[i]), format(max[i])]),
  }));
}

// waitingCharts draw the asks that wait in the queue and below it, and how long those that were placed had waited.
function waitingCharts(host, q) {
  if (!q.asks) return;
  const at = times(q.asks.length, data.queueWidth);
  detailCharts.push(chart(host, {
    title: 'Asks that wait', note: count(q.pending) + ' at the end', times: at, width: data.queueWidth, format: short, axis: tick,
    series: [{ name: 'pending', values: q.asks, colour: 0, fill: 0.34, stack: true, whole: short(mean(q.asks)) + ' on average, ' + short(peak(q.asks)) + ' at most' }],
    header: ['From', 'Pending on average'], rows: () => at.map((x, i) => [moment(x), short(q.asks[i])]),
  }));
  if (!q.waited.some((v) => v !== null)) return;
  detailCharts.push(chart(host, {
    title: 'How long they had waited', note: 'mean, by the time they were placed', times: at, width: data.queueWidth, format: span, axis: brief, steps,
    series: [{ name: 'mean', values: at.map((_, i) => q.waited[i] ?? null), colour: 1, whole: 'longest ' + span(q.waitMax) }],
    header: ['From', 'Mean'], rows: () => at.map((x, i) => [moment(x), span(q.waited[i])]),
  }));
}


function facts(q) {
  const list = el('dl', { class: 'facts' });
  const add = (name, value) => list.append(el('div', {}, el('dt', {}, name), el('dd', {}, value)));
  add('Pending asks', count(q.pending));
  add('Allocations made', count(q.allocated));
  if (q.state !== 'gone') add('Running applications', count(q.running) + (q.maxRunning ? ' of ' + count(q.maxRunning) : ''));
  if (q.allocated) add('Waited, p50 / p99', brief(q.p50) + ' / ' + brief(q.p99));
  if (q.lost) add('Preempted from it', counted(q.lost, 'allocation', 'allocations'));
  if (q.took) add('Preempted for it', counted(q.took, 'allocation', 'allocations'));
  if (q.state !== 'active') add('State', q.state);
  return list;
}
