import { readFileSync } from "node:fs";
import { deflateRawSync, gzipSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { complaints, open } from "./page";

async function pick(page: Page, item: string) {
  await page.getByRole("button", { name: "Share and keep" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** The text of a file that an item of the menu saves. */
async function saved(page: Page, item: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), pick(page, item)]);
  return readFileSync(await download.path(), "utf8");
}

const decisions = (page: Page) => saved(page, "Export the decisions");

/** Copies what an item of the menu makes. */
async function copied(page: Page, item: string): Promise<string> {
  await pick(page, item);
  await expect(page.getByText(/is on the clipboard: [\d,]+ characters/)).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

interface TestFile {
  readonly name: string;
  readonly text: string | Buffer;
}

async function importFile(page: Page, { name, text }: TestFile) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), pick(page, "Import files…")]);
  await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
}

async function drop(page: Page, { name, text }: TestFile) {
  const transfer = await page.evaluateHandle(([called, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], called));
    return data;
  }, [name, String(text)] as const);
  const main = page.locator("main");
  await main.dispatchEvent("dragover", { dataTransfer: transfer });
  await expect(page.getByText("Drop to open")).toBeVisible();
  await main.dispatchEvent("drop", { dataTransfer: transfer });
  await expect(page.getByText("Drop to open")).toBeHidden();
}

const journal = `{"type":"journal","version":1}
{"at":"0s","type":"node.add","id":"left","capacity":{"vcore":2}}
{"at":"0s","type":"app.add","id":"small","queue":"root.default"}
{"at":"0s","type":"ask.add","id":"small-1","app":"small","resources":{"vcore":1}}
`;

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
});

test("a link opens the same moment of the same scenario in another page", async ({ page, context }) => {
  await open(page);
  await page.getByRole("button", { name: /^To the end/ }).click();
  const here = await decisions(page);
  expect(here.split("\n").length).toBeGreaterThan(10);
  const address = await copied(page, "Copy a link");
  expect(address).toMatch(/#s=[\w-]+$/);

  const other = await context.newPage();
  const found = complaints(other);
  await other.goto(address);
  await expect(other.getByRole("tree", { name: "Queues and applications" })).toBeVisible({ timeout: 30_000 });
  expect(await decisions(other)).toBe(here);
  expect(found).toEqual([]);
});

test("a link that was cut is named, and the page opens all the same", async ({ page }) => {
  const found = complaints(page);
  await open(page, "#s=AAAA");
  await expect(page.getByRole("alert").getByText(/The scenario in the link cannot be opened/)).toBeVisible();
  expect(found).toEqual([]);
});

test("a scenario that is too large for a link is refused with a way out", async ({ page }) => {
  await open(page);
  const lines = Array.from({ length: 3000 }, (_, i) => `{"at":"0s","type":"node.add","id":"n${(i * 7919).toString(36)}${i}","capacity":{"vcore":${1 + (i * 31) % 97}}}`);
  await importFile(page, { name: "large.jsonl", text: lines.join("\n") });
  await expect(page.getByRole("banner").getByText("large.jsonl")).toBeVisible();
  await pick(page, "Copy a link");
  await expect(page.getByRole("alert").getByText(/cut links beyond 16,000. Export the journal instead/)).toBeVisible();
});

test("the code to embed shows the cluster alone", async ({ page }) => {
  await open(page);
  const code = await copied(page, "Copy code to embed");
  const address = /src="([^"]+)"/.exec(code)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(address).toMatch(/#s=[\w-]+&embed=1$/);
  const other = await page.context().newPage();
  await other.goto(address);
  await expect(other.getByRole("tree", { name: "Queues and applications" })).toBeVisible({ timeout: 30_000 });
  await expect(other.getByRole("banner")).toHaveCount(0);
});

test("a journal that was exported gives the same decisions when it is imported", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: /^To the end/ }).click();
  const before = await decisions(page);
  const file = await saved(page, "Export the journal");
  expect(file).toMatch(/^\{"type":"journal","version":1,(?:"grace":"[^"]+",)?"end":"[^"]+"\}\n# title: /);
  await importFile(page, { name: "other.jsonl", text: journal });
  await expect(page.getByRole("treeitem", { name: /^small/ })).toBeVisible();
  await importFile(page, { name: "back.jsonl.gz", text: gzipSync(file) });
  await expect(page.getByRole("treeitem", { name: /^small/ })).toHaveCount(0);
  expect(await decisions(page)).toBe(before);
});

test("a bad journal is named with its line and changes nothing", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: /^To the end/ }).click();
  const before = await decisions(page);
  await importFile(page, { name: "bad.jsonl", text: journal.replace('"vcore":1', '"vcore":"much"') });
  const alert = page.getByRole("alert");
  await expect(alert.getByText(/Line 4, resources.*expected a quantity.*found "?much/)).toBeVisible();
  await expect(alert.getByText("bad.jsonl was not opened. The current session continues.")).toBeVisible();
  expect(await decisions(page)).toBe(before);
});

test("files that are dropped go where they belong", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  await drop(page, { name: "mine.jsonl", text: journal });
  await expect(page.getByRole("treeitem", { name: /^small/ })).toBeVisible();

  await drop(page, { name: "queues.yaml", text: "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: default\n    - name: brandnew\n" });
  await page.getByRole("dialog", { name: "When should queues.yaml take effect?" }).getByRole("button", { name: /^From this moment on/ }).click();
  await expect(page.getByText("The configuration of queues.yaml is in force.")).toBeVisible();
  await expect(page.getByRole("treeitem", { name: /^brandnew/ })).toBeVisible();

  await drop(page, { name: "queues.toml", text: "nonsense" });
  await expect(page.getByRole("alert").getByText("queues.toml was not put in force.")).toBeVisible();

  await drop(page, { name: "holiday.png", text: "x" });
  await expect(page.getByRole("alert").getByText(/holiday.png: expected a journal/)).toBeVisible();

  await drop(page, { name: "ours.feature", text: "Feature: ours\n" });
  await expect(page.getByRole("heading", { name: "ours.feature" })).toBeVisible();

  expect(found).toEqual([]);

  await drop(page, { name: "broken.wasm", text: "no module" });
  await expect(page.getByRole("link", { name: "Compare", exact: true })).toHaveAttribute("aria-current", "page");
});

test("a hostile link is bounded", async ({ page }) => {
  const bomb = deflateRawSync(JSON.stringify({ t: "", j: " ".repeat(200 << 20) })).toString("base64url");
  await open(page, `#s=${bomb}`);
  await expect(page.getByRole("alert").getByText(/expected at most 4194304 bytes, found more/)).toBeVisible();
});

test("files that are dropped while the scheduler loads are opened when it is there", async ({ page }) => {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((done) => { arrive = done; });
  await page.route("**/core.wasm.gz", async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto("./");
  await expect(page.getByRole("progressbar")).toBeVisible();
  await drop(page, { name: "early.jsonl", text: journal });
  await expect(page.getByText("early.jsonl opens as soon as the scheduler is loaded.")).toBeVisible();
  arrive();
  await expect(page.getByRole("banner").getByText("early.jsonl")).toBeVisible();
  await expect(page.getByRole("treeitem", { name: /default/ })).toBeVisible();
});

test("a page that takes no files stays when one is dropped on it", async ({ page }) => {
  await open(page, "?embed=1#lesson=first-steps&embed=1");
  const stays = (kind: string) => page.evaluate((type) => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "x.jsonl"));
    return !document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, kind);
  expect([await stays("dragover"), await stays("drop")]).toEqual([true, true]);
});
