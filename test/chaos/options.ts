import { parseArgs } from 'node:util';

/** The settings of a run. */
export interface ChaosOptions {
  readonly seed: number;
  /** 1: all faults; 0.1: a tenth of them. */
  readonly scale: number;
  readonly workers: number;
  /** The least and the longest pause between two faults. */
  readonly paceMs: readonly [leastMs: number, mostMs: number];
  readonly people: number;
  /** About how long people keep a state. */
  readonly holdMs: number;
  /** A state that lasted for this time has to be announced. */
  readonly requiredMs: number;
  readonly lateMs: number;
  /** Faults stop after this time. */
  readonly timeLimitMs: number;
  /** How long a worker keeps a lane without renewing its lease. */
  readonly leaseMs: number;
  /** `sqlite`: one process without PostgreSQL. */
  readonly database: 'postgres' | 'sqlite';
  /** The folder for the history, the logs and the evidence; undefined: a temporary folder. */
  readonly folder: string | undefined;
}

const DEFAULTS: ChaosOptions = {
  seed: 1,
  scale: 1,
  workers: 4,
  paceMs: [2_000, 4_000],
  people: 40,
  holdMs: 150_000,
  requiredMs: 150_000,
  lateMs: 240_000,
  timeLimitMs: 3 * 3_600_000,
  leaseMs: 12_000,
  database: 'postgres',
  folder: undefined,
};

/** A twentieth of the faults, for the deep tests. Each run has others. */
export const TWENTIETH: ChaosOptions = {
  ...DEFAULTS,
  scale: 0.05,
  workers: 3,
  paceMs: [1_000, 2_400],
  people: 24,
  holdMs: 40_000,
  requiredMs: 90_000,
  lateMs: 180_000,
};

export const USAGE = `Usage: npm run chaos -- [options]

Starts workers of Fanfare on one database and one sandbox, makes them fail, and compares the events of the world with the messages.

  --seed <number>        Seed of the world, the orders and the faults (random)
  --scale <number>       Part of the faults: 1 is 500 kills, 0.1 is 50 (${DEFAULTS.scale})
  --workers <number>     Number of worker processes (${DEFAULTS.workers})
  --pace <from>-<to>     Seconds between two faults (${DEFAULTS.paceMs.map((ms) => ms / 1000).join('-')})
  --people <number>      Number of streamers (${DEFAULTS.people})
  --minutes <number>     Faults stop after this time (${DEFAULTS.timeLimitMs / 60_000})
  --database <name>      postgres, or sqlite with one process (${DEFAULTS.database})
  --folder <path>        Folder for the history, the logs and the evidence (a temporary folder)

Ctrl+C ends the faults early and checks what happened until then. A second Ctrl+C ends the run at once.`;

/** Reads the command line; undefined: the user asks for help. */
export function readOptions(args: readonly string[]): ChaosOptions | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      seed: text,
      scale: text,
      workers: text,
      pace: text,
      people: text,
      minutes: text,
      database: text,
      folder: text,
    },
  });
  if (values.help) return undefined;
  const [paceFrom, paceTo] = (values.pace ?? '').split('-').map(Number);
  const { database = DEFAULTS.database } = values;
  if (database !== 'postgres' && database !== 'sqlite') throw new Error(`--database: expected postgres or sqlite, got "${database}"`);
  return {
    ...DEFAULTS,
    database,
    seed: Number(values.seed ?? Math.floor(Math.random() * 1_000_000)),
    scale: Number(values.scale ?? DEFAULTS.scale),
    workers: database === 'sqlite' ? 1 : Number(values.workers ?? DEFAULTS.workers),
    paceMs: paceFrom && paceTo ? [paceFrom * 1000, paceTo * 1000] : DEFAULTS.paceMs,
    people: Number(values.people ?? DEFAULTS.people),
    timeLimitMs: values.minutes === undefined ? DEFAULTS.timeLimitMs : Number(values.minutes) * 60_000,
    folder: values.folder,
  };
}
