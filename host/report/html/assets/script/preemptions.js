// Victims, the asks that preempted them, and the right.

const kindNames = { 'guarantee': 'for a guarantee', 'queue': 'within a queue', 'required-node': 'for a required node', 'quota': 'by quota', 'surplus': 'of the surplus of gangs' };
const kindTones = { 'guarantee': 1, 'queue': 0, 'required-node': 3, 'quota': 2, 'surplus': 4, 'only observed': 6 };

function showPreemptions() {
  const p = data.preemptions, cards = byId('preemption-cards'), t = data.totals;
  if (!p.kinds.length) { cards.append(el('p', { class: 'empty' }, 'No allocation was preempted.')); return; }
  const observed = (p.kinds.find((k) => k.name === 'only observed') || { total: 0 }).total;
  byId('preemptions-lead').textContent = (t.preempted ? counted(t.preempted, 'allocation was', 'allocations were') + ' told to leave, to make room for an ask or to bring a queue back to its max. ' : '')
    + (observed ? counted(observed, 'allocation', 'allocations') + ' would have been while the partition only observed. ' : '');
  const list = p.kinds.map((k) => ({ ...k, key: k.name, name: kindNames[k.name] || k.name }));
  stack(cards, 'Preemptions over time', 'victims, per ' + span(data.width), list, (s) => kindTones[s.key] ?? 6);
  const card = totalsCard(cards, 'By reason', 'Reason', 'Victims', list.map((k) => [k.name, k.total]));
  if (p.queues.length) {
    card.append(el('div', { class: 'head second' }, el('h3', {}, 'By queue'), el('p', {}, 'victims in it, and victims of its asks')),
      table('Preemptions by queue', ['Queue', 'Lost', 'Preempted'], p.queues.map((q) => [q.path, q.lost ? count(q.lost) : '–', q.took ? count(q.took) : '–'])));
  }
  if (p.quotas) {
    cards.append(el('div', { class: 'card' }, el('div', { class: 'head' }, el('h3', {}, 'Released by quota'), el('p', {}, 'by queues over their max')),
      table('Released by quota', ['Queue', 'Rounds', 'Victims', 'Released'],
        p.quotas.map((q) => [q.path, count(q.rounds), count(q.victims), lines(Object.entries(q.taken).map(([type, v]) => amount(type, v) + ' ' + type))]))));
  }
  const host = byId('preemption-lists');
  if (p.biggest.length) host.append(el('h3', {}, 'The biggest'), choices(p.biggest));
  host.append(el('h3', {}, p.biggest.length ? 'The latest' : 'All of them, the latest first'), choices(p.latest));
}

function counted(n, one, many) { return count(n) + ' ' + (n === 1 ? one : many); }

function choices(list) {
  return el('ol', { class: 'waits choices' }, ...list.map((c) => el('li', {},
    el('div', { class: 'long' }, counted(c.count, 'victim', 'victims'), el('small', {}, moment(c.at))),
    c.kind === 'quota' ? el('div', { class: 'who' }, el('strong', {}, c.for.queue), el('small', {}, 'used more than its max'))
      : el('div', { class: 'who' }, el('strong', {}, c.for.id), el('small', {}, c.for.queue), el('small', {}, 'priority ' + c.for.priority), el('small', {}, c.for.wants)),
    el('div', { class: 'why' }, el('div', { class: 'codes' }, el('code', {}, c.kind), c.observed ? el('code', {}, 'only observed') : null),
      tookWhere(c), victims(c)))));
}

function tookWhere(c) {
  if (c.kind === 'quota') return c.observed ? 'would have released:' : 'released:';
  return (c.observed ? 'would have preempted on ' : 'preempted on ') + c.node + ':';
}

function victims(c) {
  const list = c.victims.map((v) => el('li', {}, v.id, el('small', {}, ' of ' + v.queue + ', priority ' + v.priority + ', ' + v.wants)));
  if (c.count > list.length) list.push(el('li', {}, 'and ' + count(c.count - list.length) + ' more'));
  return el('ul', { class: 'victims' }, ...list);
}
