import type { Clock } from '#src/clock.ts';
import type { NotificationReceiver } from '#src/clients/operation/notification-request.ts';
import type { ConnectOptions } from '#src/clients/operation/notifier.ts';
import { askHub } from '#src/http/websub/ask-hub.ts';
import { keepTopics } from '#src/http/websub/keep-topics.ts';
import { receiveFromHub } from '#src/http/websub/receive.ts';
import type { Channels } from './operations/channels.ts';

/** The operations whose answers change with the feed of a channel. */
const NOTIFIED = ['getStreams', 'getUserVideos'] as const;

interface YoutubeWebSubOptions {
  readonly siteUrl: string;
  readonly hubUrl: string;
  readonly channels: Pick<Channels, 'idOf'>;
  readonly clock: Clock;
}

/** Subscribes to the feeds of watched channels at the hub of YouTube, while rules watch channels. */
export async function connectWebSub(
  { names, endpoint, onStatus, onChange, signal }: ConnectOptions,
  { siteUrl, hubUrl, channels, clock }: YoutubeWebSubOptions,
): Promise<void> {
  if (!endpoint) throw new TypeError('YouTube notifies at a public address only');

  /** The watched names without a channel: misspelled, renamed or closed. */
  let unknown: readonly string[] = [];

  /** The names of each channel, after its id. */
  async function wanted(): Promise<ReadonlyMap<string, readonly string[]>> {
    const watched = [...new Set([...(await names.current()).values()].flat())];
    const found = await Promise.all(watched.map(async (name) => ({ name, id: await channels.idOf(name, signal) })));
    const known = found.flatMap(({ name, id }) => (id === undefined ? [] : [{ name, id }]));
    unknown = found.flatMap(({ name, id }) => (id === undefined ? [name] : []));
    return new Map([...Map.groupBy(known, ({ id }) => id)].map(([id, some]) => [id, [...new Set([id, ...some.map(({ name }) => name)])]]));
  }

  // Notifications from before are lost.
  onChange();
  await keepTopics({
    ...endpoint,
    wanted,
    names,
    findHub: (id) => Promise.resolve({ hub: hubUrl, topic: `${siteUrl}/feeds/videos.xml?channel_id=${id}` }),
    // A person chose the address of the hub.
    askHub: askHub([new URL(hubUrl).origin]),
    onStatus(status) {
      const problem = `YouTube has no channel ${unknown[0]}${unknown.length > 1 ? ' and others' : ''}`;
      onStatus(unknown.length === 0 ? status : { problem, ...status, onlyPolled: status.onlyPolled + unknown.length });
    },
    clock,
    signal,
  });
}

/** Receives the requests of the hub. */
export const receiveWebSub: NotificationReceiver['receive'] = (request, options) =>
  receiveFromHub(request, { ...options, operations: NOTIFIED });

export { admitFromHub as admitWebSub } from '#src/http/websub/receive.ts';
