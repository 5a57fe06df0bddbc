/** Names that are still free, and what a pattern of names stands for. */

type Taken = (name: string) => boolean;

/** "n{}", 3 → n4, n5, n6 where n1 to n3 are taken. Without {}, and for more than one, the number goes to the end. */
export function namesOf(pattern: string, count: number, taken: Taken): string[] {
  const text = pattern.trim();
  if (count === 1 && !text.includes("{}")) return [text];
  const whole = text.includes("{}") ? text : `${text}{}`;
  const name = (n: number) => whole.replace("{}", String(n));
  let first = 1;
  while (taken(name(first))) first++;
  return Array.from({ length: count }, (_, i) => name(first + i));
}

/** base, or base-2, base-3, … */
export function freeName(base: string, taken: Taken): string {
  let name = base;
  for (let n = 2; taken(name); n++) name = `${base}-${n}`;
  return name;
}

/** The IDs of an ask.add: itself, or with a count its numbered ones. */
export function askIds(id: string, count: number): string[] {
  return count === 1 ? [id] : Array.from({ length: count }, (_, i) => `${id}-${i + 1}`);
}
