// @vitest-environment jsdom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepForOffline, NewVersion } from "./version";

/** A worker that is on its way, as far as the page hears of it. */
class Worker extends EventTarget {
  state = "installing";
  readonly postMessage = vi.fn();

  install(): void {
    this.state = "installed";
    this.dispatchEvent(new Event("statechange"));
  }
}

class Registration extends EventTarget {
  installing: Worker | null = null;
  readonly waiting = null;
  readonly update = vi.fn(() => Promise.resolve());

  /** Another version is found, and installed beside the one that runs. */
  find(): Worker {
    const worker = (this.installing = new Worker());
    this.dispatchEvent(new Event("updatefound"));
    worker.install();
    return worker;
  }
}

/** What the browser has of workers: one runs, and the registration may find others. */
function workers(registration: Registration): ServiceWorkerContainer {
  return Object.assign(new EventTarget(), { controller: {}, register: () => Promise.resolve(registration) }) as unknown as ServiceWorkerContainer;
}

describe("the notice of a new version", () => {
  const place = document.createElement("div");
  const reload = vi.fn();
  const notice = "A new version of the playground is available.";
  let registration: Registration;
  let container: ServiceWorkerContainer;
  const find = (): Promise<Worker> => {
    let found: Worker | undefined;
    return act(() => { found = registration.find(); }).then(() => found ?? new Worker());
  };
  const press = (name: string) => act(() => {
    [...place.querySelectorAll("button")].find((button) => button.textContent === name)?.click();
  });

  beforeEach(async () => {
    registration = new Registration();
    container = workers(registration);
    reload.mockClear();
    render(<NewVersion />, place);
    await keepForOffline(container, reload, () => undefined);
  });
  afterEach(() => { render(null, place); });

  it("goes with “Later”, without a reload, and returns with the next version", async () => {
    expect(place.textContent).toBe("");
    const worker = await find();
    expect(place.textContent).toContain(notice);
    await press("Later");
    expect(place.textContent).toBe("");
    expect(worker.postMessage).not.toHaveBeenCalled();
    expect(reload).not.toHaveBeenCalled();
    await find();
    expect(place.textContent).toContain(notice);
  });

  it("has the new version take over on “Load it”, and then reloads", async () => {
    const worker = await find();
    await press("Load it");
    expect(worker.postMessage).toHaveBeenCalledWith("take over");
    expect(reload).not.toHaveBeenCalled();
    container.dispatchEvent(new Event("controllerchange"));
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe("what few visits need", () => {
  const controller = () => ({ postMessage: vi.fn() });
  afterEach(() => { vi.unstubAllGlobals(); });

  it("is kept when the page has time, at the first visit once a worker is there", async () => {
    const [registration, running] = [new Registration(), controller()];
    const idle: (() => void)[] = [];
    const container = Object.assign(workers(registration), { controller: running });
    await keepForOffline(container, vi.fn(), (call) => idle.push(call));
    expect(running.postMessage).not.toHaveBeenCalled();
    idle.forEach((call) => { call(); });
    expect(running.postMessage.mock.calls).toEqual([["keep all"]]);

    const first = Object.assign(workers(registration), { controller: null });
    idle.length = 0;
    await keepForOffline(first, vi.fn(), (call) => idle.push(call));
    expect(idle).toEqual([]);
    const taken = controller();
    Object.assign(first, { controller: taken });
    first.dispatchEvent(new Event("controllerchange"));
    idle.forEach((call) => { call(); });
    expect(taken.postMessage).toHaveBeenCalledWith("keep all");
  });

  it("is not fetched where the user saves data", async () => {
    vi.stubGlobal("navigator", { connection: { saveData: true } });
    const idle = vi.fn();
    await keepForOffline(workers(new Registration()), vi.fn(), idle);
    expect(idle).not.toHaveBeenCalled();
  });
});
