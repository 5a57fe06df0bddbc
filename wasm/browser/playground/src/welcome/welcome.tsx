import "./welcome.css";
import { useSignal } from "@preact/signals";
import { openLesson } from "../learn/open";
import { presets } from "../learn/presets";
import { embedded } from "../share/link";
import { lesson } from "../state/store";
import { Button, IconButton } from "../ui/button";
import { addressOf } from "../ui/route";
import { welcomeName } from "./example";

/** What this is, and the one thing to do first: above the cluster that a first visit shows. */
export function Welcome() {
  const closed = useSignal(false);
  const [first] = presets;
  if (lesson.value !== welcomeName || closed.value || embedded || !first) return null;
  return (
    <section class="welcome" aria-label="Introduction">
      <p>Quern decides which job runs on which machine: this is the scheduler itself, at work in your browser on a simulated cluster.</p>
      <div class="welcome-acts">
        <Button kind="primary" icon="play" onClick={() => void openLesson(first.name)}>Take the {first.minutes}-minute tour</Button>
        <a href={addressOf("learn")}>All lessons</a>
        <IconButton icon="close" label="Close this introduction" onClick={() => (closed.value = true)} />
      </div>
    </section>
  );
}
