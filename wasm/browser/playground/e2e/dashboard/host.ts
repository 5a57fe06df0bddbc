/** A live scheduler for the tests: `quern serve` as it was built, with the dashboard that is embedded in it. */

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { test } from "@playwright/test";

const program = process.env.QUERN_PROGRAM ?? "../../../build/quern";

export function needsProgram(): void {
  test.skip(!existsSync(program), `skipped, because ${program} is not there: make build`);
}

export class Host {
  readonly address: string;
  private readonly process: ChildProcess;

  private constructor(process: ChildProcess, address: string) {
    this.process = process;
    this.address = address;
  }

  /** Starts a host. Without a port it is any that is free. */
  static async start(args: readonly string[] = ["--ephemeral"], port = 0): Promise<Host> {
    const started = spawn(program, ["serve", "--http", `127.0.0.1:${port}`, "--grpc", "127.0.0.1:0", ...args], { stdio: ["ignore", "pipe", "ignore"] });
    let said = "";
    for await (const piece of started.stdout) {
      said += String(piece);
      const found = /http=(\S+)/.exec(said)?.[1];
      if (found && said.includes("\n")) return new Host(started, `http://${found}/`);
    }
    throw new Error(`expected a line with the address, found ${said}`);
  }

  /** Sends inputs; an input that is refused is an error of the test. */
  async send(...inputs: readonly object[]): Promise<void> {
    await this.sendLines(inputs.map((input) => JSON.stringify(input)).join("\n"));
  }

  async sendLines(lines: string): Promise<void> {
    const response = await fetch(`${this.address}v1/inputs?wait=durable`, { method: "POST", body: lines });
    if (!response.ok) throw new Error(await response.text());
  }

  async configure(text: string): Promise<void> {
    const response = await fetch(`${this.address}v1/config`, { method: "PUT", headers: { "If-Match": "*", "Content-Type": "application/yaml" }, body: text });
    if (!response.ok) throw new Error(await response.text());
  }

  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill(signal);
    await ended;
  }
}

/** A port that was free a moment ago, for a host that is to come back under its address. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => { resolve(typeof address === "object" && address ? address.port : 0); });
    });
  });
}

export const queues = `partitions:
  - name: default
    queues:
      - name: root
        queues:
          - name: prod
            resources: { guaranteed: { vcore: 2 }, max: { vcore: 4 } }
          - name: batch
`;

/** A small cluster: two nodes, two applications, one ask that waits and one that nobody can place. */
export const cluster = [
  { type: "node.add", id: "n1", capacity: { vcore: 6, memory: "8Gi" }, attributes: { zone: "a" } },
  { type: "node.add", id: "n2", capacity: { vcore: 4, memory: "8Gi" }, schedulable: false },
  { type: "app.add", id: "web", queue: "root.prod", user: "ann" },
  { type: "app.add", id: "train", queue: "root.batch", user: "bob" },
  { type: "ask.add", id: "front", app: "web", resources: { vcore: 2, memory: "1Gi" }, priority: 5 },
  { type: "ask.add", id: "wide", app: "web", resources: { vcore: 3 } },
  { type: "ask.add", id: "epoch", app: "train", resources: { vcore: 1 } },
] as const;

/** A host with the small cluster, for all tests of a file. */
export function smallCluster(): { readonly host: Host } {
  let host: Host | undefined;
  test.beforeAll(async () => {
    host = await Host.start();
    await host.send({ type: "config.set", config: queues }, ...cluster);
  });
  test.afterAll(() => host?.stop());
  return {
    get host() {
      if (!host) throw new Error("expected a host that was started, found none");
      return host;
    },
  };
}
