import type { Clock } from '#src/clock.ts';
import type { ConnectOptions } from '#src/clients/operation/notifier.ts';
import { keepWebSocket } from '#src/http/web-socket.ts';
import type { AccountContext } from '../account-context.ts';
import { PLATFORM } from '../errors.ts';
import { FEED_COLLECTIONS, readJetstreamEvent } from './read-event.ts';
import { createRepeatedHints } from './repeated-hints.ts';
import { OF_USERS, statusOf, watchedAccounts } from './watched-accounts.ts';

/** Jetstream leaves out larger events. A post has a few kilobytes. */
const MOST_BYTES = 100_000;
/** Events come in another order now and then, so a connection begins this time before the last event. */
const OVERLAP_US = 5_000_000;
/** Earlier events are not needed, because everything is polled after a gap. */
const LONGEST_REPLAY_US = 5 * 60_000_000;
/** How often the accounts of the names are looked up again. */
const COMPARE_MS = 30 * 60_000;

export interface JetstreamOptions extends ConnectOptions {
  /** Finds the accounts of names. */
  readonly actors: Pick<AccountContext['names'], 'findDid'>;
  /** The address of the WebSocket server. */
  readonly url: string;
  readonly clock: Clock;
  /** The time of the last event of this process, in microseconds. */
  readonly lastEvent: { timeUs?: number | undefined };
}

/**
 * Receives events of Jetstream about the watched accounts, while there are names. Rejects when the connection is lost. It sends the DIDs of
 * the accounts, and no credentials.
 */
export async function connectJetstream(options: JetstreamOptions): Promise<void> {
  const { names, actors, clock, lastEvent, onStatus, onCovered, onChange, onNotification } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const opened = Promise.withResolvers<(text: string) => void>();
  let namesByDid: ReadonlyMap<string, readonly string[]> = new Map();

  function hint(did: string): void {
    const named = namesByDid.get(did);
    if (named) for (const operation of OF_USERS) onChange({ operation, names: named });
  }
  const hintRepeatedly = createRepeatedHints({ hint, clock, signal });

  async function keepSubscribed(send: (text: string) => void): Promise<void> {
    let last: { readonly names: string; readonly atMs: number } | undefined;
    for (;;) {
      const current = await names.current();
      if (current.size === 0) return;
      const text = JSON.stringify([...current]);
      if (last?.names !== text || clock.nowMs() - last.atMs >= COMPARE_MS) {
        const before = namesByDid;
        const watched = await watchedAccounts(current, actors, signal);
        namesByDid = watched.namesByDid;
        const dids = [...namesByDid.keys()];
        // An empty list would mean all accounts of the network. Events of accounts that were watched before are ignored.
        if (dids.length > 0) send(optionsUpdate(dids));
        onStatus(statusOf(watched));
        onCovered(watched.covered);
        if (last === undefined) onChange();
        // Jetstream does not confirm an update, so posts in the meantime need the later hints.
        else for (const did of dids) if (!before.has(did)) hintRepeatedly(did);
        last = { names: text, atMs: clock.nowMs() };
      }
      await names.changed(signal);
    }
  }

  function onMessage(text: string): void {
    const event = readJetstreamEvent(text);
    if (!event) return onNotification('malformed');
    onNotification(event.kind);
    lastEvent.timeUs = Math.max(lastEvent.timeUs ?? 0, Math.min(event.timeUs, clock.nowMs() * 1_000));
    if (event.isAboutFeed && namesByDid.has(event.did)) hintRepeatedly(event.did);
  }

  try {
    await Promise.race([
      keepWebSocket({
        platform: PLATFORM,
        url: addressOf(options),
        mostBytes: 2 * MOST_BYTES,
        clock,
        signal,
        onOpen: opened.resolve,
        onMessage,
      }),
      opened.promise.then((send) => keepSubscribed(send)),
    ]);
  } finally {
    ended.abort();
  }
}

/** Ten thousand DIDs do not fit into an address, so the server waits for the first message. */
function addressOf({ url, lastEvent, clock }: JetstreamOptions): string {
  const nowUs = clock.nowMs() * 1_000;
  const fromUs = Math.max(lastEvent.timeUs ?? nowUs, nowUs - LONGEST_REPLAY_US) - OVERLAP_US;
  const address = new URL(url);
  address.searchParams.set('requireHello', 'true');
  address.searchParams.set('cursor', String(fromUs));
  return address.href;
}

function optionsUpdate(wantedDids: readonly string[]): string {
  const payload = { wantedCollections: FEED_COLLECTIONS, wantedDids, maxMessageSizeBytes: MOST_BYTES };
  return JSON.stringify({ type: 'options_update', payload });
}
