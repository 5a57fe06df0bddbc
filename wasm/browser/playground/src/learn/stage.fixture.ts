/** A lesson played on a core in this process, for tests. */

import type { Engine } from "../engine/client";
import type { Decision, StatusAnswer } from "../engine/types";
import { createModel } from "../model/cluster";
import { codesOf, isQuestion, type Question, type Sight } from "./check";
import type { Lesson, Moment, Step } from "./course";

const words = new TextDecoder();

interface Stage {
  go(moment: Moment): Promise<void>;
  /** What the expectations of a step look at, as the session stands. */
  sight(step: Step): Promise<Sight>;
  /** The sum of all decisions up to now. */
  hash(): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function stage(engine: Engine, { scenario }: Lesson): Promise<Stage> {
  const { id } = (await engine.request("session.new", { grace: (scenario.grace ?? 0) * 1e9 })).answer;
  await engine.request("session.feed", { id }, scenario.journal);
  const until = async (next: () => Promise<{ answer: StatusAnswer }>): Promise<void> => {
    while (!(await next()).answer.done);
  };
  const status = async () => (await engine.request("session.status", { id })).answer;
  return {
    async go(moment) {
      if (moment === "end") await until(() => engine.request("session.run", { id, to: { idle: true } }));
      else if ("seconds" in moment) await until(() => engine.request("session.seek", { id, time: moment.seconds * 1e9 }));
      else await until(() => engine.request("session.seek", { id, seq: moment.decision }));
    },
    async sight({ expect = [] }) {
      const model = createModel();
      model.reset((await engine.request("state", { id })).answer);
      const { asks, apps, nodes, queues } = model;
      const answers = new Map<Question, readonly string[]>();
      for (const question of expect.filter(isQuestion)) answers.set(question, await asked(engine, id, question));
      const { seq } = await status();
      const decisions = (await made(engine, id, seq)).filter((d) => d.seq <= seq); // the log holds those ahead as well
      return { asks, apps, nodes, queues, decisions, codes: (of) => [...answers].find(([{ kind, ask }]) => kind === of.kind && ask === of.ask)?.[1] };
    },
    hash: async () => (await status()).hash,
    async close() {
      await engine.request("free", { id });
    },
  };
}

async function asked(engine: Engine, id: number, question: Question): Promise<readonly string[]> {
  const kind = question.kind === "explains" ? "ask" : "preemption";
  return codesOf(question, (await engine.request("explain", { id, kind, name: question.ask })).answer.explanation);
}

/** The last decisions up to one: as many as the page has at hand, and some more. */
async function made(engine: Engine, id: number, seq: number): Promise<Decision[]> {
  const { body } = await engine.request("session.decisions", { id, from: Math.max(1, seq - 3000) });
  return words.decode(body).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Decision);
}
