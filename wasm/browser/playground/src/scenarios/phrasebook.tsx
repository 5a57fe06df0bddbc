import { useState } from "preact/hooks";
import { TextField } from "../ui/field";
import { insert } from "./editor";
import { sentences } from "./runner";

/** All sentences, by topic. One that is picked is put in below the cursor. */
export function Phrasebook() {
  const [wanted, setWanted] = useState("");
  const words = wanted.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = sentences.value.filter(({ form, doc, topic }) => words.every((word) => `${form} ${doc} ${topic}`.toLowerCase().includes(word)));
  const topics = [...new Set(found.map(({ topic }) => topic))];
  return (
    <div class="scenarios-phrases">
      <TextField label="Find a sentence" value={wanted} onInput={setWanted} hint="Fill in the parts in braces. Parts in brackets are optional." />
      {topics.map((topic) => (
        <section key={topic}>
          <h3>{topic}</h3>
          <ul>
            {found.filter((s) => s.topic === topic).map((sentence) => (
              <li key={sentence.form}>
                <button type="button" onClick={() => insert(sentence)}><code>{sentence.form}</code><small>{sentence.doc}</small></button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {sentences.value.length > 0 && topics.length === 0 && <p>No sentence has these words.</p>}
    </div>
  );
}
