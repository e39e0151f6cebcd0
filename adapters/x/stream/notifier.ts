import type { Notifier } from '#src/clients/operation/notifier.ts';
import { lateModule } from '#src/errors.ts';
import type { StreamOptions } from './connect.ts';

/** Only an installation with the stream needs it. */
const load = lateModule('the filtered stream of X', () => import('./connect.ts'));

/** Receives posts of accounts from the filtered stream. */
export function streamNotifier(parts: Pick<StreamOptions, 'api' | 'access' | 'url' | 'spending' | 'clock'>): Notifier {
  return {
    operations: [
      { operation: 'getPosts', parameter: 'user' },
      { operation: 'getUserMedia', parameter: 'user' },
    ],
    connect: async (options) => (await load()).connectStream({ ...options, ...parts }),
  };
}
