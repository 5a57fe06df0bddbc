import { expect, test, type Page } from "@playwright/test";
import { audit, complaints } from "../page";
import { Host, needsProgram } from "./host";
import { openAt } from "./page";

needsProgram();

const config = `partitions:
- backfill: {depth: all}
  queues: [{name: root, queues: [{name: lab, properties: {application.sort.policy: fair-users, fairness.half-life: 1m}}, {name: web}]}]
`;
const job = (id: string, app: string, vcore: number, walltime: string) => ({ type: "ask.add", id, app, resources: { vcore }, walltime });

let host: Host;
test.beforeAll(async () => {
  host = await Host.start();
  await host.send({ type: "config.set", config }, ...["n1", "n2"].map((id) => ({ type: "node.add", id, capacity: { vcore: 4 } })),
    { type: "app.add", id: "train", queue: "root.lab", user: "ann" }, { type: "app.add", id: "site", queue: "root.web", user: "bob" },
    job("first", "train", 4, "20m"), job("second", "train", 3, "10m"),
    { type: "window.add", id: "repair", from: new Date(Date.now() + 3.6e6).toISOString(), until: new Date(Date.now() + 7.2e6).toISOString(), nodes: ["n2"] });
  await expect.poll(async () => ((await (await fetch(`${host.address}v1/asks?state=allocated`)).json()) as { items: unknown[] }).items.length).toBe(2);
  await host.send(job("wide", "site", 4, "5m"));
});
test.afterAll(() => host.stop());

const main = (page: Page) => page.getByRole("main");

test("nodes over time have promised ends, planned starts and windows", async ({ page }) => {
  const found = complaints(page);
  await openAt(page, host, "#/nodes?by=time");
  await expect(main(page).locator(".spans-runs")).toHaveCount(2);
  await expect(main(page).locator(".spans-planned")).toHaveCount(1);
  await main(page).getByLabel("Stretch of time").selectOption("6 hours");
  await expect(main(page).locator(".spans-band")).toHaveCount(1);
  await main(page).getByRole("application").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expect(main(page).locator(".spans-said")).toContainText("second of train in root.lab runs on n2 since");
  await audit(page, "over time");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/asks\/second$/);
  expect(found).toEqual([]);
});

test("a pending ask is forecast, once that is asked for", async ({ page }) => {
  await openAt(page, host, "#/asks/wide");
  await main(page).getByRole("button", { name: "Ask for a forecast" }).click();
  await expect(main(page).getByRole("img", { name: /^Start: 5th percentile/ })).toBeVisible();
  await audit(page, "over time");
});

test("a queue whose usage ages has curves of it", async ({ page }) => {
  await openAt(page, host, "#/queues/root.lab");
  await expect(main(page).getByRole("figure", { name: /^Share of users, now: / })).toBeVisible({ timeout: 30_000 });
});
