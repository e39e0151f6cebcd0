import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * The steps of a rule, and the kinds of their announcements:
 *
 * - `card`: a message, edited at each change of the title and at the end.
 * - `reply`: a post, and at the end a reply to it.
 * - `removal`: a post that is deleted at the end.
 * - `title`: a message for each title.
 * - `slot`: a message for each slot.
 */
const SHAPES = ['card', 'reply', 'removal', 'title', 'slot'] as const;

const Rule = z.object({
  id: z.string(),
  shape: z.enum(SHAPES),
  /** The accounts that each announcement is sent through. */
  accounts: z.array(z.string()),
  /** The handles of the watched people. */
  people: z.array(z.string()),
  everyMs: z.number(),
});
export interface ChaosRule extends Readonly<z.output<typeof Rule>> {}

const Account = z.object({
  name: z.string(),
  platform: z.enum(['discord', 'social', 'mastodon', 'bluesky', 'x']),
  /** The name of the Discord server, or the handle of the account. */
  owner: z.string(),
  /** Whether the platform has no idempotency, so that a delivery may end as `unknown`. */
  mayLose: z.boolean().default(false),
});
export interface ChaosAccount extends Readonly<z.output<typeof Account>> {}

const at = { atMs: z.number() };

const FAULTS = ['kill', 'restart', 'freeze', 'disconnect', 'postgresStop', 'postgresKill', 'platform'] as const;
export type FaultName = (typeof FAULTS)[number];

const Line = z.discriminatedUnion('kind', [
  z.object({
    ...at,
    kind: z.literal('run'),
    seed: z.number(),
    sandboxUrl: z.string(),
    rules: z.array(Rule),
    accounts: z.array(Account),
    workers: z.array(z.string()),
    /** A state of the world that lasted for this time has to be announced. */
    requiredMs: z.number(),
    /** An announcement is late after this time and the outages in it. */
    lateMs: z.number(),
  }),
  /** The first slot of every rule is later. */
  z.object({ ...at, kind: z.literal('rulesRun') }),
  z.object({ ...at, kind: z.literal('order'), do: z.string(), user: z.string(), title: z.string().optional() }),
  z.object({
    ...at,
    kind: z.literal('fault'),
    /** Identifies the fault in `healed`. */
    id: z.number(),
    fault: z.enum(FAULTS),
    worker: z.string().optional(),
    /** The process of the worker. */
    process: z.string().optional(),
    /** The platform of a `platform` fault. */
    platform: z.string().optional(),
    detail: z.string().optional(),
  }),
  z.object({ ...at, kind: z.literal('healed'), id: z.number() }),
  z.object({ ...at, kind: z.literal('started'), worker: z.string(), shiftMs: z.number(), isNext: z.boolean() }),
  z.object({ ...at, kind: z.literal('ready'), worker: z.string() }),
  z.object({ ...at, kind: z.literal('crashed'), worker: z.string(), code: z.string() }),
  /** A worker logged that it sent a delivery. */
  z.object({ ...at, kind: z.literal('sent'), process: z.string(), account: z.string(), rule: z.string(), delivery: z.string() }),
  /** A process got the lease of an account, or gave it back: then `process` is absent. */
  z.object({ ...at, kind: z.literal('lane'), account: z.string(), process: z.string().optional(), sinceMs: z.number() }),
  /** A batch of slots was committed long after its start. */
  z.object({ ...at, kind: z.literal('batch'), sinceMs: z.number() }),
  /** Faults and orders have stopped. */
  z.object({ ...at, kind: z.literal('calm') }),
]);
export type HistoryLine = z.output<typeof Line>;
type Unstamped<T> = T extends unknown ? Omit<T, 'atMs'> : never;
export type HistoryEntry = Unstamped<HistoryLine>;
export type RunLine = Extract<HistoryLine, { readonly kind: 'run' }>;

/** The history of a run as JSON lines, written as it happens. */
export class HistoryFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  add(entry: HistoryEntry): void {
    appendFileSync(this.#file, `${JSON.stringify({ atMs: Date.now(), ...entry })}\n`);
  }
}

/** Reads a history. The last line may be incomplete while the run goes on. */
export function readHistory(file: string): readonly HistoryLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => Line.parse(JSON.parse(line)));
}

/** The first line of a history. */
export function runOf(history: readonly HistoryLine[]): RunLine {
  const [first] = history;
  if (first?.kind !== 'run') throw new Error('the history does not begin with the line "run"');
  return first;
}
