import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { LEFT_DAYS, type ServerStore } from './server-store.ts';

const DAY_MS = 24 * 60 * 60_000;
const EVERY_MS = 60 * 60_000;

interface ForgetLeftOptions {
  readonly servers: Pick<ServerStore, 'list' | 'removeLeft'>;
  /** Deletes the lists of a server. */
  readonly lists: { removeServer(server: string): Promise<void> };
  readonly clock: Clock;
  readonly log: Log;
}

/** Deletes the lists and the settings of servers that removed the bot 30 days ago. */
export async function forgetLeft({ servers, lists, clock, log }: ForgetLeftOptions): Promise<void> {
  const before = new Date(clock.nowMs() - LEFT_DAYS * DAY_MS);
  // The lists go first, so that a process that ends in between continues the next time.
  for (const { id, leftAt } of await servers.list()) if (leftAt && leftAt <= before) await lists.removeServer(id);
  for (const server of await servers.removeLeft(before))
    log.info({ server }, 'the lists of a server that removed the bot 30 days ago were deleted');
}

/**
 * Repeats {@link forgetLeft} once an hour until `signal` aborts. Never rejects. The first time is an hour after the start: a server may have invited the bot
 * again while Fanfare did not run, which the bot sees once it is connected.
 */
export async function keepForgetting({ signal, ...options }: ForgetLeftOptions & { readonly signal: AbortSignal }): Promise<void> {
  const { clock, log } = options;
  for (;;) {
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    await forgetLeft(options).catch((error: unknown) => log.warn({ error }, 'servers that removed the bot could not be deleted'));
  }
}
