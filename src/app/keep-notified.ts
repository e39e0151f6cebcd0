import { lateModule } from '#src/errors.ts';
import type { FollowAccountsOptions } from './follow-accounts.ts';
import { notifiersOf, type NotifiedPlatforms } from './open-notifications.ts';

interface KeepNotifiedOptions extends Omit<FollowAccountsOptions, 'accounts'> {
  readonly platforms: NotifiedPlatforms;
  /** Only processes that poll need notifications. */
  readonly duties: { readonly works: boolean };
  readonly firstPolls: { wait(): Promise<unknown> };
}

const loadFollowing = lateModule('the notifications of platforms', () => import('./follow-accounts.ts'));

/** Receives the notifications of platforms about what the rules watch, until `signal` aborts. Nothing waits for them. */
export async function keepNotified(options: KeepNotifiedOptions): Promise<void> {
  const accounts = notifiersOf(options.platforms);
  if (!options.duties.works || accounts.length === 0) return;
  await options.firstPolls.wait();
  const { followAccounts } = await loadFollowing();
  await followAccounts({ ...options, accounts });
}
