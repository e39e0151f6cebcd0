import { once } from 'node:events';
import { type Client, Events, Status } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { GatewayManager } from './gateway-strategy.ts';

/** A shard that resumes at two checks in a row identifies again. */
export const RESUME_CHECK_MS = 30_000;

interface WatchResumeOptions {
  readonly client: Client;
  readonly manager: Pick<GatewayManager, 'connect'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Identifies again if Discord does not answer a resume. discord.js has no timeout for this step. Ends with `signal`. */
export async function watchResume(options: WatchResumeOptions): Promise<never> {
  for (;;) {
    await once(options.client, Events.ShardReconnecting, { signal: options.signal });
    await watchRestoring(options);
  }
}

/** Checks until every shard is ready. */
async function watchRestoring({ client, manager, clock, log, signal }: WatchResumeOptions): Promise<void> {
  const { shards } = client.ws;
  let before = new Set<number>();
  do {
    await clock.sleep(RESUME_CHECK_MS, signal);
    const resuming = new Set(shards.filter(({ status }) => status === Status.Resuming).keys());
    const isStuck = !resuming.isDisjointFrom(before);
    before = resuming;
    if (!isStuck) continue;
    log.warn({ shards: [...resuming] }, 'Discord did not answer a resume; the bot starts a new session');
    // This destroys all shards: discord.js cannot reconnect a single one.
    while (!(await connects(manager, log))) await clock.sleep(RESUME_CHECK_MS, signal);
  } while (shards.some(({ status }) => status !== Status.Ready));
}

async function connects(manager: WatchResumeOptions['manager'], log: Log): Promise<boolean> {
  try {
    await manager.connect();
    return true;
  } catch (error) {
    log.warn(
      { reason: error instanceof Error ? error.message : 'unknown error' },
      'the bot could not start a new session; Fanfare retries',
    );
    return false;
  }
}
