import type { ConnectOptions } from '#src/clients/operation/notifier.ts';
import { PlatformError } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import type { BoundShard, EventSubApi } from './api.ts';

/** The number of the shard whose holder keeps the subscriptions. */
export const FIRST_SHARD = 0;
/** The number of the shard that another process holds, if there is one. */
export const SUBSTITUTE_SHARD = 1;

export interface BindOptions extends Pick<ConnectOptions, 'stored'> {
  readonly api: EventSubApi;
  readonly clientId: string;
  /** The number of the shard. */
  readonly number: number;
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

/**
 * Binds a shard of the conduit of this installation to a session. The holder of the first shard creates a missing conduit; it throws
 * `quotaExhausted` if the app has no conduit left.
 */
export async function bindShard(options: BindOptions): Promise<BoundShard> {
  const { stored, api, clientId, number, sessionId, signal } = options;
  // A conduit has no name, so only a stored id shows that a conduit belongs to this installation.
  const [owner, known] = (await stored.load())?.split(' ') ?? [];
  const conduitId = owner === clientId ? known : undefined;
  if (number !== FIRST_SHARD) {
    if (conduitId === undefined) throw new Error('the conduit does not exist yet');
    const shard = { conduitId, number, sessionId };
    await api.resize(conduitId, number + 1, signal);
    await api.bind(shard, signal);
    await api.watchShards(conduitId, signal);
    return shard;
  }
  if (conduitId !== undefined) {
    try {
      const shard = { conduitId, number, sessionId };
      await api.bind(shard, signal);
      return shard;
    } catch (error) {
      if (!isFault(error, 'missing')) throw error;
    }
  }
  return bindNew(options);
}

async function bindNew({ stored, api, clientId, number, sessionId, signal }: BindOptions): Promise<BoundShard> {
  const conduitId = await api.createConduit(signal).catch((error: unknown) => {
    // A refusal because of too many requests has a time.
    if (!isFault(error, 'rateLimited') || error.retryAt) throw error;
    throw new PlatformError(NO_CONDUIT, { platform: 'twitch', fault: 'quotaExhausted', cause: error });
  });
  await stored.save(`${clientId} ${conduitId}`);
  const shard = { conduitId, number, sessionId };
  await api.bind(shard, signal);
  return shard;
}

const NO_CONDUIT = 'the client id has no conduit left; Twitch allows five, and deletes one that was not connected for 72 hours';
