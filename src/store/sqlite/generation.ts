import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { prepared } from '#src/store/prepared.ts';
import { noteRestored } from '#src/store/restores.ts';
import type { Tables } from '#src/store/tables.ts';
import { isSystemError } from '#src/rules/document/read-text-file.ts';

/** How often the changes of a running process are looked at. */
const EVERY_MS = 10_000;
const NO_CHANGES = '0/0';

/**
 * A counter in the database and in a file beside it. The file never has a higher number than the database, unless the database was replaced by
 * an older copy or lost its last commits.
 */
export interface Generation {
  /** Notes a restore if the file has a higher number. */
  check(): Promise<void>;
  /** The same, and raises the number. Call it before anything is sent. */
  begin(log: Log): Promise<void>;
  /** Raises the number after changes until `signal` aborts. */
  keep(log: Log, signal: AbortSignal): Promise<void>;
  /** Raises the number if something changed since the last time. */
  raise(): Promise<void>;
  /** Raises the number in the database. Rejects if the database accepts no writes. */
  write(): Promise<void>;
}

interface Numbered {
  /** The id of the state. */
  readonly id: string;
  readonly number: number;
}

/** The generation of the state in `file`. */
export function createGeneration(db: Kysely<Tables>, { file, clock }: { readonly file: string; readonly clock: Clock }): Generation {
  let raised: string | undefined;
  let isUnwritable = false;

  async function raise(): Promise<void> {
    const changes = await changesOf(db);
    if (changes === raised) return;
    // After a failure between the two writes, the file has the lower number.
    writeGeneration(file, await store(db));
    raised = changes;
  }

  async function check(): Promise<void> {
    // Another process may raise both numbers now, the one in the database first.
    const known = readGeneration(file);
    if (known) await db.transaction().execute((trx) => noteIfBehind(trx, { known, nowMs: clock.nowMs() }));
  }

  /** Raises the number. A file that cannot be written is logged once. */
  async function raiseLogged(log: Log): Promise<void> {
    try {
      await raise();
      if (isUnwritable) log.info({}, 'the generation of the state can be stored again');
      isUnwritable = false;
    } catch (error) {
      // A refused statement is the health of the database, or ends soon.
      if (isUnwritable || !isSystemError(error)) return log.debug({ error }, 'the generation cannot be raised');
      isUnwritable = true;
      const remedy = 'make the data folder writable for the user of Fanfare';
      log.warn({ error, file: generationFileOf(file) }, `the generation of the state cannot be stored; Fanfare tries again: ${remedy}`);
    }
  }

  async function begin(log: Log): Promise<void> {
    await check();
    await raiseLogged(log);
  }

  return {
    raise,
    check,
    begin,
    write: async () => void (await store(db)),

    async keep(log, signal) {
      while (!signal.aborted) {
        await clock.sleep(EVERY_MS, signal).catch(() => undefined);
        if (!signal.aborted) await raiseLogged(log);
      }
    },
  };
}

async function noteIfBehind(
  trx: Transaction<Tables>,
  { known, nowMs }: { readonly known: Numbered; readonly nowMs: number },
): Promise<void> {
  const stored = await find(trx);
  if (stored?.id === known.id && stored.number >= known.number) return;
  // A new state after the old one was deleted has another id, and has announced nothing.
  if (stored?.id !== known.id && (await changesOf(trx)) === NO_CHANGES) return;
  await noteRestored(trx, { nowMs });
  await store(trx, known.number);
}

const findChanges = prepared(
  () => sql<{ readonly changes: string }>`
    select coalesce((select max(seq) from delivery), 0) || '/' || (select coalesce(sum(count), 0) from sent_count) as changes`,
);

const raiseNumber = prepared(
  (_, { least }: { readonly least: number }) =>
    sql<Numbered>`update generation set number = max(number, ${least}) + 1 returning id, number`,
);

/** What a delivery changes. Nothing else can be announced twice. */
async function changesOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await findChanges(db, {});
  return rows[0]?.changes ?? NO_CHANGES;
}

async function find(db: Kysely<Tables>): Promise<Numbered | undefined> {
  return (await sql<Numbered>`select id, number from generation`.execute(db)).rows[0];
}

/** Stores a number that is higher than the stored one and than `least`. */
async function store(db: Kysely<Tables>, least = 0): Promise<Numbered> {
  const { rows } = await raiseNumber(db, { least });
  if (rows[0]) return rows[0];
  // Another process may insert the row at the same time.
  await sql`insert into generation (id, number) select ${randomUUID()}, 0 where not exists (select 1 from generation)`.execute(db);
  return store(db, least);
}

function generationFileOf(file: string): string {
  return `${file}-generation`;
}

/** Forgets the number in the file, because a restore is noted already. */
export function forgetGeneration(file: string): void {
  rmSync(generationFileOf(file), { force: true });
}

/** The number in the file; undefined before the first start, and for a file that cannot be read. */
function readGeneration(file: string): Numbered | undefined {
  try {
    const [, id, number] = /^(\S+) (\d+)\n$/u.exec(readFileSync(generationFileOf(file), 'utf8')) ?? [];
    return id === undefined ? undefined : { id, number: Number(number) };
  } catch {
    return undefined;
  }
}

function writeGeneration(file: string, { id, number }: Numbered): void {
  const target = generationFileOf(file);
  // Each process has its own, because two can start on one state.
  const partial = `${target}.${process.pid}.partial`;
  try {
    const open = openSync(partial, 'w', 0o600);
    try {
      writeFileSync(open, `${id} ${number}\n`);
      fsyncSync(open);
    } finally {
      closeSync(open);
    }
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
