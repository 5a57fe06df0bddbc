// The longest waits, each with its reason.

function showLongest() {
  const list = byId('longest-list');
  if (!data.longest.length) { list.replaceWith(el('p', { class: 'empty' }, 'No ask had to wait.')); return; }
  byId('longest-lead').textContent = 'An ask that still waits has its reason at the end of the run. Other asks have the last reason that was recorded for them, or for an ask of the same queue with the same needs. Asks of one queue with the same needs are listed together.';
  list.append(...data.longest.map((w) => el('li', {},
    el('div', { class: 'long' }, span(w.wait), el('small', {}, w.end === 'allocated' ? 'then placed' : w.end)),
    el('div', { class: 'who' }, el('strong', {}, w.id), toPlayground('ask', w.id), alike(w), el('small', {}, w.queue), el('small', {}, 'priority ' + w.priority + ', since ' + moment(w.since)), el('small', {}, w.wants)),
    why(w))));
}

// alike describes the other asks of a group.
function alike(w) {
  if (w.count < 2) return null;
  const others = count(w.count - 1) + (w.count === 2 ? ' other like it' : ' others like it');
  return el('small', {}, 'and ' + others + (w.long < w.count ? '; ' + count(w.long) + ' of the ' + count(w.count) + ' waited at least half as long' : ''));
}

function why(w) {
  if (!w.why && !w.codes.length) return el('div', { class: 'why' }, el('small', {}, 'No reason was recorded during its wait.'));
  return el('div', { class: 'why' }, el('div', { class: 'codes' }, ...w.codes.map((c) => el('code', {}, c))), w.why,
    w.verdict ? el('details', {}, el('summary', {}, 'Possible victims'), w.verdict) : null,
    w.end === 'still pending' ? null : el('div', {}, el('small', {}, 'recorded at ' + moment(w.whyAt))));
}
