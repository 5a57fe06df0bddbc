import { useContext } from "preact/hooks";
import { duration } from "../ui/format";
import { Around } from "./around";
import { Bar } from "./bar";

/** A stretch of a wait that had one cause. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly cause: string;
  /** What else there is to say of it. */
  readonly detail?: string | undefined;
}

/** What an ask waited for, in order; whole: how long that took. */
export function Stretches({ of, whole }: { readonly of: readonly Stretch[]; readonly whole: number }) {
  const { time } = useContext(Around);
  return (
    <table class="why-table why-waits">
      <caption>What it waited for, in order</caption>
      <thead><tr><th scope="col">From</th><th scope="col" class="why-figure">For</th><th scope="col">Cause</th></tr></thead>
      <tbody>
        {of.map(({ from, to, cause, detail }) => (
          <tr key={from}>
            <th scope="row">{time(from)}</th>
            <td class="why-figure">{duration(to - from)}<Bar pieces={[{ kind: "used", amount: to - from }]} whole={whole} /></td>
            <td>{cause}{detail && <small> {detail}</small>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
