// The colours of the page: those of the system until the reader chooses others. Paper is light.

const themes = ['auto', 'light', 'dark'];
const systemDark = matchMedia('(prefers-color-scheme: dark)');
let theme = 'auto';

function applyTheme() {
  document.documentElement.dataset.theme = theme === 'auto' ? (systemDark.matches ? 'dark' : 'light') : theme;
  byId('theme').replaceChildren(el('span', { class: 'optional' }, 'Theme: '), theme);
  byId('theme').setAttribute('aria-label', 'Theme: ' + theme);
}

// setUpTheme has redraw draw what the style sheet does not colour; print is told that the page goes to paper, and when it is back.
function setUpTheme(redraw, print) {
  byId('theme').addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    applyTheme();
    redraw();
  });
  systemDark.addEventListener('change', () => { applyTheme(); redraw(); });
  addEventListener('beforeprint', () => { document.documentElement.dataset.theme = 'light'; print(true); });
  addEventListener('afterprint', () => { applyTheme(); print(false); });
}
