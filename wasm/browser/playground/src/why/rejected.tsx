import { rejected, type Rejection } from "../model/rejections";
import { reasonWords } from "../see/words";
import { whole } from "../ui/format";
import type { Picked } from "./around";
import { Part, Pick } from "./parts";

const kinds: Readonly<Record<string, Picked["kind"]>> = { "node.rejected": "node", "app.rejected": "app", "ask.rejected": "ask" };

/** What was rejected or ignored so far, by reason. */
export function Rejected({ of }: { readonly of: readonly Rejection[] }) {
  if (of.length === 0) return null;
  return (
    <Part title="Rejected and ignored inputs">
      <table class="why-table">
        <thead><tr><th scope="col">Decision</th><th scope="col">Reason</th><th scope="col" class="why-figure">Count</th><th scope="col">For example</th></tr></thead>
        <tbody>
          {of.map(({ type, reason, count, example }) => {
            const kind = kinds[type];
            return (
              <tr key={`${type} ${reason}`}>
                <th scope="row">{rejected.get(type)}</th>
                <td><code>{reason}</code>{reasonWords(reason) !== reason && <>: {reasonWords(reason)}</>}</td>
                <td class="why-figure">{whole(count)}</td>
                <td>{kind ? <Pick kind={kind} id={example} /> : example}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Part>
  );
}
