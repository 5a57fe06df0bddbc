// A chart is a figure: a heading, a legend that reads out the values under the cursor, the plot, and its table.
//
// What a caller gives: title, note, times, width of a bucket, series, format of values, perhaps axis (another format for
// it), steps (between its ticks), top, bars, tall, and the table as header and rows. A series has name, values, whole
// (what it comes to in all), and how it is drawn: colour (a number), fill, hatch, dash, stack, hidden.

const charts = [];
let zoomed = null;

function times(n, width) { return Array.from({ length: n }, (_, i) => data.start + i * width); }

// At a single instant there is nothing to draw over time: the values take the place of the plot.
function chart(parent, o) {
  if (instant()) return values(parent, o);
  const legend = el('ul', { class: 'legend' });
  const plot = el('div', { class: 'plot' + (o.tall ? ' tall' : ''), tabindex: '0', role: 'img' });
  const card = el('figure', { class: 'card' },
    el('div', { class: 'head' }, el('h3', {}, o.title), o.note ? el('p', {}, o.note) : null), legend, plot);
  plot.setAttribute('aria-label', o.title + '. ' + (o.note || '') + ' Arrow keys read out values; the table follows.');
  const c = { o, plot, legend, u: null };
  if (o.header) card.append(behind(o.title, o.header, o.rows));
  parent.append(card);
  charts.push(c);
  places.observe(plot);
  plot.addEventListener('keydown', (event) => keys(c, event));
  draw(c);
  return { card, drop() { places.unobserve(plot); c.u.destroy(); charts.splice(charts.indexOf(c), 1); card.remove(); } };
}

// values is the card of a chart at a single instant: a row for each series, with a bar against the largest of them.
function values(parent, o) {
  const last = (s) => s.values[s.values.length - 1] || 0, largest = Math.max(o.top || 0, ...o.series.map(last)) || 1;
  const card = el('div', { class: 'card' },
    el('div', { class: 'head' }, el('h3', {}, o.title), el('p', {}, 'at ' + moment(data.end))),
    el('table', {}, el('tbody', {}, ...o.series.map((s) => el('tr', {}, el('th', { scope: 'row' }, s.name),
      el('td', { class: 'hbar' }, el('div', { 'width%': last(s) / largest * 100, class: 'run' + (s.colour % 7 + 1) })), el('td', {}, valueOf(o, s.values[s.values.length - 1])))))));
  parent.append(card);
  return { card, drop() { card.remove(); } };
}

// columns turns buckets into points: the last bucket holds until the end, and bars stand in the middle of theirs.
function columns(o) {
  const xs = o.bars ? o.times.map((t) => t + o.width / 2) : [...o.times, Math.max(data.end, o.times[o.times.length - 1] + o.width * 1e-6)];
  let below = xs.map(() => 0);
  const ys = o.series.map((s) => {
    const values = o.bars ? s.values : [...s.values, s.values[s.values.length - 1]];
    if (!s.stack) return values;
    below = values.map((v, i) => (v || 0) + below[i]);
    return below;
  });
  return [xs, ...ys];
}

const stepped = uPlot.paths.stepped({ align: 1 });
const bars = uPlot.paths.bars({ size: [0.85, 40] });

function seriesOf(o, s) {
  const c = colour(s.colour), paths = o.bars ? bars : stepped;
  return {
    label: s.name, stroke: s.hidden ? 'transparent' : c, width: o.bars ? 0 : 1.6, dash: dashes[s.dash || 0] || undefined,
    fill: o.bars ? c : undefined, paths, points: { show: false },
  };
}

function options(c) {
  const o = c.o, axis = { stroke: css('--mute'), font: '12px system-ui, sans-serif', ticks: { show: false }, grid: { stroke: css('--grid'), width: 1 } };
  // Stacks of bars are drawn from the highest down, stacked areas fill the space down to the one below.
  const order = o.series.map((_, i) => i);
  if (o.bars) order.reverse();
  c.order = order;
  const bands = [];
  if (!o.bars) {
    o.series.forEach((s, i) => {
      if (!s.fill) return;
      const c = colour(s.colour), paint = s.hatch ? hatch(c) : faint(c, s.fill === true ? undefined : s.fill);
      if (s.stack && i > 0) bands.push({ series: [i + 1, i], fill: paint });
      else s.paint = paint;
    });
  }
  const series = order.map((i) => { const s = seriesOf(o, o.series[i]); if (o.series[i].paint) s.fill = o.series[i].paint; return s; });
  return {
    width: Math.max(200, c.plot.clientWidth), height: o.tall ? 260 : 190, tzDate: (t) => uPlot.tzDate(new Date(t * 1000), 'Etc/UTC'),
    padding: [8, 12, 0, 0], legend: { show: false }, bands,
    cursor: { sync: { key: 'quern', setSeries: false, scales: ['x', null] }, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: () => zoomed || [data.start, Math.max(data.end, data.start + 1e-3)] },
      y: { range: (u, low, high) => [0, o.top ? Math.max(o.top, (high || 0)) * 1.04 : (high > 0 ? high * 1.06 : 1)] },
    },
    axes: [
      { ...axis, incrs: steps, space: 68, size: 30, values: (u, v, i, space, step) => ticks(v, step) },
      { ...axis, size: 58, incrs: o.steps, values: (u, v) => v.map((x) => (o.axis || o.format)(x)) },
    ],
    series: [{}, ...series],
    hooks: { setCursor: [() => readOut(c)], setSelect: [(u) => select(u)] },
  };
}

function draw(c) {
  const at = c.u ? c.u.cursor.idx : null;
  if (c.u) c.u.destroy();
  const [xs, ...ys] = columns(c.o);
  const o = options(c);
  c.u = new uPlot(o, [xs, ...c.order.map((i) => ys[i])], c.plot);
  if (at === null || at === undefined) readOut(c);
}

// readOut fills the legend: the values under the cursor, or those of the whole run.
function readOut(c) {
  const i = c.u && c.u.cursor.idx !== null && c.u.cursor.left >= 0 ? c.u.cursor.idx : null;
  const o = c.o, last = o.series[0] ? o.series[0].values.length - 1 : 0;
  c.legend.replaceChildren(...o.series.filter((s) => !s.hidden || s.hatch).map((s) => {
    const value = i === null ? (s.whole || '') : valueOf(o, s.values[Math.min(i, last)]);
    return el('li', {}, swatch(o, s), s.name, el('b', {}, value));
  }), i === null ? '' : el('li', {}, 'at ' + moment(o.times[Math.min(i, last)])));
}

function valueOf(o, v) { return v === null || v === undefined ? '–' : o.format(v); }

function swatch(o, s) {
  const canvas = el('canvas', { class: 'swatch', width: 48, height: 22, 'aria-hidden': 'true' }), pen = canvas.getContext('2d'), c = colour(s.colour);
  if (o.bars || s.fill) { pen.fillStyle = o.bars ? c : s.hatch ? hatch(c) : faint(c, 0.4); pen.fillRect(0, 0, 48, 22); }
  if (!o.bars && !s.hidden) {
    pen.strokeStyle = c; pen.lineWidth = 4;
    if (s.dash) pen.setLineDash(dashes[s.dash].map((d) => d * 2));
    const y = s.fill ? 2 : 11;
    pen.beginPath(); pen.moveTo(0, y); pen.lineTo(48, y); pen.stroke();
  }
  return canvas;
}

// keys move the cursor, and give the zoom back.
function keys(c, event) {
  const u = c.u, move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
  const n = u.data[0].length;
  let i = u.cursor.idx === null || u.cursor.idx === undefined ? -1 : u.cursor.idx;
  if (move) i = Math.min(n - 1, Math.max(0, i + move));
  else if (event.key === 'Home') i = 0;
  else if (event.key === 'End') i = n - 1;
  else if (event.key === 'Escape') { zoom(null); return; }
  else return;
  event.preventDefault();
  u.setCursor({ left: u.valToPos(u.data[0][i], 'x'), top: u.over.clientHeight / 2 });
  c.plot.setAttribute('aria-label', c.o.title + ', ' + c.legend.textContent);
}

function select(u) {
  if (u.select.width > 4) zoom([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
  u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
}

// zoom shows a part of the time in every chart, or all of it.
function zoom(range) {
  zoomed = range;
  for (const c of charts) c.u.setData(c.u.data);
  const note = byId('zoom');
  note.hidden = !range;
  if (range) {
    note.replaceChildren(moment(range[0]) + ' to ' + moment(range[1]) + ' ',
      el('button', { type: 'button', class: 'ghost', onclick: () => zoom(null) }, 'Show all'));
  }
}

function redraw() { charts.forEach(draw); }

// fit makes charts as wide as their places: a card grows narrower when another comes to stand beside it.
function fit() {
  for (const c of charts) {
    const width = c.plot.clientWidth;
    if (width && width !== c.u.width) c.u.setSize({ width, height: c.u.height });
  }
}

const places = new ResizeObserver(() => requestAnimationFrame(fit));
