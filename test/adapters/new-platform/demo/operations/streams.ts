import type { Clock } from '#src/clock.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import type { DemoApi } from '../client.ts';
import { LiveStreams, toStream } from '../wire/streams.ts';

type Primitives = Required<StreamingPlatform['operations']>;

export function streams(api: DemoApi, clock: Clock): Primitives['getStreams'] {
  return async ({ users = [] }, { signal }) => {
    const rows = await api.read('/live', LiveStreams, signal);
    const fetchedAt = new Date(clock.nowMs());
    return { items: rows.filter(({ user }) => users.includes(user)).map((row) => toStream(row, fetchedAt)) };
  };
}
