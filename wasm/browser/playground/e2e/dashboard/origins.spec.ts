/** What pages of other origins can do to a host through the browser of one of its users: nothing. */

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { Host, needsProgram, queues } from "./host";
import { openAt } from "./page";
import { Strangers } from "./strangers";

needsProgram();

// The name of a site of strangers leads to this machine, as one does whose owner rebinds it.
const rebound = "rebound.example";
test.use({
  launchOptions: {
    executablePath: process.env.QUERN_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", `--host-resolver-rules=MAP ${rebound} 127.0.0.1`],
  },
});

const token = "admin-of-the-cluster";
let folder: string;
let open: Host; // to all on this machine
let locked: Host; // to all without a token
let strangers: Strangers;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "quern-origins-"));
  const file = join(folder, "tokens.toml");
  writeFileSync(file, `[[token]]\nsha256 = "${createHash("sha256").update(token).digest("hex")}"\nuser = "ann"\nrole = "admin"\n`, { mode: 0o600 });
  [open, locked, strangers] = await Promise.all([Host.start(), Host.start(["--ephemeral", "--tokens", file]), Strangers.start()]);
  await open.configure(queues);
});
test.afterAll(async () => {
  strangers.stop();
  await Promise.all([open.stop(), locked.stop()]);
  rmSync(folder, { recursive: true });
});

/** Everything that a page could have changed. */
async function state(host: Host): Promise<string> {
  const parts = ["v1/nodes", "v1/apps", "v1/asks", "v1/queues", "v1/config", "v1/config/history", "v1/decisions", "v1/policies", "v1/log"];
  const texts = await Promise.all(parts.map(async (part) => {
    const answer = await fetch(host.address + part, { headers: { Authorization: `Bearer ${token}` } });
    expect([part, answer.status]).toEqual([part, 200]);
    return answer.text();
  }));
  return texts.join("\n").replaceAll(/"(age|waits|waited)[^,}]*/g, "");
}

const node = (id: string) => JSON.stringify({ type: "node.add", id, capacity: { vcore: 1 } });

/** Lets a page try to change the host by all that a page can send. It returns what was answered, as far as the page may know. */
function attack(page: Page, to: string) {
  return page.evaluate(async ({ to, line, config }) => {
    const tried: Record<string, string> = {};
    const send = async (name: string, path: string, how: RequestInit) => {
      tried[name] = await fetch(to + path, how).then((r) => `${r.type} ${r.status}`, () => "blocked");
    };
    await send("a simple POST", "v1/inputs", { method: "POST", body: line });
    await send("one with cookies", "v1/inputs", { method: "POST", body: line, credentials: "include" });
    await send("one without an answer", "v1/inputs", { method: "POST", body: line, mode: "no-cors", credentials: "include" });
    await send("JSON called text", "v1/inputs", { method: "POST", body: line, headers: { "Content-Type": "text/plain" } });
    await send("one with a token", "v1/inputs", { method: "POST", body: line, headers: { Authorization: "Bearer x" } });
    await send("JSON", "v1/inputs", { method: "POST", body: line, headers: { "Content-Type": "application/json" } });
    await send("a configuration", "v1/config", { method: "PUT", body: config, headers: { "If-Match": "*", "Content-Type": "application/yaml" } });
    await send("a policy", "v1/policies/mine", { method: "PUT", body: "x" });
    await send("a policy's end", "v1/policies/mine", { method: "DELETE" });
    await send("the log", "v1/log", { method: "PUT", body: "{}" });
    await send("YuniKorn's configuration", "ws/v1/validate-conf", { method: "POST", body: config });
    await send("reading", "v1/nodes", {});
    await send("reading with cookies", "v1/nodes", { credentials: "include" });
    tried["a beacon"] = String(navigator.sendBeacon(`${to}v1/inputs`, line));
    for (const path of ["v1/inputs", "v1/config?dry-run=false", "v1/log", "v1/nodes"]) {
      tried[`an image of ${path}`] = await new Promise((done) => {
        const image = new Image();
        image.onload = () => { done("loaded"); };
        image.onerror = () => { done("blocked"); };
        image.src = to + path;
      });
    }
    tried.events = await new Promise((done) => {
      const events = new EventSource(`${to}v1/decisions?follow=true`, { withCredentials: true });
      events.onopen = () => { done("open"); events.close(); };
      events.onerror = () => { done("blocked"); events.close(); };
    });
    return tried;
  }, { to, line: node("forged"), config: queues.replace("batch", "forged") });
}

/** Lets a page send a form, whose text is an input that is right. */
async function sendForm(page: Page, to: string) {
  const answered = page.waitForResponse((response) => response.url().endsWith("/v1/inputs"));
  await page.evaluate(({ action, line }) => {
    const form = document.createElement("form");
    form.method = "post";
    form.enctype = "text/plain";
    form.action = action;
    const field = document.createElement("input");
    const at = line.indexOf("-by-form") + 1;
    field.name = line.slice(0, at); // the = between a name and its value is a part of the ID
    field.value = line.slice(at);
    form.append(field);
    document.body.append(form);
    form.submit();
  }, { action: `${to}v1/inputs`, line: node("forged-by-form") });
  return (await answered).status();
}

for (const [what, name] of [["another port", "127.0.0.1"], ["another name", "localhost"]] as const) {
  for (const [which, of] of [["a host without tokens", () => open], ["a host with tokens", () => locked]] as const) {
    test(`a page of ${what} changes nothing of ${which} and reads nothing`, async ({ page }) => {
      const host = of();
      const before = await state(host);
      await page.goto(strangers.address.replace("127.0.0.1", name));
      const tried = await attack(page, host.address);
      const { "one without an answer": unknown, "a beacon": beacon, ...others } = tried;
      for (const [request, answer] of Object.entries(others)) expect([request, answer]).toEqual([request, "blocked"]);
      expect(unknown).toBe("opaque 0"); // it was sent, and the page does not learn more
      expect(beacon).toBe("true");
      expect(await sendForm(page, host.address)).toBe(403);
      expect(await state(host)).toBe(before);
    });
  }
}

test("a user who has given the dashboard a token lends it to no other page", async ({ page, context }) => {
  const before = await state(locked);
  await page.goto(locked.address);
  const dialog = page.getByRole("dialog", { name: "This host requires a token" });
  await dialog.getByLabel("Token", { exact: true }).fill(token);
  await dialog.getByLabel("Keep it until this tab is closed").check();
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(page.getByRole("status").getByText("Live")).toBeVisible();
  expect(await context.cookies()).toEqual([]); // which the browser would send along, to all ports of this machine
  const opens = context.waitForEvent("page");
  await page.evaluate((address) => window.open(address), strangers.address);
  const beside = await opens;
  await beside.waitForLoadState();
  expect(await beside.evaluate(() => { try { return (window.opener as Window).sessionStorage.length; } catch { return "refused"; } })).toBe("refused");
  const answers = Object.values(await attack(beside, locked.address)).filter((answer) => /^(basic|cors|open|loaded)/.test(answer));
  expect(answers).toEqual([]);
  expect(await sendForm(beside, locked.address)).toBe(403);
  expect(await state(locked)).toBe(before);
});

test("the same inputs are taken from the host's own pages", async ({ page }) => {
  await openAt(page, open);
  const status = await page.evaluate(async (line) => (await fetch("/v1/inputs", { method: "POST", body: line })).status, node("own"));
  expect(status).toBe(200);
  expect(await state(open)).toContain("own");
});

test("a name that leads here does not make a page the host's own", async ({ page }) => {
  const before = await state(open);
  const there = open.address.replace("127.0.0.1", rebound);
  const opened = await page.goto(there);
  expect(opened?.status()).toBe(421);
  const tried = await attack(page, there); // of one origin, as the browser sees it; the policy of the refusal lets it ask
  expect(Object.values(tried).filter((answer) => answer.includes("basic 2"))).toEqual([]);
  expect(tried.events).toBe("blocked");
  expect(await state(open)).toBe(before);
});
