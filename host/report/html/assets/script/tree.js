// The queue tree: a table that folds, filters and pages, so that a thousand queues stay readable.

const pageSize = 150;
const tree = { open: new Set(), filter: '', order: 'tree', type: '', limit: pageSize, chosen: null, children: new Map() };

// Outside the first partition its name stands before the path, as in [gpu]root.a, and may have dots.
function withoutPartition(path) { return path.slice(path.lastIndexOf(']') + 1); }
function parentOf(path) { return depthOf(path) === 0 ? '' : path.slice(0, path.lastIndexOf('.')); }
function nameOf(path) { return depthOf(path) === 0 ? path : path.slice(path.lastIndexOf('.') + 1); }
function depthOf(path) { return withoutPartition(path).split('.').length - 1; }

const orders = {
  tree: ['as a tree', null],
  use: ['busiest first', (q) => fill(q)],
  pending: ['most pending first', (q) => q.pending],
  p99: ['longest p99 wait first', (q) => q.p99],
};

// fill is how full a queue is: against its max, else its guaranteed, else the cluster.
function fill(q) {
  const bound = q.max[tree.type] ?? q.guaranteed[tree.type] ?? total();
  return bound ? (q.used[tree.type] || 0) / bound : 0;
}

function total() { const root = data.queues[0]; return root ? root.max[tree.type] || 0 : 0; }

function showQueues() {
  byId('queues-lead').textContent = 'State at the end. Choose a queue to see its use over time, with its guarantee and its max.';
  for (const q of data.queues) {
    const list = tree.children.get(parentOf(q.path));
    if (list) list.push(q); else tree.children.set(parentOf(q.path), [q]);
  }
  tree.type = (data.types.find((t) => t.name === 'vcore') || data.types[0] || { name: '' }).name;
  const deep = data.queues.length > 60 ? 1 : 9;
  data.queues.forEach((q) => { if (depthOf(q.path) < deep) tree.open.add(q.path); });
  const host = byId('tree');
  tree.note = el('p', { class: 'count', role: 'status' });
  tree.body = el('tbody');
  tree.more = el('button', { type: 'button', class: 'ghost more', onclick: () => { tree.limit += pageSize * 2; fillTree(); } });
  tree.useHead = el('th', { scope: 'col', class: 'use' });
  host.append(tools(), tree.note, el('div', { class: 'queues' }, el('table', {}, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Queue'), tree.useHead,
    ...['Pending', 'Placed', 'Wait p50', 'p99', 'Longest'].map((h, i) => el('th', { scope: 'col', class: i === 2 ? 'optional' : null }, h)))), tree.body)), tree.more);
  const busiest = data.queues.filter((q) => q.leaf && q.curves).sort((a, b) => b.allocated - a.allocated)[0];
  tree.chosen = (busiest || data.queues[0] || { path: '' }).path;
  fillTree();
}

function tools() {
  const search = el('input', { type: 'search', placeholder: 'Find a queue', 'aria-label': 'Find a queue by a part of its name' });
  search.addEventListener('input', () => { tree.filter = search.value.trim().toLowerCase(); tree.limit = pageSize; fillTree(); });
  const order = choice('Order', Object.entries(orders).map(([k, v]) => [k, v[0]]), tree.order, (v) => { tree.order = v; tree.limit = pageSize; fillTree(); });
  const type = choice('Use of', data.types.map((t) => [t.name, t.name]), tree.type, (v) => { tree.type = v; fillTree(); showDetail(); });
  tree.fold = el('button', { type: 'button', class: 'ghost', onclick: toggleAll });
  return el('div', { class: 'tools' }, search, order, type, tree.fold);
}

function choice(label, entries, value, change) {
  const s = el('select', {}, ...entries.map(([v, text]) => el('option', { value: v, selected: v === value }, text)));
  s.addEventListener('change', () => change(s.value));
  return el('label', {}, label, s);
}

function parents() { return data.queues.filter((q) => tree.children.has(q.path)); }
function unfolded() { return parents().every((q) => tree.open.has(q.path)); }

function toggleAll() {
  tree.open = new Set((unfolded() ? tree.children.get('') || [] : parents()).map((q) => q.path));
  fillTree();
}

// rowsOf lists the visible rows: the unfolded part of the tree, or the queues that the filter and the order select.
function rowsOf() {
  const by = orders[tree.order][1];
  if (tree.filter || by) {
    const found = data.queues.filter((q) => q.path.includes(tree.filter) && (!by || q.leaf || q.state === 'gone'));
    return by ? found.sort((a, b) => by(b) - by(a)) : found;
  }
  const rows = [];
  const walk = (parent) => (tree.children.get(parent) || []).forEach((q) => { rows.push(q); if (tree.open.has(q.path)) walk(q.path); });
  walk('');
  return rows;
}

function fillTree() {
  const rows = rowsOf(), flat = tree.filter !== '' || tree.order !== 'tree';
  tree.useHead.textContent = 'Use of ' + (tree.type || 'the cluster');
  tree.body.replaceChildren(...rows.slice(0, tree.limit).map((q) => row(q, flat)));
  const shown = Math.min(rows.length, tree.limit);
  tree.note.textContent = count(shown) + ' of ' + count(data.queues.length) + (data.queues.length === 1 ? ' queue' : ' queues') + ' shown';
  tree.fold.textContent = unfolded() ? 'Collapse all' : 'Expand all';
  tree.fold.hidden = flat || parents().length < 2;
  tree.more.hidden = rows.length <= tree.limit;
  tree.more.textContent = 'Show more of the other ' + count(rows.length - shown);
}

function row(q, flat) {
  const parent = tree.children.has(q.path), open = tree.open.has(q.path);
  const fold = parent && !flat
    ? el('button', { type: 'button', class: 'fold', 'aria-expanded': String(open), 'aria-label': (open ? 'Collapse ' : 'Expand ') + q.path, onclick: () => { if (open) tree.open.delete(q.path); else tree.open.add(q.path); refocus(q.path, '.fold'); } }, open ? '▾' : '▸')
    : el('i', { indent: flat ? 0 : 1.35 });
  const pick = el('button', { type: 'button', class: 'pick', title: q.path, 'aria-pressed': String(q.path === tree.chosen), onclick: () => { tree.chosen = q.path; refocus(q.path, '.pick'); showDetail(); } }, flat ? q.path : nameOf(q.path));
  const state = q.state === 'active' ? null : el('span', { class: 'tag' }, q.state);
  const waited = q.allocated > 0;
  return el('tr', { class: q.path === tree.chosen ? 'chosen' : null, 'data-path': q.path },
    el('th', { scope: 'row' }, el('div', { class: 'cell' }, el('i', { indent: flat ? 0 : depthOf(q.path) * 1.1 }), fold, pick, state)),
    el('td', {}, bullet(q)),
    el('td', {}, q.pending ? count(q.pending) : '–'), el('td', {}, q.allocated ? count(q.allocated) : '–'),
    el('td', { class: 'optional' }, waited ? brief(q.p50) : '–'), el('td', {}, waited ? brief(q.p99) : '–'), el('td', {}, waited ? brief(q.waitMax) : '–'));
}

// bullet draws use against guaranteed (the mark) and max (the end of the bar).
function bullet(q) {
  const used = q.used[tree.type] || 0, guaranteed = q.guaranteed[tree.type], bound = q.max[tree.type] ?? total();
  const end = Math.max(bound, guaranteed || 0, used) || 1;
  let text = amount(tree.type, used);
  if (guaranteed) text += ' of ' + amount(tree.type, guaranteed);
  const label = 'used ' + amount(tree.type, used) + (guaranteed ? ', guaranteed ' + amount(tree.type, guaranteed) : '') + (q.max[tree.type] !== undefined ? ', max ' + amount(tree.type, q.max[tree.type]) : '');
  const bar = el('span', { class: 'bullet', role: 'img', 'aria-label': label, title: label }, el('span', { 'width%': used / end * 100 }));
  if (guaranteed) bar.append(el('em', { 'left%': Math.min(guaranteed / end * 100, 98.5) }));
  return el('div', {}, bar, el('span', { class: 'amount' }, text));
}

function refocus(path, part) {
  fillTree();
  const again = [...tree.body.children].find((r) => r.dataset.path === path);
  if (again) again.querySelector(part).focus();
}
