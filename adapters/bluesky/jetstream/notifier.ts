import type { Notifier } from '#src/clients/operation/notifier.ts';
import { lateModule } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { JetstreamOptions } from './connect.ts';

/** Only an installation whose rules watch accounts needs it. */
const load = lateModule('Jetstream of Bluesky', () => import('./connect.ts'));

interface JetstreamNotifierOptions extends Pick<JetstreamOptions, 'actors' | 'url' | 'clock'> {
  readonly account: string;
  readonly log: Log | undefined;
}

/** Receives the events of Jetstream about posts of accounts. */
export function jetstreamNotifier({ account, log, ...parts }: JetstreamNotifierOptions): Notifier {
  const lastEvent: JetstreamOptions['lastEvent'] = {};
  let isLogged = false;
  return {
    operations: [
      { operation: 'getPosts', parameter: 'user' },
      { operation: 'getUserMedia', parameter: 'user' },
    ],
    async connect(options) {
      const { connectJetstream } = await load();
      const onMalformed = (): void => {
        options.onNotification('malformed');
        if (!isLogged) log?.warn({ account }, 'Jetstream sent a message that is not an event; it is ignored');
        isLogged = true;
      };
      await connectJetstream({ ...options, ...parts, lastEvent, onMalformed });
    },
  };
}
