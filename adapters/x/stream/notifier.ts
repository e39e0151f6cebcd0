import type { Notifier } from '#src/clients/operation/notifier.ts';
import { lateModule } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { StreamOptions } from './connect.ts';

/** Only an installation with the stream needs it. */
const load = lateModule('the filtered stream of X', () => import('./connect.ts'));

interface StreamNotifierOptions extends Pick<StreamOptions, 'api' | 'access' | 'url' | 'spending' | 'clock'> {
  readonly account: string;
  readonly log: Log | undefined;
}

/** Receives posts of accounts from the filtered stream. */
export function streamNotifier({ account, log, ...parts }: StreamNotifierOptions): Notifier {
  let isLogged = false;
  return {
    operations: [
      { operation: 'getPosts', parameter: 'user' },
      { operation: 'getUserMedia', parameter: 'user' },
    ],
    async connect(options) {
      const { connectStream } = await load();
      const onMalformed = (): void => {
        options.onNotification('malformed');
        if (!isLogged) log?.warn({ account }, 'the filtered stream sent a line that is not of X; it is ignored');
        isLogged = true;
      };
      await connectStream({ ...options, ...parts, onMalformed });
    },
  };
}
