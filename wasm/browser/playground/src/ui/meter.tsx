import "./meter.css";

interface MeterProps {
  /** What is measured, for those who do not see it: "root.prod, vcore: 4 of 12, guaranteed 2". */
  readonly label: string;
  /** All four in one unit. */
  readonly used: number;
  /** Where the bar ends. */
  readonly full: number;
  readonly guaranteed?: number | undefined;
  /** A limit of its own; without one the bar has an open end. */
  readonly max?: number | undefined;
}

/** A bar of use with a mark at what is guaranteed and an end at max. More than max shows as a hatched end. */
export function Meter({ label, used, full, guaranteed, max }: MeterProps) {
  const end = Math.max(full, max ?? 0);
  const at = (value: number) => (end > 0 ? `${Math.min(100, (100 * value) / end)}%` : "0%");
  const over = max !== undefined && used > max;
  return (
    <span class={`meter${max === undefined ? " meter-open" : ""}`} role="img" aria-label={label}>
      <span class={over ? "meter-used meter-over" : "meter-used"} style={{ width: at(used) }} />
      {guaranteed !== undefined && <i class="meter-guaranteed" style={{ left: at(guaranteed) }} />}
      {max !== undefined && <i class="meter-max" style={{ left: at(max) }} />}
    </span>
  );
}
