/** Times as journals write them: durations as Go does ("1m30s"), and RFC 3339. In the page all times are nanoseconds of the session. */

export const second = 1e9;

const minute = 60 * second;
const units: Readonly<Record<string, number>> = { ns: 1, us: 1e3, "µs": 1e3, "μs": 1e3, ms: 1e6, s: second, m: minute, h: 60 * minute };
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;

/** Reads a duration in the form of Go, in nanoseconds; undefined: it is none. */
export function parseDuration(text: string): number | undefined {
  const negative = text.startsWith("-");
  const digits = text.replace(/^[+-]/, "");
  if (digits === "0") return 0;
  part.lastIndex = 0;
  let sum = 0;
  let end = 0;
  for (let found = part.exec(digits); found; found = part.exec(digits)) {
    sum += scaled(found[1] ?? "", units[found[2] ?? ""] ?? 0);
    end = part.lastIndex;
  }
  if (end === 0 || end < digits.length) return undefined;
  return negative ? -sum : sum;
}

/** A decimal number times a power of ten or a whole unit, without the error of a float: 1.1 s are 1,100,000,000 ns. */
function scaled(decimal: string, unit: number): number {
  const [whole = "", fraction = ""] = decimal.split(".");
  return Number(whole) * unit + (fraction === "" ? 0 : Math.floor(Number(`0.${fraction}`) * unit + 1e-6));
}

/** Writes a duration as Go does. */
export function formatDuration(nanoseconds: number): string {
  const size = Math.abs(nanoseconds);
  const sign = nanoseconds < 0 ? "-" : "";
  if (size === 0) return "0s";
  if (size < 1e3) return `${sign}${size}ns`;
  if (size < 1e6) return `${sign}${decimal(size, 1e3)}µs`;
  if (size < second) return `${sign}${decimal(size, 1e6)}ms`;
  const minutes = Math.floor(size / minute);
  const hours = Math.floor(minutes / 60);
  return `${sign}${hours > 0 ? `${hours}h` : ""}${minutes > 0 ? `${minutes % 60}m` : ""}${decimal(size % minute, second)}s`;
}

/** A whole number of units with what is left over behind the point. */
function decimal(nanoseconds: number, unit: number): string {
  const rest = nanoseconds % unit;
  const whole = String((nanoseconds - rest) / unit);
  if (rest === 0) return whole;
  return `${whole}.${String(rest).padStart(String(unit).length - 1, "0").replace(/0+$/, "")}`;
}

interface Instant {
  readonly milliseconds: number; // since 1970, of the whole second
  readonly nanoseconds: number; // beyond that
}

const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d:\d\d)$/;

function parseInstant(text: string): Instant | undefined {
  const found = rfc3339.exec(text);
  if (!found) return undefined;
  const [, day = "", time = "", fraction = "", zone = ""] = found;
  const milliseconds = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return { milliseconds, nanoseconds: Number(fraction.slice(0, 9).padEnd(9, "0")) };
}

function formatInstant({ milliseconds, nanoseconds }: Instant): string {
  const text = new Date(milliseconds).toISOString().slice(0, 19);
  return nanoseconds === 0 ? `${text}Z` : `${text}.${String(nanoseconds).padStart(9, "0").replace(/0+$/, "")}Z`;
}

/** How one journal writes times: relative to its start, or absolute. */
export class Times {
  private startText = "";
  private base: Instant | undefined;
  private lastText = "";
  private last = 0;

  /** What the journal calls 0, as StatusAnswer.start; empty: its times are relative. */
  get start(): string {
    return this.startText;
  }

  set start(text: string) {
    if (text === this.startText) return;
    this.startText = text;
    this.base = parseInstant(text);
    this.lastText = "";
  }

  /** Nanoseconds of the session. Lines that follow each other mostly have one time, so the last is kept. */
  of(text: string): number {
    if (text !== this.lastText) {
      this.last = this.read(text);
      this.lastText = text;
    }
    return this.last;
  }

  /** Writes a time of the session as the journal does. */
  text(nanoseconds: number): string {
    if (!this.base) return formatDuration(nanoseconds);
    const all = this.base.nanoseconds + nanoseconds;
    const seconds = Math.floor(all / second);
    return formatInstant({ milliseconds: this.base.milliseconds + seconds * 1000, nanoseconds: all - seconds * second });
  }

  /** A time of the scheduler's own state: nanoseconds since 1970, to about 256, where times are absolute. */
  ofState(nanoseconds: number): number {
    return this.base ? nanoseconds - (this.base.milliseconds * 1e6 + this.base.nanoseconds) : nanoseconds;
  }

  private read(text: string): number {
    const instant = parseInstant(text);
    if (!instant) return parseDuration(text) ?? 0;
    if (!this.base) this.start = text;
    const base = this.base ?? instant;
    return (instant.milliseconds - base.milliseconds) * 1e6 + instant.nanoseconds - base.nanoseconds;
  }
}
