import type { Notifier } from '#src/clients/operation/notifier.ts';
import { lateModule } from '#src/errors.ts';
import type { StreamingOptions } from './connect.ts';

/** Only an installation whose rules watch what is in a stream needs it. */
const load = lateModule('streaming of Mastodon', () => import('./connect.ts'));

/** Receives the events of the streaming API. */
export function streamingNotifier(parts: Pick<StreamingOptions, 'context' | 'access' | 'url'>): Notifier {
  return {
    operations: [
      { operation: 'getHomeTimeline', parameter: 'timelineType' },
      { operation: 'getPosts', parameter: 'user' },
      { operation: 'getUserMedia', parameter: 'user' },
      { operation: 'getMentions' },
      { operation: 'getPostNotifications' },
      { operation: 'getInbox', parameter: 'user', hasOwn: true },
      { operation: 'getListPosts', parameter: 'list' },
      { operation: 'getTopicPosts', parameter: 'topic' },
    ],
    connect: async (options) => (await load()).connectStreaming({ ...options, ...parts }),
  };
}
