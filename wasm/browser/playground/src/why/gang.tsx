import { useContext } from "preact/hooks";
import type { GangExplanation } from "../engine/types";
import { amounts } from "../ui/format";
import { Around } from "./around";
import { Facts, Part } from "./parts";

/** How the placeholders of an application stand. */
export function Gang({ e }: { readonly e: GangExplanation | undefined }) {
  const { time } = useContext(Around);
  if (!e) return null;
  const { pending = 0, allocated = 0, leaving = 0, replaced = 0 } = e;
  return (
    <Part title="Its gang" question="What is the state of its gang?">
      <Facts facts={[
        ["State", e.failed ? "not complete in time" : e.formed ? "formed: its tasks run" : "not formed: its tasks wait"],
        ["Declared", amounts(e.declared ?? {})],
        ["Held by placeholders", amounts(e.staying ?? {}) || "nothing"],
        ["Placeholders", `${pending} pending, ${allocated} allocated${leaving > 0 ? ` (${leaving} told to leave)` : ""}, ${replaced} replaced`],
        ["Times out", e.timed && `at ${time(e.endsAt ?? 0)}`],
        ["If not formed then", !e.formed && (e.hard ? "the application fails" : "its tasks run without a gang")],
      ]} />
    </Part>
  );
}
