// Colours come from the style sheet, so that charts follow the theme. They can be told apart without seeing red or
// green, and every series has a dash pattern or a place of its own besides.

function css(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

function colour(i) { return css('--c' + (i % 7 + 1)); }

function faint(c, strength) {
  const n = parseInt(c.slice(1), 16);
  return 'rgba(' + (n >> 16) + ',' + (n >> 8 & 255) + ',' + (n & 255) + ',' + (strength || css('--soft')) + ')';
}

const dashes = [null, [6, 4], [2, 3], [10, 3, 2, 3], [4, 2], [1, 4], [12, 4]];

// hatch fills with slanted lines, for what is lost.
function hatch(c) {
  const size = 8, canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const pen = canvas.getContext('2d');
  pen.fillStyle = faint(c);
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = c;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let i = -size; i <= size; i += size) { pen.moveTo(i - 1, size + 1); pen.lineTo(i + size + 1, -1); }
  pen.stroke();
  return pen.createPattern(canvas, 'repeat');
}
