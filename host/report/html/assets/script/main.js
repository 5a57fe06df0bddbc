// Puts the page together.

function showHead() {
  const configured = data.config ? ', configured by ' + data.config : '';
  const time = instant() ? 'The moment ' + moment(data.end) : moment(data.start) + ' to ' + moment(data.end) + ' (' + span(data.end - data.start) + ')';
  byId('span').textContent = time + ', replayed in ' + span(data.totals.wall) + configured;
  showWay();
  const notices = byId('notices');
  if (data.interrupted) notices.append(el('p', { class: 'notice' }, 'The run was interrupted. The report covers it up to then.'));
  if (data.partial) notices.append(el('p', { class: 'notice' }, data.partial));
}

function showTotals() {
  const t = data.totals, list = byId('totals');
  const add = (name, value, small) => list.append(el('div', {}, el('dt', {}, name), el('dd', {}, value, el('small', {}, small || '\u00a0'))));
  add('Allocations', count(t.allocated), 'of ' + count(t.asks) + ' asks');
  add('Pending', count(t.pending), 'at the end');
  add('Rejected', count(t.rejected), 'asks');
  add('Preempted', count(t.preempted), 'allocations');
  add('Wait p99', t.allocated ? span(t.waitP99) : '–', t.allocated ? 'half within ' + span(t.waitP50) : '');
  add('Cluster', count(t.nodes) + (t.nodes === 1 ? ' node' : ' nodes'), count(t.apps) + (t.apps === 1 ? ' application' : ' applications'));
  add('Speed', count(t.rate), 'allocations a second');
}

applyTheme();
showHead();
showFindings();
showTotals();
showHistory();
showCompared();
showCluster();
showQueues();
showDetail();
showLimits();
showWaiting();
showLongest();
showJobs();
showGangs();
showPriorities();
showPreemptions();
showEnds();
showRefused();
// All rows go to paper, and charts have the width of their cards there.
setUpTheme(redraw, (paper) => {
  tree.limit = paper ? Infinity : pageSize;
  fillTree();
  redraw();
  if (paper) fit();
});
fit();
document.documentElement.dataset.ready = 'yes';
