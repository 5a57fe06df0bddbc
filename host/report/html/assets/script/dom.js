// Elements are made from text, never from markup: a hostile name stays a name.

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (name === 'width%') e.style.width = value + '%';
    else if (name === 'left%') e.style.left = value + '%';
    else if (name === 'indent') e.style.width = value + 'rem';
    else e.setAttribute(name, value === true ? '' : value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

function byId(id) { return document.getElementById(id); }

// leaveOut removes a section that has nothing to show, and the link to it.
function leaveOut(id) {
  byId(id).remove();
  document.querySelector('.jump a[href="#' + id + '"]').parentElement.remove();
}

function table(caption, header, rows) {
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el('table', {},
      el('thead', {}, el('tr', {}, ...header.map((h) => el('th', { scope: 'col' }, h)))),
      el('tbody', {}, ...rows.map((r) => el('tr', {}, ...r.map((c, i) => el(i ? 'td' : 'th', i ? {} : { scope: 'row' }, c)))))));
}

// behind is the table of a chart: made when it is first opened.
function behind(caption, header, rows) {
  const d = el('details', { class: 'behind' }, el('summary', {}, 'Show as a table'));
  d.addEventListener('toggle', () => {
    if (d.open && d.children.length === 1) d.append(table(caption, header, rows()));
  });
  return d;
}
