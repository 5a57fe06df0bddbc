// Results of gangs, and those that waited longest.

function showGangs() {
  const g = data.gangs;
  if (!g) { leaveOut('gangs'); return; }
  const formed = g.kinds.reduce((n, k) => n + k.formed, 0), all = g.kinds.reduce((n, k) => n + k.formed + k.timedOut + k.withdrawn + k.waiting, 0);
  byId('gangs-lead').textContent = count(formed) + ' of ' + counted(all, 'gang', 'gangs') + ' formed: ' +
    'placeholders had the room of all tasks, or as many members as an atomic gang needs were placed together.';
  byId('gangs-kinds').append(table('Gangs by kind', ['Kind', 'Formed', 'Timed out', 'Withdrawn', 'Waiting', ...spanNames, 'Placeholders replaced', 'Ended'],
    g.kinds.map((k) => [k.atomic ? 'atomic' : 'by placeholders', ...[k.formed, k.timedOut, k.withdrawn, k.waiting].map(count),
      ...spans(k, k.formed), k.atomic ? '–' : count(k.replaced), k.atomic ? '–' : count(k.ended)])));
  const j = g.jobs;
  byId('gangs-jobs').append(table('Applications', ['Applications', 'Started', 'Withdrawn', 'Waiting', ...spanNames],
    [[count(j.started + j.withdrawn + j.waiting), ...[j.started, j.withdrawn, j.waiting].map(count), ...spans(j, j.started)]]));
  if (!g.longest.length) { byId('gangs-longest').remove(); return; }
  byId('gangs-list').append(...g.longest.map((x) => el('li', {},
    el('div', { class: 'long' }, span(x.wait), el('small', {}, x.outcome === 'waiting' ? 'still waiting' : 'then ' + x.outcome)),
    el('div', { class: 'who' }, el('strong', {}, x.min ? x.app + ' / ' + x.name : x.app), el('small', {}, x.queue), el('small', {}, 'since ' + moment(x.since))),
    el('div', { class: 'why' }, el('div', { class: 'codes' }, el('code', {}, x.min ? 'atomic' : 'placeholders')), gangText(x)))));
}

const spanNames = ['Wait p50', 'Longest', 'Service p50', 'Longest'];

// How long some gangs or applications waited, and served.
function spans(x, some) { return [x.p50, x.waitMax, x.served50, x.servedMax].map((v) => some ? span(v) : '–'); }

function gangText(x) {
  const served = x.service ? ' Whole for ' + span(x.service) + '.' : '';
  if (x.min) return 'At least ' + counted(x.min, 'member', 'members') + ' together.' + served;
  const parts = [counted(x.replaced, 'placeholder', 'placeholders') + ' replaced by tasks'];
  if (x.ended) parts.push(count(x.ended) + ' ended without a task');
  return parts.join(', ') + '.' + served;
}
