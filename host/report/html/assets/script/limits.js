// How near users and groups came to their limits.

function showLimits() {
  const u = data.uses;
  if (!u) { leaveOut('limits'); return; }
  byId('limits-lead').textContent = 'Each row is the moment at which a user or a group was nearest to its limit in a queue. '
    + count(u.reached) + ' of ' + counted(u.limits, 'limit', 'limits') + ' in use ' + (u.reached === 1 ? 'was' : 'were') + ' reached.'
    + (u.list.length < u.limits ? ' Those used most are listed.' : '');
  byId('limits-list').append(table('Use of limits', ['User or group', 'Most used', 'Of the limit', 'When', 'At the end'], u.list.map((l) => [
    el('span', {}, (l.name || 'without a name') + ' ', el('small', { class: 'tag' }, l.group ? 'group' : 'user'), ' ', el('small', { class: 'line path' }, l.queue)),
    lines(uses(l)), shareBar(l.share), moment(l.at), lines(finals(l))])));
}

// uses says in texts what was used of what a limit bounds.
function uses(l) {
  const all = l.amounts.map((a) => amount(a.type, a.used) + ' of ' + amount(a.type, a.max) + ' ' + a.type);
  if (l.maxApps) all.push(count(l.apps) + ' of ' + counted(l.maxApps, 'application', 'applications'));
  return all;
}

function finals(l) {
  const all = l.amounts.filter((a) => a.final !== null).map((a) => amount(a.type, a.final) + ' ' + a.type);
  return all.length ? all : ['–'];
}

function lines(texts) { return el('span', {}, ...texts.map((t) => el('span', { class: 'line' }, t))); }

function shareBar(share) {
  return el('span', { class: 'share' }, percent(share), el('span', { class: 'bullet', 'aria-hidden': 'true' }, el('span', { 'width%': Math.min(1, share) * 100 })));
}
