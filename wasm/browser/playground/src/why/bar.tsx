/** A piece of a bar: from where, how much, and what it stands for. */
export interface Piece {
  readonly kind: "used" | "wanted" | "missing";
  readonly amount: number;
}

interface BarProps {
  readonly pieces: readonly Piece[];
  /** A bound, drawn as a line across. */
  readonly mark?: number;
  /** What the whole width stands for. */
  readonly whole: number;
}

/** Amounts one after the other. It is a drawing beside text that says the same, and has no text of its own. */
export function Bar({ pieces, mark, whole }: BarProps) {
  const percent = (amount: number) => `${whole > 0 ? Math.min(100, (100 * Math.max(0, amount)) / whole) : 0}%`;
  return (
    <span class="why-bar" aria-hidden="true">
      {pieces.map(({ kind, amount }) => <span key={kind} class={`why-bar-${kind}`} style={{ width: percent(amount) }} />)}
      {mark !== undefined && <i style={{ left: percent(mark) }} />}
    </span>
  );
}
