import type { Clock } from '#src/clock.ts';
import type { NotificationReceiver } from '#src/clients/operation/notification-request.ts';
import type { ConnectOptions } from '#src/clients/operation/notifier.ts';
import { askHub } from '#src/http/websub/ask-hub.ts';
import { keepTopics } from '#src/http/websub/keep-topics.ts';
import { receiveFromHub } from '#src/http/websub/receive.ts';
import { servedAt, type ServedFeeds } from './feed-reader.ts';
import { fetchFeed } from './fetch-feed.ts';
import { hubOf } from './hub-of.ts';

const OPERATION = 'getItems';

/** Subscribes to the hubs of watched feeds, while rules watch feeds. */
export async function connectWebSub(
  { names, endpoint, onStatus, onChange, signal }: ConnectOptions,
  { clock, ...feeds }: ServedFeeds & { readonly clock: Clock },
): Promise<void> {
  if (!endpoint) throw new TypeError('hubs notify at a public address only');
  const { sandboxUrl, privateOrigins } = feeds;
  // Notifications from before are lost.
  onChange();
  await keepTopics({
    ...endpoint,
    wanted: async () => new Map(((await names.current()).get(OPERATION) ?? []).map((url) => [url, [url]])),
    names,
    async findHub(address, until) {
      const { url, isAllowed } = servedAt(address, feeds);
      const found = await fetchFeed(url, { known: undefined, isAllowed, nowMs: clock.nowMs(), signal: until });
      return found === 'unchanged' ? undefined : hubOf(found);
    },
    askHub: askHub(sandboxUrl === undefined ? privateOrigins : [...privateOrigins, new URL(sandboxUrl).origin]),
    onStatus,
    clock,
    signal,
  });
}

/** Receives the requests of hubs. */
export const receiveWebSub: NotificationReceiver['receive'] = (request, options) =>
  receiveFromHub(request, { ...options, operations: [OPERATION] });

export { admitFromHub as admitWebSub } from '#src/http/websub/receive.ts';
