// One queue over time, against its limits as reloads changed them.

let detailChart = null;

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
  if (detailChart) detailChart.drop();
  detailChart = null;
  host.replaceChildren();
  if (!q) { host.append(el('p', { class: 'empty' }, 'No queue.')); return; }
  host.append(el('h3', { class: 'path' }, q.path), facts(q));
  const type = tree.type, values = q.curves && q.curves[type];
  if (!values) {
    host.append(el('p', { class: 'empty' }, q.curves ? 'It never used any ' + type + '.' : q.allocated ? 'No curve was kept of this queue: others were busier.' : 'Nothing was ever placed here.'));
    return;
  }
  const at = times(values.length, data.queueWidth), guaranteed = stepsOf(q, 'guaranteed', type, at), max = stepsOf(q, 'max', type, at);
  const s = scale(type, Math.max(peak(values), peak(guaranteed), peak(max))), format = (v) => v === null ? '–' : short(v / s.by) + (s.unit ? ' ' + s.unit : '');
  const series = [{ name: 'used', values, colour: 0, fill: 0.34, stack: true, whole: format(mean(values)) + ' on average' }];
  if (guaranteed.some((v) => v !== null)) series.push({ name: 'guaranteed', values: guaranteed, colour: 1, whole: format(guaranteed[guaranteed.length - 1]) });
  if (max.some((v) => v !== null)) series.push({ name: withoutPartition(q.path) === 'root' ? 'cluster' : 'max', values: max, colour: 6, dash: 1, whole: format(max[max.length - 1]) });
  detailChart = chart(host, {
    title: type + ' over time', times: at, width: data.queueWidth, format, axis: (v) => tick(v / s.by), steps: rounds(s.by), tall: true, series,
    header: ['From', 'Used', 'Guaranteed', 'Max'],
    rows: () => at.map((x, i) => [moment(x), format(values[i]), format(guaranteed[i]), format(max[i])]),
  });
  detailChart.card.className = '';
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
