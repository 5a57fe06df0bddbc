import "./forecast.css";
import { useCallback, useState } from "preact/hooks";
import { parseDuration } from "../model/times";
import { Button } from "../ui/button";
import { Part } from "../why/parts";
import { Failure } from "./failure";
import { part, read } from "./host/api";
import type { ForecastObject, PlannedObject } from "./host/objects";
import { timeOfDay } from "./host/times";

/** When an ask will start, asked for by hand: the host plays the present forward for it, for up to two seconds. */
export function Forecast({ ask, planned }: { readonly ask: string; readonly planned: PlannedObject | undefined }) {
  const [heard, setHeard] = useState<{ readonly told?: ForecastObject; readonly failure?: unknown; readonly asking?: boolean }>({});
  const run = async () => {
    setHeard((before) => ({ ...before, asking: true }));
    try {
      setHeard({ told: await read<ForecastObject>(`v1/asks/${part(ask)}/forecast`) });
    } catch (failure) {
      setHeard({ failure });
    }
  };
  const put = useCallback(() => void run(), [ask]);
  const { told, failure, asking } = heard;
  return (
    <Part title="When it will start" question="When will it start?" onQuestion={put}>
      {planned && <p>It starts at {timeOfDay(planned.start)} on {planned.node} at the latest.</p>}
      {!told && !asking && failure === undefined && <p class="why-note">The scheduler plays the present forward, and says how soon the ask starts.</p>}
      <p class="why-tools"><Button small disabled={asking ?? false} onClick={() => void run()}>{asking ? "Playing…" : told ? "Ask again" : "Ask for a forecast"}</Button></p>
      {failure !== undefined && <Failure of={failure} />}
      <div aria-live="polite">
        {told && <><Band of={told} planned={planned} /><p>{told.text}</p></>}
      </div>
    </Part>
  );
}

/** From the 5th to the 95th percentile, with the middle, between now and the end of what was played. */
function Band({ of: { at, horizon, p5, p50, p95 }, planned }: { readonly of: ForecastObject; readonly planned: PlannedObject | undefined }) {
  if (p50 === undefined && p5 === undefined) return null;
  const now = Date.parse(at);
  const times = [p5, p50, p95, planned?.start].flatMap((one) => (one === undefined ? [] : [Date.parse(one)]));
  const horizonEnd = now + (parseDuration(horizon) ?? 0) / 1e6;
  // Where the 95th percentile is not known, or beyond, the band goes on to the end of what was played.
  const end = p95 === undefined && p5 !== undefined ? Math.max(horizonEnd, ...times) : now + 1.15 * Math.max(1000, ...times.map((one) => one - now));
  const x = (time: string | undefined, otherwise: number) => (time === undefined ? otherwise : Math.min(100, Math.max(0, ((Date.parse(time) - now) / (end - now)) * 100)));
  const [left, right] = [x(p5, x(p50, 0)), x(p95, p5 === undefined ? x(p50, 0) : 100)];
  const marks = [p5 !== undefined && `5th percentile ${timeOfDay(p5)}`, p50 !== undefined && `middle ${timeOfDay(p50)}`, p95 !== undefined && `95th ${timeOfDay(p95)}`].filter(Boolean);
  return (
    <figure class="forecast" role="img" aria-label={`Start: ${marks.join(", ")}${planned ? `; planned for ${timeOfDay(planned.start)} at the latest` : ""}`}>
      <div class="forecast-axis">
        <i class="forecast-band" style={{ left: `${left}%`, width: `${Math.max(0.5, right - left)}%` }} />
        {p50 !== undefined && <i class="forecast-middle" style={{ left: `${x(p50, 0)}%` }} />}
        {planned && <i class="forecast-planned" style={{ left: `${x(planned.start, 0)}%` }} />}
      </div>
      <p class="forecast-ends"><span>now</span><span>{timeOfDay(end)}</span></p>
      <ul class="forecast-legend">
        {p5 !== undefined && <li><i class="forecast-key-band" />{`${timeOfDay(p5)} to ${p95 === undefined ? "later than this" : timeOfDay(p95)}: 90 of 100`}</li>}
        {p50 !== undefined && <li><i class="forecast-key-middle" />{`${timeOfDay(p50)}: half of all`}</li>}
        {planned && <li><i class="forecast-key-planned" />Planned start</li>}
      </ul>
    </figure>
  );
}
