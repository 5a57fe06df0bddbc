import type { Amounts, AskExplanation, QueueDump } from "../engine/types";
import { amount } from "../ui/format";
import { Bar } from "./bar";
import { Part, Pick } from "./parts";
import { leafName, lineage, roomAlong, type Room, type TypeRoom } from "./paths";

/** What each queue on the ask's way up has left for it, and what is missing. */
export function RoomAlong({ e, wants, queues }: { readonly e: AskExplanation; readonly wants: Amounts | undefined; readonly queues: readonly QueueDump[] }) {
  if (!wants || !e.queue || e.kept) return null;
  const types = roomAlong(queues, e.queue, wants, e.lacks ?? []);
  return (
    <Part title="Headroom along its path" question="What do its queues have?">
      <p class="why-legend">
        <span class="why-key why-bar-used" />taken <span class="why-key why-bar-wanted" />wanted <span class="why-key why-bar-missing" />beyond the max
      </p>
      {types.map((t) => <TypeTable key={t.type} of={t} />)}
    </Part>
  );
}

function TypeTable({ of: { type, wanted, rooms } }: { readonly of: TypeRoom }) {
  return (
    <table class="why-table why-room">
      <caption>{type}: it asks for {amount(type, wanted)}</caption>
      <thead class="sr"><tr><th scope="col">Queue</th><th scope="col">Drawing</th><th scope="col">Taken of max</th><th scope="col">Missing</th></tr></thead>
      <tbody>{rooms.map((room) => <RoomRow key={room.queue} type={type} wanted={wanted} room={room} />)}</tbody>
    </table>
  );
}

function RoomRow({ type, wanted, room }: { readonly type: string; readonly wanted: number; readonly room: Room }) {
  const { queue, taken, max, missing } = room;
  const depth = lineage(queue).length - 1;
  return (
    <tr class={missing > 0 ? "why-short" : undefined}>
      <th scope="row" style={{ paddingLeft: `${depth * 0.7}rem` }}><Pick kind="queue" id={queue} label={leafName(queue)} /></th>
      <td>
        {max !== undefined && <Bar
          pieces={[{ kind: "used", amount: taken }, { kind: "wanted", amount: wanted - missing }, { kind: "missing", amount: missing }]}
          mark={max} whole={Math.max(max, taken + wanted)}
        />}
      </td>
      <td class="why-figure">{max === undefined ? "no max" : `${amount(type, taken)} of ${amount(type, max)}`}</td>
      <td class="why-figure">{missing > 0 ? `lacks ${amount(type, missing)}` : ""}</td>
    </tr>
  );
}
