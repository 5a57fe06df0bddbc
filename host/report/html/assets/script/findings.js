// The most important findings, in sentences.

const levels = { problem: 'Problem: ', note: '', good: '' };

function showFindings() {
  const list = byId('findings-list');
  if (!data.findings.length) { list.replaceWith(el('p', { class: 'empty' }, 'Nothing was submitted, so there are no findings.')); return; }
  list.append(...data.findings.map((f) => el('li', { class: f.level },
    el('span', { class: 'unseen' }, levels[f.level]), el('a', { href: '#' + f.section, title: 'Show the section' }, f.text),
    f.ask ? toPlayground('ask', f.ask) : f.queue ? toPlayground('queue', f.queue) : null)));
}
