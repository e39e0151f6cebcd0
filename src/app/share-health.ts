import type { AccountHealth } from '#src/admin/queries/accounts.ts';
import type { Clock } from '#src/clock.ts';
import type { OutageStore } from '#src/engine/outages.ts';

const EVERY_MS = 10_000;

interface ShareHealthOptions {
  readonly health: Pick<AccountHealth, 'share'>;
  readonly store: { readonly outages: Pick<OutageStore, 'all'> };
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Reads which accounts fail in any process, until `signal` aborts. */
export async function shareHealth({ health, store, clock, signal }: ShareHealthOptions): Promise<void> {
  while (!signal.aborted) {
    // The health of the database is reported elsewhere.
    const outages = await store.outages.all().catch(() => undefined);
    if (outages) health.share(outages);
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}
