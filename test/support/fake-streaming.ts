import type { StreamingClient } from '#src/admin/queries/lookup-clients.ts';
import type { User } from '#src/clients/streaming/records.ts';
import { PlatformError } from '#src/errors.ts';
import { NOW } from './view-records.ts';

/** Streaming accounts that know some people, by platform. An absent list: the platform does not answer. */
export function fakeStreaming(people: Readonly<Record<string, readonly string[] | undefined>>): ReadonlyMap<string, StreamingClient> {
  return new Map(Object.entries(people).map(([platform, handles]) => [platform, clientOf(platform, handles)]));
}

function clientOf(platform: string, handles: readonly string[] | undefined): StreamingClient {
  const client: { readonly platformName: string; getUser(user: string): Promise<User>; search(): Promise<object> } = {
    platformName: platform,
    getUser(user) {
      if (handles === undefined) return Promise.reject(new PlatformError('no answer', { platform, fault: 'unreachable' }));
      const found = handles.find((handle) => handle.toLowerCase() === user);
      if (found === undefined) return Promise.reject(new PlatformError('no such user', { platform, fault: 'missing' }));
      return Promise.resolve(userOf(platform, found));
    },
    search: () => Promise.resolve({ items: (handles ?? []).map((handle) => ({ handle })) }),
  };
  return client as unknown as StreamingClient; // a search for streamers uses only these members
}

function userOf(platform: string, handle: string): User {
  return {
    platform,
    id: `${platform}-${handle}`,
    url: `https://${platform}.test/${handle}`,
    handle,
    displayName: handle,
    avatarUrl: `https://pictures.test/${encodeURIComponent(handle)}.png`,
    verified: 'none',
    fetchedAt: NOW,
  };
}
