import type { Notifier } from '#src/clients/operation/notifier.ts';
import { lateModule } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { StreamingOptions } from './connect.ts';

/** Only an installation whose rules watch what is in a stream needs it. */
const load = lateModule('streaming of Mastodon', () => import('./connect.ts'));

interface StreamingNotifierOptions extends Pick<StreamingOptions, 'context' | 'access' | 'url'> {
  readonly account: string;
  readonly log: Log | undefined;
}

/** Receives the events of the streaming API. */
export function streamingNotifier({ account, log, ...parts }: StreamingNotifierOptions): Notifier {
  let isLogged = false;
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
    async connect(options) {
      const { connectStreaming } = await load();
      const onMalformed = (): void => {
        options.onNotification('malformed');
        if (!isLogged) log?.warn({ account }, 'the streaming API sent a message that is not of Mastodon; it is ignored');
        isLogged = true;
      };
      await connectStreaming({ ...options, ...parts, onMalformed });
    },
  };
}
