/** The time of the session as a clock shows it. */

const day = 86_400;

/** "0:07.3", "1:30.0", "2:05:10", "3d 04:05:06": tenths below an hour. Nanoseconds. */
export function clockOf(nanoseconds: number): string {
  const tenths = Math.floor(nanoseconds / 1e8);
  const seconds = Math.floor(tenths / 10);
  const [days, hours, minutes] = [Math.floor(seconds / day), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  if (days > 0) return `${days}d ${two(hours)}:${two(minutes)}:${two(seconds % 60)}`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}.${tenths % 10}`;
}

/** The date and time of a journal with absolute times, in UTC; empty: its times are relative. */
export function dateOf(start: string, nanoseconds: number): string {
  const base = Date.parse(start);
  if (Number.isNaN(base)) return "";
  return `${new Date(base + nanoseconds / 1e6).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Seconds of the session in a second, from which to choose; Infinity: as fast as it goes. */
const speeds: readonly number[] = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 600, 3600, 10_000, Infinity];

export function speedWords(speed: number): string {
  return speed === Infinity ? "max" : `${speed.toLocaleString("en-GB")}×`;
}

/** The choices, with the speed in force among them. */
export function speedsWith(speed: number): readonly number[] {
  return speeds.includes(speed) ? speeds : [...speeds, speed].sort((a, b) => a - b);
}
