import type { Notifier } from '#src/clients/operation/notifier.ts';
import { lateModule } from '#src/errors.ts';
import type { JetstreamOptions } from './connect.ts';

/** Only an installation whose rules watch accounts needs it. */
const load = lateModule('Jetstream of Bluesky', () => import('./connect.ts'));

/** Receives the events of Jetstream about posts of accounts. */
export function jetstreamNotifier(parts: Pick<JetstreamOptions, 'actors' | 'url' | 'clock'>): Notifier {
  const lastEvent: JetstreamOptions['lastEvent'] = {};
  return {
    operations: [
      { operation: 'getPosts', parameter: 'user' },
      { operation: 'getUserMedia', parameter: 'user' },
    ],
    connect: async (options) => (await load()).connectJetstream({ ...options, ...parts, lastEvent }),
  };
}
