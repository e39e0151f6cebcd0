import type { Clock } from '#src/clock.ts';
import type { PollResult } from '#src/engine/planner/query.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { EntryId, MOST_ENTRIES } from '#src/rules/grammar/list-file.ts';
import type { PeopleSource } from '#src/rules/lists.ts';
import { Alarm } from '#src/engine/alarm.ts';
import type { WatchedListFolder } from './list-folder.ts';
import { keyOfSource, type SourcedPerson, type SourceStore, type StoredSource } from './list-sources.ts';

/** How often the people of a source are read. */
const READ_EVERY_MS = 15 * 60_000;
/** How long one process may read a source, and the wait after a failed read. */
const RETRY_MS = 5 * 60_000;
/** How often the sources are looked at, if no file changes. */
const LOOK_EVERY_MS = 2_000;
const WITHOUT_SOURCES_MS = 60_000;

export interface FollowSourcesOptions {
  /** The lists as their files have them. */
  readonly folder: WatchedListFolder;
  readonly store: SourceStore;
  /** Reads all pages of a source. */
  readonly read: (source: PeopleSource, signal: AbortSignal) => Promise<PollResult>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Reads the sources of lists when they are due, until `signal` aborts. Never rejects. Without a source, it sends no request. */
export async function followSources(options: FollowSourcesOptions): Promise<void> {
  const { folder, clock, log, signal } = options;
  const changed = new Alarm();
  folder.onChange(() => changed.ring());
  let isFailing = false;
  while (!signal.aborted) {
    let hasSources = true;
    try {
      hasSources = await readDue(options);
      isFailing = false;
    } catch (error) {
      if (!isFailing && !signal.aborted) log.warn({ error }, 'the sources of lists cannot be read; Fanfare tries again');
      isFailing = true;
    }
    await changed.wait(hasSources ? LOOK_EVERY_MS : WITHOUT_SOURCES_MS, { clock, signal });
  }
}

interface ReadDueOptions extends Omit<FollowSourcesOptions, 'folder'> {
  readonly folder: Pick<WatchedListFolder, 'read'>;
}

/** Reads the sources that are due; false: no list has a source. */
export async function readDue(options: ReadDueOptions): Promise<boolean> {
  const { folder, store, clock } = options;
  const { lists } = await folder.read();
  const sources = new Map([...lists.values()].flatMap(({ source }) => (source ? [[keyOfSource(source), source] as const] : [])));
  if (sources.size === 0) return false;
  const stored = await store.load([...sources.keys()]);
  for (const [key, source] of sources) {
    const before = stored.get(key);
    const isClaimed = isDue(before, clock.nowMs()) && (await store.claim(key, { forMs: RETRY_MS, mostMs: READ_EVERY_MS }));
    if (isClaimed) await readOne(source, { key, before }, options);
  }
  return true;
}

/** After a step back of the clock, a source is due too. */
function isDue(stored: StoredSource | undefined, nowMs: number): boolean {
  const leftMs = stored ? stored.dueAt.getTime() - nowMs : 0;
  return leftMs <= 0 || leftMs > READ_EVERY_MS;
}

async function readOne(
  source: PeopleSource,
  { key, before }: { readonly key: string; readonly before: StoredSource | undefined },
  { store, read, log, signal }: Pick<FollowSourcesOptions, 'store' | 'read' | 'log' | 'signal'>,
): Promise<void> {
  const { verb, account } = source;
  try {
    await store.keep(key, peopleOf(source, await read(source, signal)), READ_EVERY_MS);
    if (before?.problem !== undefined) log.info({ verb, account }, 'the source of a list can be read again');
  } catch (error) {
    if (signal.aborted) return;
    const problem = error instanceof PlatformError || error instanceof UnusableAnswer ? error.message : String(error);
    await store.fail(key, problem);
    const kept = before?.readAt ? 'the list keeps its last people' : 'rules that read the list wait';
    if (problem !== before?.problem) log.warn({ verb, account, problem }, `the source of a list cannot be read: ${kept}`);
  }
}

class UnusableAnswer extends Error {}

/** The people of a whole answer. Throws for a partial one. */
function peopleOf({ platform }: PeopleSource, { items, approximate, partialErrors, more = false }: PollResult): readonly SourcedPerson[] {
  const [part] = partialErrors;
  if (part) throw new UnusableAnswer(`a part could not be read: ${part.message}`);
  if (approximate || more) throw new UnusableAnswer('the platform shows only a part of the people');
  if (items.length > MOST_ENTRIES)
    throw new UnusableAnswer(`the source has ${items.length} people; a list can have at most ${MOST_ENTRIES}`);
  const handles = new Set(items.map(handleOf));
  return [...handles].toSorted().map((handle) => ({ id: handle, fields: { [platform]: handle } }));
}

function handleOf(item: unknown): string {
  const read = typeof item === 'object' && item !== null && 'handle' in item ? EntryId.safeParse(item.handle) : undefined;
  if (!read?.success) throw new UnusableAnswer('a person has no name that can be the id of an entry');
  return read.data;
}
