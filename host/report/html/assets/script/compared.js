// Runs side by side: the page's own and those of other configurations and policies.

function showCompared() {
  const c = data.compared;
  if (!c) { leaveOut('compared'); return; }
  byId('compared-verdicts').append(...c.verdicts.filter(Boolean).map((text) => el('p', {}, text)));
  byId('compared-lead').textContent = 'The same inputs under ' + c.names.map((n) => '“' + n + '”').join(', ') + '. The rest of this report shows the first.';
  const two = c.names.length === 2;
  byId('compared-figures').append(table('Figures of the runs', ['', ...c.names, ...(two ? ['Change'] : [])],
    c.rows.map((r) => [r.name.trim() === r.name ? r.name : el('span', { class: 'under' }, r.name.trim()), ...r.values, ...(two ? [r.change] : [])])));
  const cards = byId('compared-cards');
  if (c.points > 1 && !instant()) comparedCharts(cards, c);
  const waited = c.queues.filter((q) => q.p99.some((v) => v));
  if (waited.length) cards.append(comparedWaits(c, waited));
}

// comparedCharts draws the curves of all runs into one chart for each type, and one of the asks that wait.
function comparedCharts(cards, c) {
  const at = Array.from({ length: c.points }, (_, i) => c.start + i * c.width);
  const draw = (title, note, curves, format, axis, step) => chart(cards, {
    title, note, times: at, width: c.width, format, axis, steps: step,
    series: curves.map((values, i) => ({ name: c.names[i], values: at.map((_, k) => values[k] === undefined ? null : values[k]), colour: i, dash: i % dashes.length, whole: format(mean(values)) + ' on average' })),
    header: ['From', ...c.names], rows: () => at.map((x, k) => [moment(x), ...curves.map((v) => v[k] === undefined ? '–' : format(v[k]))]),
  });
  c.types.forEach((t) => {
    const s = scale(t.name, Math.max(...t.used.map(peak))), format = (v) => v === null ? '–' : short(v / s.by) + (s.unit ? ' ' + s.unit : '');
    draw(t.name + ' used', 'by run', t.used, format, (v) => tick(v / s.by), rounds(s.by));
  });
  draw('Asks that wait', 'by run', c.pending, (v) => v === null ? '–' : short(v), tick);
}

// comparedWaits is a table of waits by queue, with a bar for each run.
function comparedWaits(c, queues) {
  const longest = Math.max(...queues.flatMap((q) => q.p99.map((v) => v || 0)));
  return el('div', { class: 'card wide' }, el('div', { class: 'head' }, el('h3', {}, 'Waits by queue'), el('p', {}, '99th percentile, and mean, of the asks that were allocated')),
    table('Waits by queue and run', ['Queue', ...c.names], queues.map((q) => [q.path, ...q.p99.map((v, i) => v === null ? '–'
      : el('span', { class: 'share' }, brief(v) + ', ' + brief(q.mean[i]), el('span', { class: 'bullet', 'aria-hidden': 'true' }, el('span', { 'width%': longest ? v / longest * 100 : 0, class: 'run' + (i % 7 + 1) }))))])));
}
