// The longest waits, each with its reason.

function showLongest() {
  const list = byId('longest-list');
  if (!data.longest.length) { list.replaceWith(el('p', { class: 'empty' }, 'No ask had to wait.')); return; }
  byId('longest-lead').textContent = 'Reasons of asks that still wait are those at the end. For the others it is what held them, or an ask of the same queue that wanted the same, back when it was last looked at. Asks of one queue that want the same are listed together.';
  list.append(...data.longest.map((w) => el('li', {},
    el('div', { class: 'long' }, span(w.wait), el('small', {}, w.end === 'allocated' ? 'then placed' : w.end)),
    el('div', { class: 'who' }, el('strong', {}, w.id), toPlayground('ask', w.id), alike(w), el('small', {}, w.queue), el('small', {}, 'priority ' + w.priority + ', since ' + moment(w.since)), el('small', {}, w.wants)),
    why(w))));
}

// alike tells of the other asks of a group.
function alike(w) {
  if (w.count < 2) return null;
  const others = count(w.count - 1) + (w.count === 2 ? ' other like it' : ' others like it');
  return el('small', {}, 'and ' + others + (w.long < w.count ? '; ' + count(w.long) + ' of the ' + count(w.count) + ' waited at least half as long' : ''));
}

function why(w) {
  if (!w.why && !w.codes.length) return el('div', { class: 'why' }, el('small', {}, 'Its wait fell between two looks.'));
  return el('div', { class: 'why' }, el('div', { class: 'codes' }, ...w.codes.map((c) => el('code', {}, c))), w.why,
    w.verdict ? el('details', {}, el('summary', {}, 'Whom it could preempt'), w.verdict) : null,
    w.end === 'still pending' ? null : el('div', {}, el('small', {}, 'seen at ' + moment(w.whyAt))));
}
