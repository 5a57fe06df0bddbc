// Ways from the report into the playground: a hosted one, or the one that the reader starts on this machine.

const elsewhere = { target: '_blank', rel: 'noreferrer' };

// toPlayground is a link to an ask or a queue there; null: the run cannot be shown.
function toPlayground(kind, id) {
  if (!data.playground) return null;
  const name = kind + ' ' + id + ' in the playground';
  return el('a', { class: 'there', href: data.playground.link + '&' + kind + '=' + encodeURIComponent(id), title: name, 'aria-label': name, ...elsewhere }, 'in the playground');
}

// showWay says how the run is opened there.
function showWay() {
  if (!data.playground) return;
  const { command, link, hosted } = data.playground, way = byId('watch');
  if (hosted) {
    way.append(el('a', { href: link, ...elsewhere }, 'Open this run in the playground'), '.');
  } else {
    way.append('To open this run in the playground, first run ', el('code', {}, command), ' on this machine. While it runs, ',
      el('a', { href: link, ...elsewhere }, 'the playground'), ' and the links to it in this report work.');
  }
  way.hidden = false;
}
