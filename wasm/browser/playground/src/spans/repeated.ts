/** Windows that come again. */

interface Opening {
  readonly from: number;
  readonly until: number | undefined;
  readonly every?: number | undefined;
  readonly open: boolean;
}

/** Of one window so many openings are drawn. */
const most = 60;

export function windowsBetween<T extends Opening>(one: T, from: number, to: number): T[] {
  const list: T[] = [];
  const { every = 0, until } = one;
  for (let by = 0; one.from + by <= to && list.length < most; by += every) {
    if (until === undefined || until + by >= from) list.push({ ...one, from: one.from + by, until: until === undefined ? undefined : until + by, open: one.open && by === 0 });
    if (every <= 0) break;
  }
  return list;
}
