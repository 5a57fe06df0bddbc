import type { NextFrame } from "./clock";

/** Calls back before the next frame is drawn. A hidden page draws none: then a timer does, which the browser lets come about once a second. */
export const nextFrame: NextFrame = (tick) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame((now) => { once(now, true); });
  const hide = (): void => {
    if (document.hidden) timer ??= setTimeout(() => { once(performance.now(), false); });
  };
  const once = (now: number, seen: boolean): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", hide);
    tick(now, seen);
  };
  document.addEventListener("visibilitychange", hide);
  hide();
};
