/** How large a journal may be to be kept in the browser. */

/** In characters. */
export const mostKept = 32 << 20;

/** Why a journal is too large to be kept; undefined: it is not. */
export function tooLarge(lines: readonly string[], most = mostKept): string | undefined {
  let size = 0;
  for (const line of lines) size += line.length + 1;
  const mebibytes = (amount: number) => (amount / (1 << 20)).toFixed(0);
  return size > most ? `its journal has ${mebibytes(size)} MiB, and at most ${mebibytes(most)} MiB are kept` : undefined;
}
