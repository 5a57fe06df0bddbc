// Generated from the Go types of wasm/browser/rpc: go test ./wasm/browser/rpc -update. Not to be edited.

/** Nanoseconds. */
export type Duration = number;

/** Amounts by resource type, in stored units: vcore in thousandths, memory in bytes. */
export type Amounts = Record<string, number>;

/** A line of decisions; its times and amounts are as the journal writes them. */
export interface Decision {
  seq: number;
  at: string;
  type: string;
  id?: string;
  app?: string;
  queue?: string;
  node?: string;
  nodes?: string[];
  for?: string;
  gang?: string;
  gangEnded?: boolean;
  allocated?: number;
  min?: number;
  members?: Member[];
  quota?: string;
  right?: string;
  partition?: string;
  priority?: number;
  resources?: Record<string, number | string>;
  devices?: PlacedDevices[];
  from?: string;
  to?: string;
  input?: string;
  policy?: string;
  fallback?: string;
  reason?: string;
  message?: string;
  approximate?: boolean;
  warnings?: string[];
  errors?: string[];
  began?: Duration;
  start?: string;
  submission?: number;
  placement?: number;
}

export type Explanation = AskExplanation | AppExplanation | QueueExplanation | PreemptionExplanation;

/** What a head says beside its op. */
export interface Heads {
  "check": { format?: string; file?: string };
  "explain": { id: number; kind?: string; name?: string };
  "free": { id: number };
  "keys": Record<string, never>;
  "limits": { id: number };
  "machine.advance": { id: number; to?: Duration; limit?: number; take?: boolean };
  "machine.apply": { id: number; to?: Duration; limit?: number; take?: boolean };
  "machine.cycle": { id: number; to?: Duration; limit?: number; take?: boolean };
  "machine.new": Record<string, never>;
  "machine.restore": Record<string, never>;
  "machine.take": { id: number; to?: Duration; limit?: number; take?: boolean };
  "meant": { id: number; kind?: string; name?: string };
  "placement": { id: number; partition?: string; queue?: string; user?: string; groups?: string[]; tags?: Record<string, string> };
  "policy.drop": { name?: string };
  "policy.line": { name?: string; parameters?: Record<string, unknown>; at?: string };
  "policy.list": Record<string, never>;
  "policy.load": { name?: string; limits?: { memory?: number; fuel?: number; fuelPerItem?: number } };
  "promises": { id: number };
  "replay": { grace?: Duration; until?: Duration; idle?: boolean; last?: boolean; config?: string; format?: string; decisions?: boolean };
  "session.decisions": { id: number; from?: number; most?: number };
  "session.feed": { id: number };
  "session.figures": { id: number };
  "session.journal": { what?: string; id: number; offset?: number; most?: number };
  "session.new": { grace?: Duration; checkpointEvery?: number; figures?: boolean };
  "session.run": { id: number; to?: { time?: Duration; idle?: boolean; steps?: number; unit?: string }; most?: number };
  "session.seek": { id: number; seq?: number; time?: Duration; most?: number };
  "session.status": { id: number };
  "session.truncate": { id: number };
  "snapshot": { id: number };
  "state": { id: number; parts?: string[] };
  "version": Record<string, never>;
}

/** What the first line of an answer says. */
export interface Answers {
  "check": CheckAnswer;
  "explain": ExplainAnswer;
  "free": Nothing;
  "keys": KeysAnswer;
  "limits": LimitsAnswer;
  "machine.advance": MachineAnswer;
  "machine.apply": MachineAnswer;
  "machine.cycle": MachineAnswer;
  "machine.new": IdAnswer;
  "machine.restore": IdAnswer;
  "machine.take": MachineAnswer;
  "meant": MeantAnswer;
  "placement": PlacementExplanation;
  "policy.drop": Nothing;
  "policy.line": Nothing;
  "policy.list": PolicyListAnswer;
  "policy.load": Loaded;
  "promises": PromisesAnswer;
  "replay": ReplayAnswer;
  "session.decisions": PieceAnswer;
  "session.feed": FeedAnswer;
  "session.figures": FiguresAnswer;
  "session.journal": PieceAnswer;
  "session.new": IdAnswer;
  "session.run": StatusAnswer;
  "session.seek": StatusAnswer;
  "session.status": StatusAnswer;
  "session.truncate": StatusAnswer;
  "snapshot": Nothing;
  "state": StateAnswer;
  "version": VersionAnswer;
}

/** The answer of an operation that was refused. */
export interface Refusal {
  error: RpcError;
}

export interface AccessList {
  users?: string[];
  groups?: string[];
}

export interface Aged {
  halfLife?: Duration;
  lookAhead?: Duration;
  types?: AgedAmount[];
  share?: number;
  belowGuaranteed?: boolean;
}

export interface AgedAmount {
  type: string;
  used?: number;
  aged?: Fraction;
  compared?: Fraction;
}

export interface AgedUser {
  user?: string;
  aged?: Aged;
}

export interface Alternative {
  node?: string;
  victims?: string[];
  worse?: string;
}

export interface AppDump {
  partition?: string;
  id: string;
  group?: string;
  queue?: string;
  state?: string;
  since?: Duration;
  submitted?: Duration;
  hasPriority?: boolean;
  priority?: number;
  used?: Amounts;
  preempted?: number;
  asks?: AskDump[];
}

export interface AppExplanation {
  id: string;
  queue?: string;
  state?: string;
  since?: Duration;
  pending?: number;
  allocations?: number;
  hasPriority?: boolean;
  priority?: number;
  reasons?: string[];
  blocked?: string[];
  group?: string;
  place?: number;
  hasPlace?: boolean;
  limits?: LimitShortfall[];
  preempted?: number;
  waits?: string[];
  gang?: GangExplanation;
  placement?: PlacementExplanation;
  text?: string;
}

export interface AskDump {
  id: string;
  priority?: number;
  resources?: Amounts;
  placeholder?: boolean;
  submitted?: Duration;
  node?: string;
  devices?: PlacedDevices[];
  allocated?: Duration;
  walltime?: Duration;
  ends?: Duration;
  minRuntime?: Duration;
  planned?: PlannedStart;
  kept?: string;
  leaves?: boolean;
  leaving?: string;
  preempted?: number;
}

export interface AskExplanation {
  id: string;
  app?: string;
  queue?: string;
  pending?: boolean;
  node?: string;
  reserved?: boolean;
  kept?: boolean;
  gone?: boolean;
  since?: Duration;
  walltime?: Duration;
  ends?: Duration;
  mayStay?: boolean;
  preempted?: number;
  submitted?: Duration;
  resources?: Amounts;
  priority?: number;
  originator?: boolean;
  preempts?: boolean;
  preemptable?: boolean;
  required?: string;
  noSuchNode?: boolean;
  seen?: Seen[];
  place?: number;
  reasons?: string[];
  lacks?: HeadroomShortfall[];
  limits?: LimitShortfall[];
  blocked?: string[];
  nodes?: NodeCount[];
  fits?: number;
  candidates?: Candidate[];
  nodePolicy?: string;
  holders?: Holder[];
  mismatches?: Mismatch[];
  planned?: PlanExplanation;
  unplanned?: string;
  plannedRoom?: PlannedRoom;
  shorter?: Shorter;
  atomic?: AtomicGang;
  running?: RunningGang;
  never?: Bound[];
  verdict?: string;
  victim?: VictimExplanation;
  gang?: GangExplanation;
  member?: MemberExplanation;
  text?: string;
}

export interface AtomicGang {
  id: string;
  pending?: number;
  resting?: number;
  min?: number;
  succeeded?: number;
  ends?: Duration;
  fallback?: boolean;
  accumulates?: boolean;
  heldUntil?: Duration;
  held?: Held[];
  fits?: number;
  barred?: string;
  lacks?: HeadroomShortfall[];
  limits?: LimitShortfall[];
  nodes?: NodeCount[];
  domains?: GangDomains;
  set?: GangSet;
}

export interface Bound {
  queue?: string;
  type?: string;
  needs?: number;
  most?: number;
  milli?: boolean;
}

export interface Candidate {
  node?: string;
  fits?: boolean;
  reason?: string;
  detail?: string;
  score?: number;
  unscored?: boolean;
}

export interface CheckAnswer {
  errors: ConfigError[];
  warnings: ConfigWarning[];
  configuration?: Config;
  normal?: string;
}

export interface Config {
  partition?: string;
  root?: ConfigQueue;
  rules?: Rule[];
  nodeSort?: ConfigNodeSort;
  preemptionEnabled?: boolean;
  preemptionObserve?: boolean;
  quotaPreemption?: boolean;
  reservationDelay?: number;
  patience?: number;
  resolver?: string;
  accessControl?: boolean;
  topology?: ConfigLevel[];
  warnings?: ConfigWarning[];
  others?: Config[];
}

export interface ConfigBudget {
  victims?: number;
  within?: number;
}

export interface ConfigError {
  file?: string;
  line?: number;
  column?: number;
  queue?: string;
  key?: string;
  expected?: string;
  found?: string;
}

export interface ConfigLevel {
  name?: string;
  attribute?: string;
}

export interface ConfigLimit {
  description?: string;
  users?: string[];
  groups?: string[];
  maxResources?: Amounts;
  maxApplications?: number;
}

export interface ConfigMinRuntime {
  default?: number;
  max?: number;
  required?: boolean;
}

export interface ConfigNodeSort {
  policy?: string;
  weights?: ConfigWeight[];
}

export interface ConfigQueue {
  name?: string;
  path: string;
  children?: ConfigQueue[];
  leaf?: boolean;
  guaranteed?: Amounts;
  max?: Amounts;
  maxApplications?: number;
  properties?: Record<string, string>;
  inherited?: Record<string, string>;
  appSort?: string;
  queueSort?: string;
  askSort?: string;
  prioritySort?: boolean;
  priorityFence?: boolean;
  priorityOffset?: number;
  preemptionPolicy?: string;
  preemptionDelay?: number;
  intraQueue?: boolean;
  gangsByMember?: boolean;
  keepsSurplus?: boolean;
  quotaDelay?: number;
  walltime?: ConfigWalltime;
  minRuntime?: ConfigMinRuntime;
  budget?: ConfigBudget;
  halfLife?: number;
  ownLookAhead?: number;
  submitACL?: AccessList;
  adminACL?: AccessList;
  limits?: ConfigLimit[];
  template?: ConfigTemplate;
}

export interface ConfigTemplate {
  maxApplications?: number;
  guaranteed?: Amounts;
  max?: Amounts;
  properties?: Record<string, string>;
}

export interface ConfigWalltime {
  default?: number;
  max?: number;
  allowOverrun?: boolean;
}

export interface ConfigWarning {
  file?: string;
  line?: number;
  column?: number;
  queue?: string;
  key?: string;
  text?: string;
}

export interface ConfigWeight {
  type: string;
  thousandths?: number;
}

export interface Departure {
  ask?: string;
  app?: string;
  ends?: Duration;
  planned?: boolean;
}

export interface DeviceDump {
  type: string;
  id: string;
  memory?: number;
  attributes?: Record<string, string>;
  unhealthy?: boolean;
  gone?: boolean;
  freeShare?: number;
  freeMemory?: number;
  allocations?: number;
}

export interface DomainRoom {
  domain?: string;
  fits?: number;
  missing?: number;
  takers?: Taker[];
}

export interface Excluded {
  queue?: string;
  reason?: string;
  allocations?: number;
}

export interface ExplainAnswer {
  found: boolean;
  meant?: string[];
  explanation?: Explanation;
}

export interface FeedAnswer {
  positions: Piece[];
  entries: number;
  total: number;
  header: string;
}

export interface FiguresAnswer {
  decisions: number;
  allocated: number;
  pending: number;
  preempted: number;
  faults: number;
  refused: string;
  waitMean: number;
  waitP50: number;
  waitP95: number;
  waitP99: number;
  waitMax: number;
  makespan: number;
  fairness: number;
  types: string[];
  used: number[];
  stranded: number[];
  times: number[];
  pendingCurve: number[];
  usedCurves: number[][];
  strandedCurves: number[][];
  waitCurve: number[][];
  jobs: JobsAnswer;
}

export interface Finding {
  law?: string;
  queue?: string;
  type: string;
  used?: number;
  guaranteed?: number;
  holds?: boolean;
  milli?: boolean;
}

export interface Fraction {
  units?: number;
  part?: number;
}

export interface GangDomains {
  level?: string;
  preferred?: boolean;
  total?: number;
  enough?: number;
  nearest?: DomainRoom[];
  slices?: Slices;
}

export interface GangDump {
  app?: string;
  id: string;
  min?: number;
  running?: number;
  broken?: boolean;
  single?: boolean;
  members?: string[];
}

export interface GangExplanation {
  formed?: boolean;
  failed?: boolean;
  hard?: boolean;
  declared?: Amounts;
  staying?: Amounts;
  pending?: number;
  allocated?: number;
  leaving?: number;
  replaced?: number;
  timed?: boolean;
  endsAt?: Duration;
  ends?: string;
}

export interface GangSet {
  id: string;
  min?: number;
  complete?: number;
  fits?: number;
}

export interface HeadroomShortfall {
  queue?: string;
  type: string;
  missing?: number;
  used?: number;
  max?: number;
  milli?: boolean;
}

export interface Held {
  ask?: string;
  node?: string;
}

export interface Holder {
  node?: string;
  ask?: string;
  app?: string;
  queue?: string;
  kept?: boolean;
  until?: Duration;
  from?: Duration;
  when?: string;
}

export interface IdAnswer {
  id: number;
}

export interface JobsAnswer {
  ended: number;
  wait: SpreadAnswer;
  turnaround: SpreadAnswer;
  slowdown: SpreadAnswer;
}

export interface Kept {
  type: string;
  has?: number;
  min?: number;
  milli?: boolean;
}

export interface KeyAnswer {
  name: string;
  where: string;
  type: string;
  default: string;
  inherited: string;
  meaning: string;
  status: string;
}

export interface KeysAnswer {
  keys: KeyAnswer[];
}

export interface LimitShortfall {
  reason?: string;
  queue?: string;
  name?: string;
  type: string;
  limit?: number;
  used?: number;
  missing?: number;
  milli?: boolean;
}

export interface LimitUsage {
  partition?: string;
  queue?: string;
  group?: boolean;
  name?: string;
  used?: Amounts;
  max?: Amounts;
  applications?: number;
  maxApplications?: number;
}

export interface LimitsAnswer {
  usage: LimitUsage[];
}

export interface Loaded {
  name: string;
  sha256: string;
  points: string[];
  manifest: unknown;
  report: unknown;
  fuel: number;
}

export interface MachineAnswer {
  now: Duration;
  deadline: Duration | null;
  made: number;
  refused?: string[];
}

export interface MeantAnswer {
  meant: string[];
}

export interface Member {
  id: string;
  placement?: number;
}

export interface MemberExplanation {
  group?: string;
  placeholder?: boolean;
  gaveUp?: boolean;
  for?: string;
  takes?: string;
  bound?: boolean;
  node?: string;
  leaves?: boolean;
}

export interface Mismatch {
  attribute?: string;
  wanted?: string[];
  nodes?: number;
  present?: ValuePresent[];
  without?: number;
}

export interface NodeCount {
  reason?: string;
  detail?: string;
  nodes?: number;
}

export interface NodeDump {
  partition?: string;
  id: string;
  capacity?: Amounts;
  occupied?: Amounts;
  used?: Amounts;
  attributes?: Record<string, string>;
  schedulable?: boolean;
  utilisation?: number;
  reserved?: string;
  kept?: string;
  allocations?: string[];
  devices?: DeviceDump[];
}

export interface NonVictim {
  id: string;
  app?: string;
  queue?: string;
  reason?: string;
}

export type Nothing = Record<string, never>;

export interface PartitionDump {
  name?: string;
  total?: Amounts;
  nodeSort?: string;
}

export interface Piece {
  from: number;
  lines: number;
}

export interface PieceAnswer {
  next: number;
  done: boolean;
}

export interface PlacedDevices {
  type: string;
  iDs?: string[];
}

export interface PlacementExplanation {
  partition?: string;
  queue?: string;
  recovery?: boolean;
  rule?: number;
  tried?: Trial[];
  creates?: string[];
  reason?: string;
  text?: string;
}

export interface PlanExplanation {
  start?: Duration;
  node?: string;
  reason?: string;
  gang?: string;
  nodes?: string[];
  when?: string;
  after?: Departure[];
  more?: number;
  window?: string;
}

export interface PlannedAsk {
  id: string;
  node: string;
  start: Duration;
  ends?: Duration;
}

export interface PlannedRoom {
  queue?: string;
  from?: Duration;
  when?: string;
}

export interface PlannedStart {
  start?: Duration;
  node?: string;
  nodes?: string[];
  reason?: string;
  ends?: Duration;
}

export interface PolicyListAnswer {
  policies: Loaded[];
}

export interface PreemptionExplanation {
  id: string;
  app?: string;
  queue?: string;
  verdict?: string;
  kind?: string;
  due?: Duration;
  observed?: boolean;
  approximate?: boolean;
  node?: string;
  victims?: Victim[];
  next?: Alternative;
  laws?: Finding[];
  barred?: Excluded[];
  short?: Shortfall[];
  never?: Bound[];
  nodes?: NodeCount[];
  inWay?: NonVictim[];
  again?: Duration;
  text?: string;
}

export interface PromisedEnd {
  id: string;
  ends: Duration;
}

export interface PromisesAnswer {
  ends: PromisedEnd[];
  plans: PlannedAsk[];
  windows: WindowAnswer[];
}

export interface QueueDump {
  partition?: string;
  path: string;
  leaf?: boolean;
  dynamic?: boolean;
  state?: string;
  used?: Amounts;
  guaranteed?: Amounts;
  max?: Amounts;
  headroom?: Amounts;
  pending?: Amounts;
  pendingAsks?: number;
  allocations?: number;
  leaving?: Amounts;
  hasPriority?: boolean;
  priority?: number;
  applications?: number;
  running?: number;
  maxRunning?: number;
  fairShare?: number;
  appSort?: string;
  properties?: Record<string, string>;
  aged?: Aged;
  users?: AgedUser[];
}

export interface QueueExplanation {
  queueState?: QueueDump;
  template?: string;
  reasons?: string[];
  lacks?: HeadroomShortfall[];
  quota?: QuotaExplanation;
  settings?: Setting[];
  fence?: string;
  text?: string;
}

export interface QuotaExplanation {
  excess?: Amounts;
  reason?: string;
  above?: string;
  since?: Duration;
  due?: Duration;
}

export interface ReplayAnswer {
  inputs: number;
  decisions: number;
  allocations: number;
  ended: number;
  start: Duration;
  end: Duration;
  sha256: string;
}

export interface RpcError {
  code: "bad-request" | "unknown-op" | "unknown-session" | "bad-journal" | "bad-configuration" | "bad-snapshot" | "bad-module" | "bad-time" | "too-large" | "not-there" | "internal";
  message: string;
  line?: number;
  column?: number;
  key?: string;
  expected?: string;
  found?: string;
  errors?: string[];
  offset?: number;
  section?: string;
  reason?: string;
}

export interface Rule {
  name: string;
  create?: boolean;
  value?: string;
  parent?: Rule;
  filter?: RuleFilter;
}

export interface RuleFilter {
  deny?: boolean;
  users?: string[];
  groups?: string[];
}

export interface RunningGang {
  id: string;
  running?: number;
  min?: number;
  surplus?: number;
  byMember?: boolean;
  text?: string;
  keeps?: Kept[];
}

export interface Seen {
  queue?: string;
  priority?: number;
}

export interface Setting {
  name?: string;
  value?: string;
  from?: string;
  template?: boolean;
}

export interface Shorter {
  walltime?: Duration;
  node?: string;
}

export interface Shortfall {
  queue?: string;
  type: string;
  missing?: number;
  milli?: boolean;
}

export interface Slices {
  level?: string;
  size?: number;
}

export interface SpreadAnswer {
  mean: number;
  p95: number;
  max: number;
}

export interface StateAnswer {
  now: Duration;
  total: Amounts;
  nodeSort: string;
  deviceTypes?: string[];
  queues?: QueueDump[];
  nodes?: NodeDump[];
  applications?: AppDump[];
  gangs?: GangDump[];
  others?: PartitionDump[];
}

export interface StatusAnswer {
  now: Duration;
  earliest: Duration;
  start: string;
  next?: Duration;
  midway: boolean;
  idle: boolean;
  seq: number;
  applied: number;
  entries: number;
  lines: number;
  checkpoints: number;
  closed: boolean;
  grace: Duration;
  ends?: Duration;
  endsIdle: boolean;
  header: string;
  done: boolean;
  hash?: string;
}

export interface Taker {
  app?: string;
  nodes?: string[];
  more?: number;
}

export interface Trial {
  rule?: number;
  kind?: string;
  value?: string;
  yield?: string;
  fault?: string;
  at?: string;
  parent?: boolean;
}

export interface ValuePresent {
  value?: string;
  nodes?: number;
}

export interface VersionAnswer {
  version: number;
  abi: number;
}

export interface Victim {
  id: string;
  app?: string;
  queue?: string;
  priority?: number;
  kind?: string;
  originator?: boolean;
  optedOut?: boolean;
  gang?: string;
  endsWith?: number;
  common?: string;
  seen?: number;
  forSeen?: number;
  over?: Finding[];
}

export interface VictimExplanation {
  victim?: Victim;
  for?: string;
  forApp?: string;
  forQueue?: string;
  node?: string;
  at?: Duration;
  gone?: boolean;
  entitled?: Finding[];
  with?: string[];
  text?: string;
  gangText?: string;
}

export interface WindowAnswer {
  id: string;
  partition?: string;
  open?: boolean;
  from: Duration;
  until?: Duration;
  every?: Duration;
  schedule?: string;
  nodes: string[];
  queues?: string[];
  users?: string[];
  groups?: string[];
}
