import { useState } from "preact/hooks";
import { Button } from "../../ui/button";
import { Empty, Panel } from "../../ui/panel";
import { wordsOf } from "../host/api";
import { timeOfDay } from "../host/times";
import { readPast, type Entry } from "./host";
import { comparing, draft, history, inForce, known, unknownWords } from "./work";

/** What was in force before. Rolling back is to apply an old text: it is put in the editor first, with its differences. */
export function History() {
  const [failed, setFailed] = useState("");
  const back = async (entry: Entry) => {
    try {
      draft.value = await readPast(entry.number);
      comparing.value = true;
      setFailed("");
    } catch (thrown) {
      setFailed(wordsOf(thrown));
    }
  };
  const list = history.value;
  return (
    <Panel title="History" class="configure-preview">
      {failed !== "" && <p class="failure" role="alert">{failed}</p>}
      {list.length === 0 && <Empty>{known.value ? "No configuration has been applied yet: the scheduler runs with one queue, root.default." : unknownWords.value}</Empty>}
      <ol class="rows">
        {list.map((entry) => (
          <li key={entry.number} class="configuration-entry">
            <p><b>Number {entry.number}</b> {entry.etag === inForce.value?.tag && entry === list[0] && <span class="configure-badge configure-badge-new">in force</span>}</p>
            <small><time dateTime={entry.at}>{timeOfDay(entry.at)}</time>{entry.by && ` by ${entry.by}`}, {sourceOf(entry)}, {entry.format.toUpperCase()}</small>
            {entry !== list[0] && <Button small icon="back" onClick={() => void back(entry)}>{`Roll back to ${entry.number}…`}</Button>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function sourceOf({ source, file }: Entry): string {
  return source === "file" ? `from the file ${file ?? ""}`.trim() : source === "api" ? "over the API" : source;
}
