import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#src/clock.ts';
import { Alarm } from '#src/engine/alarm.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { Log } from '#src/log.ts';
import type { ListShapes } from '#src/rules/expression/list-shapes.ts';

/**
 * How often the lists are compared, if no list of people changes. Polls read entries on their own; this is for the checks of rules that name lists
 * and fields.
 */
const EVERY_MS = 5_000;
/** Edits within this time are read once. */
const MERGE_MS = 1_000;

interface FollowListsOptions {
  readonly listSource: { shapes(): Promise<ListShapes>; names(): Promise<readonly string[]> };
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  /** Must not reject. */
  readonly reload: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Reloads the rules if a list is new, is gone, or has fields of other types, until `signal` aborts. */
export async function followLists({ listSource, eventBus, reload, clock, log, signal }: FollowListsOptions): Promise<void> {
  const changed = new Alarm();
  const unsubscribe = eventBus.subscribe(({ kind }) => kind === 'lists' && changed.ring());
  let known: readonly [ListShapes, readonly string[]] | undefined;
  let isFailing = false;
  const untilNext = (stepMs: number): number => stepMs - (clock.nowMs() % stepMs);
  while (!signal.aborted) {
    try {
      // A rule may name a list that does not exist yet, and shipped rules run while their list exists.
      const now = await Promise.all([listSource.shapes(), listSource.names()]);
      if (known && !isDeepStrictEqual(now, known)) await reload();
      known = now;
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error }, 'the lists cannot be read; Fanfare tries again');
      isFailing = true;
    }
    // Most rules wake the process up at these instants anyway.
    const isChanged = await changed.wait(untilNext(EVERY_MS), { clock, signal });
    if (isChanged) await clock.sleep(untilNext(MERGE_MS), signal).catch(() => undefined);
  }
  unsubscribe();
}
