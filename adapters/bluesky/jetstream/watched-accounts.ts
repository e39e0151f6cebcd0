import type { NamesByOperation, NotifierStatus } from '#src/clients/operation/notifier.ts';
import type { AccountContext } from '../account-context.ts';

/** The operations whose answers are posts of a user. */
export const OF_USERS = ['getPosts', 'getUserMedia'] as const;

/** Jetstream takes no more accounts for a connection. */
const MOST_DIDS = 10_000;

/** The accounts that rules watch. */
export interface WatchedAccounts {
  /** The names of each account, as the rules write them. */
  readonly namesByDid: ReadonlyMap<string, readonly string[]>;
  readonly covered: NamesByOperation;
  /** Names without an account. */
  readonly unknown: readonly string[];
  /** Names above the limit of Jetstream. */
  readonly tooMany: readonly string[];
}

/** Finds the accounts of the watched names. If there are too many, the first ones are watched. */
export async function watchedAccounts(
  watched: NamesByOperation,
  { findDid }: Pick<AccountContext['names'], 'findDid'>,
  signal: AbortSignal,
): Promise<WatchedAccounts> {
  const names = [...new Set(OF_USERS.flatMap((operation) => watched.get(operation) ?? []))];
  const found = await Promise.all(names.map(async (name) => ({ name, did: await findDid(name, signal) })));
  const known = found.flatMap(({ name, did }) => (did === undefined ? [] : [{ name, did }]));
  const accounts = [...Map.groupBy(known, ({ did }) => did)].map(([did, some]) => [did, some.map(({ name }) => name)] as const);
  const namesByDid = new Map(accounts.slice(0, MOST_DIDS));
  const notified = new Set([...namesByDid.values()].flat());
  const covered = OF_USERS.map((operation) => [operation, (watched.get(operation) ?? []).filter((name) => notified.has(name))] as const);
  return {
    namesByDid,
    covered: new Map(covered.filter(([, some]) => some.length > 0)),
    unknown: found.flatMap(({ name, did }) => (did === undefined ? [name] : [])),
    tooMany: accounts.slice(MOST_DIDS).flatMap(([, some]) => some),
  };
}

/** The state of a connection with these accounts. */
export function statusOf({ namesByDid, unknown, tooMany }: WatchedAccounts): NotifierStatus {
  const onlyPolled = unknown.length + tooMany.length;
  const [first = ''] = unknown;
  const problem =
    tooMany.length > 0
      ? `Jetstream notifies about ${MOST_DIDS} accounts at most`
      : `Bluesky has no account ${first}${unknown.length > 1 ? ' and others' : ''}`;
  return { state: 'connected', subscriptions: namesByDid.size, onlyPolled, ...(onlyPolled > 0 && { problem }) };
}
