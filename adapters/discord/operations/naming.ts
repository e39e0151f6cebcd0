import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ChatPlatform } from '#src/clients/chat/chat.ts';
import type { Thread } from '#src/clients/chat/records.ts';
import { Postponed } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import { codeOf, CODES } from '../errors.ts';
import type { Server } from '../server.ts';
import { toThread } from '../wire/message.ts';
import { opening, refinding } from './retry-on-gone.ts';

const Named = z.object({ id: z.string(), name: z.string() });

/** Discord allows two renames of a channel in this time. */
const WINDOW_MS = 10 * 60_000;
const MOST_RENAMES = 2;

type Operations = Required<Pick<ChatPlatform['operations'], 'editChannel' | 'editThread'>>;

/** Names of channels and threads. */
export function naming(server: Server): { readonly operations: Operations } {
  const { api, guildId, channels, clock } = server;
  const renamedMs = new Map<string, readonly number[]>();
  const blockedUntilMs = new Map<string, number>();
  /** The renames of a channel in the order of their first attempts. A newer one overtakes an older one. */
  const wanted = new Map<string, readonly string[]>();

  /** Whether a newer rename of the channel began. */
  function isOvertaken(channelId: string, key: string): boolean {
    const keys = wanted.get(channelId) ?? [];
    if (!keys.includes(key)) wanted.set(channelId, [...keys, key].slice(-MOST_REMEMBERED));
    return keys.includes(key) && keys.at(-1) !== key;
  }

  /** When the next rename is allowed. */
  function freeMs(channelId: string): number {
    const recent = (renamedMs.get(channelId) ?? []).filter((ms) => ms + WINDOW_MS > clock.nowMs());
    renamedMs.set(channelId, recent);
    const [oldest = 0] = recent.slice(-MOST_RENAMES);
    return Math.max(blockedUntilMs.get(channelId) ?? 0, recent.length < MOST_RENAMES ? 0 : oldest + WINDOW_MS);
  }

  async function rename(
    channelId: string,
    { name, key }: { readonly name: string; readonly key: string },
    signal?: AbortSignal,
  ): Promise<Thread> {
    const path = `/channels/${channelId}` as const;
    const current = await api({ method: 'GET', path, answer: Named, signal });
    if (isOvertaken(channelId, key) || sameName(current.name, name)) return toThread(current, guildId);
    const until = freeMs(channelId);
    if (until > clock.nowMs()) throw postponed(until);
    try {
      const renamed = await api({ method: 'PATCH', path, body: { name }, answer: Named, signal });
      renamedMs.set(channelId, [...(renamedMs.get(channelId) ?? []), clock.nowMs()]);
      // The name of the channel in the cache is old.
      channels.forget();
      return toThread(renamed, guildId);
    } catch (error) {
      if (!isFault(error, 'rateLimited')) throw error;
      const untilMs = Math.max(error.retryAt?.getTime() ?? 0, clock.nowMs() + 1_000);
      blockedUntilMs.set(channelId, untilMs);
      throw postponed(untilMs, error);
    }
  }

  return {
    operations: {
      editChannel: ({ channel, name }, { key = randomUUID(), signal }) =>
        refinding(
          channels,
          () => channels.forMessage(channel, { signal }),
          ({ id }) => rename(id, { name, key }, signal),
        ),

      async editThread({ thread, ...change }, { signal }) {
        const { id } = await channels.forMessage(thread, { signal });
        const path = `/channels/${id}` as const;
        const edit = () => api({ method: 'PATCH', path, body: change, answer: Named, signal });
        const changed = onlyArchives(change)
          ? await edit().catch((error: unknown) => {
              // It is archived already.
              if (codeOf(error) !== CODES.archived) throw error;
              return api({ method: 'GET', path, answer: Named, signal });
            })
          : await opening(server, id, edit, signal);
        channels.forget();
        return toThread(changed, guildId);
      },
    },
  };
}

const MOST_REMEMBERED = 100;

function onlyArchives({ name, archived, locked }: Omit<Parameters<Operations['editThread']>[0], 'thread'>): boolean {
  return archived === true && name === undefined && locked === undefined;
}

function postponed(untilMs: number, cause?: unknown): Postponed {
  return new Postponed('Discord allows two renames of a channel in ten minutes', { until: new Date(untilMs), cause });
}

/** Discord writes the names of text channels in lower case, with dashes. */
function sameName(one: string, other: string): boolean {
  const plain = (name: string): string =>
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/gu, '-');
  return plain(one) === plain(other);
}
