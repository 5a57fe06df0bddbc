import "./lessons.css";
import { lessonFragment } from "../share/link";
import { Icon } from "../ui/icons";
import { groups, type Group, type Lesson } from "./course";
import { presets } from "./presets";
import { seen } from "./progress";

/** The overview of all lessons. */
export function Lessons() {
  const done = presets.filter((lesson) => isDone(lesson)).length;
  return (
    <div class="lessons">
      <header class="lessons-head">
        <h2>Lessons</h2>
        <p>
          Each lesson is a small cluster and a journal. At each step its claims are checked against the scheduler,
          and you can change everything by hand.
        </p>
        <p class="lessons-done"><progress value={done} max={presets.length} aria-label="Lessons finished" /> {done} of {presets.length} finished</p>
      </header>
      {groups.map((group) => <Section key={group} group={group} />)}
    </div>
  );
}

function Section({ group }: { readonly group: Group }) {
  return (
    <section>
      <h3>{group}</h3>
      <ul class="lessons-cards">
        {presets.filter((lesson) => lesson.group === group).map((lesson) => <li key={lesson.name}><Card lesson={lesson} /></li>)}
      </ul>
    </section>
  );
}

function Card({ lesson }: { readonly lesson: Lesson }) {
  return (
    <a class="lessons-card" href={lessonFragment(lesson.name)}>
      <strong>{lesson.title}</strong>
      <span>{lesson.about}</span>
      <small>{lesson.minutes} min · {standing(lesson)}{isDone(lesson) && <Icon name="good" />}</small>
    </a>
  );
}

function isDone(lesson: Lesson): boolean {
  return (seen.value[lesson.name] ?? 0) >= lesson.steps.length;
}

function standing(lesson: Lesson): string {
  const steps = Math.min(seen.value[lesson.name] ?? 0, lesson.steps.length);
  if (steps === 0) return `${lesson.steps.length} steps`;
  return isDone(lesson) ? "finished" : `${steps} of ${lesson.steps.length} steps`;
}
