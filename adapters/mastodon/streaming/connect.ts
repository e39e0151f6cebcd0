import type { Change, ConnectOptions, NamesByOperation, NotifierStatus } from '#src/clients/operation/notifier.ts';
import { PlatformError } from '#src/errors.ts';
import { keepWebSocket } from '#src/http/web-socket.ts';
import type { AccountContext } from '../account-context.ts';
import type { Access } from '../auth/access.ts';
import { PLATFORM } from '../wire/parts.ts';
import { createChanges, KNOWN_EVENTS } from './changes.ts';
import { readStreamMessage } from './read-message.ts';
import { watchedStreams, type WatchedStreams } from './streams.ts';

/** A post with its author, its boosted post and their pictures. */
const MOST_BYTES = 2_000_000;
/** Servers do not confirm subscriptions, so the poll after a subscription waits until it works. */
const SETTLE_MS = 2_000;
/** How often the followed accounts are read again. */
const COMPARE_MS = 30 * 60_000;
/** Characters that a subprotocol may have. */
const SUBPROTOCOL = /^[\w.~-]+$/u;

const NOTHING: WatchedStreams = {
  streams: new Map(),
  covered: new Map(),
  unfollowed: [],
  usersById: new Map(),
  lists: new Map(),
  tags: new Map(),
};

export interface StreamingOptions extends ConnectOptions {
  readonly context: Pick<AccountContext, 'api' | 'accounts' | 'instances' | 'clock'>;
  readonly access: Pick<Access, 'token'>;
  /** The address of the server. */
  readonly url: string;
}

type Send = (text: string) => void;

/**
 * Receives events of the streaming API over one connection with a subscription for each stream that rules watch, while there are names.
 * Rejects when the connection is lost. Events are hints: no text of a post is read.
 */
export async function connectStreaming(options: StreamingOptions): Promise<void> {
  const { context, access, names, onStatus, onCovered, onChange, onNotification } = options;
  const { clock } = context;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const changesOf = createChanges();
  const opened = Promise.withResolvers<Send>();
  let watched = NOTHING;
  let refusal: string | undefined;

  function report(): void {
    onStatus(statusOf(watched, refusal));
    onCovered(refusal === undefined ? watched.covered : withoutParameters(watched.covered));
  }

  async function keepSubscribed(send: Send): Promise<void> {
    let last: { readonly names: string; readonly atMs: number } | undefined;
    for (;;) {
      const current = await names.current();
      if (current.size === 0) return;
      const text = JSON.stringify([...current]);
      if (last?.names !== text || clock.nowMs() - last.atMs >= COMPARE_MS) {
        const before = watched;
        watched = await watchedStreams(current, context, signal);
        subscribe(before, watched, send);
        report();
        void settled(last === undefined ? undefined : addedTo(watched.covered, before.covered));
        last = { names: text, atMs: clock.nowMs() };
      }
      await names.changed(signal);
    }
  }

  /** Names that are new in the streams, or all names after a gap, may have changed before. */
  async function settled(added: readonly Change[] | undefined): Promise<void> {
    await clock.sleep(SETTLE_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!added) onChange();
    else for (const change of added) onChange(change);
  }

  function onMessage(text: string): void {
    const message = readStreamMessage(text);
    if (!message) return onNotification('malformed');
    if (message.kind === 'refusal') {
      refusal ??= message.message.slice(0, 200);
      return report();
    }
    onNotification(KNOWN_EVENTS.has(message.event) ? message.event : 'other');
    for (const change of changesOf(message, watched)) if (change.names?.length !== 0) onChange(change);
  }

  const address = await streamingAddress(options, signal);
  const token = await access.token();
  const socket = {
    platform: PLATFORM,
    url: address,
    headers: { authorization: `Bearer ${token}` },
    // Pleroma reads the token from here.
    protocols: SUBPROTOCOL.test(token) ? [token] : [],
    mostBytes: MOST_BYTES,
  };
  try {
    await Promise.race([
      keepWebSocket({ ...socket, clock, signal, onOpen: opened.resolve, onMessage }),
      opened.promise.then((send) => keepSubscribed(send)),
    ]);
  } finally {
    ended.abort();
  }
}

/** The address that the server states; without one, the server itself may offer streaming. */
async function streamingAddress({ context, url }: Pick<StreamingOptions, 'context' | 'url'>, signal: AbortSignal): Promise<string> {
  const { streamingUrl } = await context.instances.current(signal);
  const address = URL.parse(`${(streamingUrl ?? url).replace(/^http/u, 'ws').replace(/\/+$/u, '')}/api/v1/streaming`);
  const isSecure = url.startsWith('https:');
  // The token must not leave over a connection without TLS.
  if (address && (address.protocol === 'wss:' || (address.protocol === 'ws:' && !isSecure))) return address.href;
  throw new PlatformError(`${PLATFORM} states no usable address for streaming`, { platform: PLATFORM, fault: 'missing' });
}

function subscribe(before: WatchedStreams, after: WatchedStreams, send: Send): void {
  for (const [name, stream] of after.streams) if (!before.streams.has(name)) send(JSON.stringify({ type: 'subscribe', ...stream }));
  for (const [name, stream] of before.streams) if (!after.streams.has(name)) send(JSON.stringify({ type: 'unsubscribe', ...stream }));
}

function addedTo(after: NamesByOperation, before: NamesByOperation): readonly Change[] {
  return [...after].flatMap(([operation, names]) => {
    const added = names.filter((name) => before.get(operation)?.includes(name) !== true);
    return added.length > 0 ? [{ operation, names: added }] : [];
  });
}

/** A refusal does not name its stream. Only lists and hashtags can be missing or refused. */
function withoutParameters(covered: NamesByOperation): NamesByOperation {
  return new Map([...covered].filter(([operation]) => operation !== 'getListPosts' && operation !== 'getTopicPosts'));
}

function statusOf({ streams, unfollowed, lists, tags }: WatchedStreams, refusal: string | undefined): NotifierStatus {
  const onlyPolled = unfollowed.length + (refusal === undefined ? 0 : lists.size + tags.size);
  const [first = ''] = unfollowed;
  const others = unfollowed.length > 1 ? ' and others' : '';
  const problem =
    refusal === undefined
      ? `the account does not follow ${first}${others}, and Mastodon notifies about posts of followed accounts only`
      : `the server refuses a subscription to a list or a hashtag: ${refusal}`;
  return { state: 'connected', subscriptions: streams.size, onlyPolled, ...(onlyPolled > 0 && { problem }) };
}
