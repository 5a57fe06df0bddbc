import "./lesson.css";
import { useEffect, useRef } from "preact/hooks";
import { AddMenu } from "../play/add-menu";
import { embedded } from "../share/link";
import { Button, IconButton } from "../ui/button";
import { Icon } from "../ui/icons";
import { addressOf, go } from "../ui/route";
import { Checks, NoLonger } from "./checks";
import { keepAsking, keepUpWithPlay } from "./live";
import { closeLesson, goTo, open, openLesson, type Open } from "./open";
import { presets } from "./presets";
import { Prose } from "./prose";

/** The open lesson, beside the cluster that it is about. */
export function Lesson() {
  return open.value && !embedded ? <Guide {...open.value} /> : null;
}

function Guide({ lesson, index, step }: Open) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(keepAsking, []);
  useEffect(keepUpWithPlay, []);
  useEffect(() => {
    body.current?.scrollTo({ top: 0 });
  }, [lesson, index]);
  return (
    <section class="panel lesson" aria-labelledby="lesson-title">
      <header class="panel-head lesson-head">
        <h2 id="lesson-title">{lesson.title}</h2>
        <div class="panel-tools">
          <a class="button button-icon" href={addressOf("learn")} aria-label="All lessons" title="All lessons"><Icon name="list" /></a>
          <IconButton icon="close" label="Close the lesson" onClick={closeLesson} />
        </div>
      </header>
      <Steps lesson={lesson} index={index} />
      <div ref={body} class="lesson-body" tabIndex={0} role="group" aria-label="The text of the step">
        <h3>{step.title}</h3>
        <NoLonger />
        <div class="lesson-text"><Prose text={step.text} /></div>
        <Checks />
        {step.try && <Try text={step.try} />}
      </div>
      <Footer lesson={lesson} index={index} />
    </section>
  );
}

type Place = Pick<Open, "lesson" | "index">;

function Steps({ lesson, index }: Place) {
  return (
    <nav class="lesson-steps" aria-label="Steps of the lesson">
      <ol>
        {lesson.steps.map((step, i) => (
          <li key={step.title}>
            <button type="button" aria-label={`Step ${i + 1}: ${step.title}`} title={step.title} aria-current={i === index ? "step" : undefined}
              data-passed={i < index} onClick={() => void goTo(i)} />
          </li>
        ))}
      </ol>
      <span>{index + 1} of {lesson.steps.length}</span>
    </nav>
  );
}

function Try({ text }: { readonly text: string }) {
  return (
    <section class="lesson-try" aria-label="Try it">
      <p class="lesson-label">Try it</p>
      <div class="lesson-text"><Prose text={text} /></div>
      <div class="lesson-hands">
        <AddMenu />
        <Button small icon="queue" onClick={() => go("configure")}>Configuration</Button>
      </div>
    </section>
  );
}

function Footer({ lesson, index }: Place) {
  const last = index === lesson.steps.length - 1;
  const following = presets[presets.indexOf(lesson) + 1];
  return (
    <footer class="lesson-foot">
      <Button small kind="quiet" title="Back to the first step, with the journal as it was" onClick={() => void openLesson(lesson.name)}>Start again</Button>
      <Button small disabled={index === 0} onClick={() => void goTo(index - 1)}>Previous</Button>
      {/* One button, so that the focus stays on it. */}
      {(!last || following) && (
        <Button small kind="primary" title={last ? following?.title : undefined} onClick={() => void (last && following ? openLesson(following.name) : goTo(index + 1))}>
          {last ? "Next lesson" : "Next"}
        </Button>
      )}
    </footer>
  );
}
