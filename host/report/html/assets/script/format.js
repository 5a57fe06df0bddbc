// Numbers, amounts and times, for people.

const data = JSON.parse(document.getElementById('data').textContent);

// instant reports whether no time passed: there is nothing to draw over time.
function instant() { return data.end <= data.start; }

const plain = new Intl.NumberFormat('en');

function count(n) { return plain.format(Math.round(n)); }

// short writes a number with about three digits.
function short(n) {
  if (n === 0) return '0';
  const size = Math.abs(n);
  if (size >= 1000) return count(n);
  return String(Number(n.toPrecision(3)));
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

// tick writes a number where there is little room.
function tick(n) { return Math.abs(n) >= 1e6 ? compact.format(n) : short(n); }

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

// scale is what stored units of a type are divided by, and the unit that comes of it, so that `largest` reads well.
function scale(type, largest) {
  if (type === 'vcore') return { by: 1000, unit: 'cores' };
  if (type !== 'memory') return { by: 1, unit: type.endsWith('_milli') ? 'milli' : '' };
  let by = 1, step = 0;
  while (largest / by >= 1024 && step < byteUnits.length - 1) { by *= 1024; step++; }
  return { by, unit: byteUnits[step] };
}

function amount(type, stored) {
  if (stored === null || stored === undefined) return '–';
  const s = scale(type, stored);
  return s.unit && type === 'memory' ? short(stored / s.by) + ' ' + s.unit : short(stored / s.by);
}

function percent(part) { return Number.isFinite(part) ? (part * 100).toFixed(part < 0.0995 && part > 0 ? 1 : 0) + ' %' : '–'; }

// span writes a length of time in its two largest units.
function span(seconds) {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return '–';
  if (seconds === 0) return '0 s';
  if (seconds < 1) return short(seconds * 1000) + ' ms';
  if (seconds < 60) return short(seconds) + ' s';
  const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  for (let i = 0; i < 3; i++) {
    const [name, size] = units[i], [small, part] = units[i + 1];
    const rounded = Math.round(seconds / part) * part;
    if (rounded < size) continue;
    const rest = Math.round((rounded % size) / part);
    return Math.floor(rounded / size) + ' ' + name + (rest ? ' ' + rest + ' ' + small : '');
  }
  return short(seconds) + ' s';
}

// brief is span for narrow columns.
function brief(seconds) { return span(seconds).replace(/(\d) (d|h|m?s)\b/g, '$1$2').replace(' min', 'm'); }

function two(n) { return String(n).padStart(2, '0'); }

// moment writes a point in time: a date in UTC, or the time since the journal's start.
function moment(seconds) {
  if (data.absolute) {
    const d = new Date(seconds * 1000).toISOString();
    return d.slice(0, 10) + ' ' + d.slice(11, 19) + ' UTC';
  }
  if (seconds < 60) return span(seconds);
  const days = Math.floor(seconds / 86400), rest = Math.floor(seconds % 86400);
  const clock = two(Math.floor(rest / 3600)) + ':' + two(Math.floor(rest / 60) % 60) + ':' + two(rest % 60);
  return days ? 'day ' + days + ', ' + clock : clock;
}

// ticks writes the points of a time axis, with no more detail than their distance asks for.
function ticks(values, step) {
  if (data.absolute) {
    return values.map((v) => {
      const d = new Date(v * 1000).toISOString();
      if (step >= 86400 || d.slice(11, 19) === '00:00:00') return d.slice(5, 10);
      return step >= 60 ? d.slice(11, 16) : d.slice(11, 19);
    });
  }
  return values.map((v) => {
    if (v === 0) return '0';
    if (step >= 86400) return v / 86400 + ' d';
    if (step >= 3600) return (v >= 172800 && v % 86400 === 0) ? v / 86400 + ' d' : v / 3600 + ' h';
    if (step >= 60) return v % 3600 === 0 ? v / 3600 + ' h' : Math.floor(v / 3600) ? Math.floor(v / 3600) + ':' + two(v / 60 % 60) : v / 60 + ' min';
    return step >= 1 ? span(v) : short(v * 1000) + ' ms';
  });
}

// rounds are distances between the ticks of an amount that read well in its unit.
function rounds(by) {
  const all = [];
  for (let size = 1e-3; size < 1e12; size *= 10) all.push(size * by, 2 * size * by, 5 * size * by);
  return all;
}

const steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
  3600, 7200, 10800, 14400, 21600, 43200, 86400, 172800, 345600, 604800, 1209600, 2592000, 7776000, 31536000];
