import { Icon } from "../ui/icons";
import { status } from "../state/store";
import { Button } from "../ui/button";
import { precise } from "../ui/format";
import type { Live, Standing } from "./live";
import { standings } from "./live";
import { returnToStep } from "./open";
import { Inline } from "./prose";
import { words } from "./words";

const marks = { met: "good", "not met": "bad", "to come": "more", asking: "more", left: "back" } as const;
const notes: Record<Standing, string> = { met: "true", "not met": "false", "to come": "to come", asking: "asking", left: "no longer" };

/** What the step claims and what does not hold now, right below its heading. */
export function NoLonger() {
  const all = standings.value;
  const failed = all.filter(({ standing }) => standing === "left" || standing === "not met");
  if (failed.length === 0) return null;
  const now = precise(status.value?.now ?? 0);
  return (
    <section class="lesson-no-longer" aria-label="Not true now">
      <p class="lesson-label">{failed.some(({ standing }) => standing === "left") ? `No longer true at ${now}` : `Not true at ${now}`}</p>
      <ul>{failed.map((live, i) => <Check key={i} {...live} />)}</ul>
      <Button small onClick={() => void returnToStep()}>Back to this step</Button>
    </section>
  );
}

/** What should be true at this step, and whether it is. */
export function Checks() {
  const all = standings.value;
  if (all.length === 0) return null;
  const shown = all.filter(({ standing }) => standing !== "left" && standing !== "not met");
  const early = all.some(({ standing }) => standing === "to come");
  return (
    <section class="lesson-checks" aria-label="Expectations of this step">
      {shown.length > 0 && <p class="lesson-label">Checked against the scheduler</p>}
      <ul>{shown.map((live, i) => <Check key={i} {...live} />)}</ul>
      {early && (
        <div class="lesson-moved">
          <span>The session is at an earlier moment.</span>
          <Button small onClick={() => void returnToStep()}>Back to this step</Button>
        </div>
      )}
      <p class="sr" role="status">{summary(all)}</p>
    </section>
  );
}

function Check({ expectation, standing, found }: Live) {
  return (
    <li class={`lesson-check lesson-${standing.replace(" ", "-")}`} data-standing={standing}>
      <Icon name={marks[standing]} />
      <span><Inline text={words(expectation)} /></span>
      <span class="lesson-note">{notes[standing]}{standing === "not met" || standing === "left" ? `: found ${found}` : ""}</span>
    </li>
  );
}

function summary(all: readonly Live[]): string {
  const met = all.filter(({ standing }) => standing === "met").length;
  return `${met} of ${all.length} ${all.length === 1 ? "expectation is" : "expectations are"} met.`;
}
