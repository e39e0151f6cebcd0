import { randomBytes } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import type { ConnectOptions, NotifierStatus } from '#src/clients/operation/notifier.ts';
import type { Spending } from '#src/clients/operation/spending.ts';
import { keepLines } from '#src/http/line-stream.ts';
import { type Access, WAYS } from '../auth/access.ts';
import type { XApi } from '../client.ts';
import { meaningOf } from '../errors.ts';
import { PRICES } from '../spending.ts';
import { readStreamLine } from './read-line.ts';
import { type FollowedNames, followNames } from './rules.ts';

/** The operations whose answers are posts of a user. */
const OF_USERS = ['getPosts', 'getUserMedia'] as const;
const PATH = '/2/tweets/search/stream';
/** X sends an empty line each 20 seconds. */
const SILENT_MS = 30_000;
/** A post has a few kilobytes. */
const MOST_CHARACTERS = 100_000;
/** When a hint is given again: the stream can be earlier than the servers that answer polls. */
const AGAIN_MS = 15_000;

export interface StreamOptions extends ConnectOptions {
  readonly api: Pick<XApi, 'read' | 'send'>;
  readonly access: Pick<Access, 'authorized'>;
  /** The address of the API. */
  readonly url: string;
  /** The budget; undefined if spending is not counted. */
  readonly spending: Spending | undefined;
  readonly clock: Clock;
}

/**
 * Receives posts of watched accounts from the filtered stream, while there are names. Rejects when the connection is lost. X bills each post,
 * so it ends when the budget is used up.
 */
export async function connectStream(options: StreamOptions): Promise<void> {
  const { api, access, url, spending, clock, names, onStatus, onCovered, onChange, onNotification } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const opened = Promise.withResolvers<void>();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const tag = await tagOf(options.stored);
  /** When hints are given again, by their names. */
  const againAtMs = new Map<string, number>();
  let followed: FollowedNames = { namesByRule: new Map(), onlyPolled: [], problem: undefined };

  const watchedNames = async (): Promise<readonly string[]> => {
    const current = await names.current();
    return [...new Set(OF_USERS.flatMap((operation) => current.get(operation) ?? []))];
  };

  function report(): void {
    const covered = [...followed.namesByRule.values()].flat();
    onStatus(statusOf(followed));
    onCovered(new Map(covered.length > 0 ? OF_USERS.map((operation) => [operation, covered]) : []));
  }

  function hint(some: readonly string[]): void {
    const change = (): void => OF_USERS.forEach((operation) => onChange({ operation, names: some }));
    change();
    const key = some.join();
    const isWaiting = againAtMs.has(key);
    againAtMs.set(key, clock.nowMs() + AGAIN_MS);
    if (!isWaiting) repeat(key, change).catch(() => undefined); // it ends with the connection
  }

  /** Gives a hint again, counted from its last change. */
  async function repeat(key: string, change: () => void): Promise<void> {
    for (let leftMs = AGAIN_MS; leftMs > 0; leftMs = (againAtMs.get(key) ?? 0) - clock.nowMs()) await clock.sleep(leftMs, signal);
    againAtMs.delete(key);
    change();
  }

  /** Changes the rules whenever the names change. Resolves without names, when X has no rule of this installation. */
  async function keepRules(first: readonly string[]): Promise<void> {
    await opened.promise;
    report();
    onChange();
    for (let last = first.join(); ;) {
      await names.changed(signal);
      const watched = await watchedNames();
      if (watched.join() === last) continue;
      const before = new Set(followed.namesByRule.keys());
      followed = await followNames(watched, { api, tag, signal });
      if (watched.length === 0) return;
      report();
      const added = [...followed.namesByRule].filter(([id]) => !before.has(id)).flatMap(([, some]) => some);
      if (added.length > 0) hint(added);
      last = watched.join();
    }
  }

  function onLine(text: string): void {
    const line = readStreamLine(text);
    if (!line) return onNotification('malformed');
    if (line.kind === 'end') return fail(new Error(`x ended the stream: ${line.reason}`));
    bill(line.id, { spending, clock }).catch(fail);
    const some = line.rules.flatMap((rule) => (rule.tag === tag ? (followed.namesByRule.get(rule.id) ?? []) : []));
    // All installations with the application share its stream.
    onNotification(some.length > 0 ? 'post' : 'foreign');
    if (some.length > 0) hint(some);
  }

  try {
    await bill(undefined, { spending, clock });
    const first = await watchedNames();
    followed = await followNames(first, { api, tag, signal });
    // Without names, only the rules of an earlier connection had to go.
    if (first.length === 0) return;
    const keep = access.authorized({ ways: WAYS.app, path: PATH, signal }, (authorize) =>
      keepLines({
        platform: 'x',
        url: url + PATH,
        headers: { authorization: authorize({ method: 'GET', url: url + PATH }) },
        mostCharacters: MOST_CHARACTERS,
        silentMs: SILENT_MS,
        faultOf: meaningOf,
        clock,
        signal,
        onOpen: opened.resolve,
        onLine,
      }),
    );
    await Promise.race([failed, keep, keepRules(first)]);
  } finally {
    ended.abort();
  }
}

/** The name of this installation in the tags of its rules. */
async function tagOf(stored: ConnectOptions['stored']): Promise<string> {
  const known = await stored.load();
  if (known !== undefined) return known;
  const tag = `fanfare ${randomBytes(9).toString('base64url')}`;
  await stored.save(tag);
  return tag;
}

/** Books the price of a post, which X bills once a day even if a poll reads it too. Without a post, checks the budget. */
async function bill(id: string | undefined, { spending, clock }: Pick<StreamOptions, 'spending' | 'clock'>): Promise<void> {
  const reserve = await spending?.reserve(PRICES.post);
  const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
  const isNew = id !== undefined && (await spending?.newRows(today, [`post ${id}`])) === 1;
  await reserve?.settle(isNew ? PRICES.post : 0);
}

function statusOf({ namesByRule, onlyPolled, problem }: FollowedNames): NotifierStatus {
  const [first = ''] = onlyPolled;
  const others = onlyPolled.length > 1 ? ' and others' : '';
  const why = problem ?? `X takes no rule for ${first}${others}: it is not a handle, or another installation has this rule`;
  return {
    state: 'connected',
    subscriptions: namesByRule.size,
    onlyPolled: onlyPolled.length,
    ...(onlyPolled.length > 0 && { problem: why }),
  };
}
