import type { Page } from '#src/clients/paging/page.ts';
import { Bot, type StreamingPlatform } from '#src/clients/streaming/bot.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { ManualClock } from './manual-clock.ts';

/** The pages of the platform by upstream cursor; the first one is at `start`. */
export type Upstream = Readonly<Record<string, UpstreamPage>>;

interface UpstreamPage extends Omit<Page<Stream>, 'items'> {
  /** The ids of the streams of the page. */
  readonly ids: readonly string[];
}

export interface PagedBotOptions {
  readonly account?: string;
  /** Called before a page is returned; may throw or delay. */
  readonly onRequest?: (cursor: string, signal: AbortSignal | undefined) => Promise<void> | void;
}

export interface PagedBot {
  readonly bot: Bot;
  readonly clock: ManualClock;
  /** The requested upstream cursors, in order. */
  readonly requests: readonly string[];
}

/** A `Bot` on a platform whose top streams are the pages of `upstream`. */
export function pagedBot(upstream: Upstream, { account = 'demo', onRequest }: PagedBotOptions = {}): PagedBot {
  const requests: string[] = [];
  const clock = new ManualClock();
  const platform: StreamingPlatform = {
    name: 'demo',
    account,
    capabilities: {
      getUser: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      getFollowers: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      sendChatMessage: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      getTeamMembers: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      getSchedule: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      getUserVideos: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      getUserClips: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      getGameVideos: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      getGameClips: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      search: { support: 'unsupported', reason: 'NO_ENDPOINT' },
      getTopStreams: { support: 'native', parameters: { tags: { support: 'composed' } } },
      getTopGames: { support: 'unsupported', reason: 'NO_FEATURE', detail: 'it has no games.', alternatives: ['getTopStreams'] },
      getGameStreams: { support: 'native', parameters: { tags: { support: 'unsupported', reason: 'NO_FEATURE' } } },
      getStreams: { support: 'unsupported', reason: 'NO_ENDPOINT' },
    },
    operations: {
      getTopStreams: (_params, { cursor, signal }) => answer(cursor, signal),
      getGameStreams: (_params, { cursor, signal }) => answer(cursor, signal),
    },
  };
  return { bot: new Bot({ platform, clock }), clock, requests };

  async function answer(cursor = 'start', signal: AbortSignal | undefined): Promise<Page<Stream>> {
    requests.push(cursor);
    await onRequest?.(cursor, signal);
    const { ids, ...page } = upstream[cursor] ?? { ids: [] };
    return { ...page, items: ids.map((id) => toStream(id, new Date(clock.nowMs()))) };
  }
}

/** Pages that follow one another. */
export function chain(...pages: readonly (readonly string[])[]): Upstream {
  const names = pages.map((_, index) => (index === 0 ? 'start' : `p${index + 1}`));
  return Object.fromEntries(pages.map((ids, index) => [names[index], { ids, cursor: names[index + 1] }]));
}

export function idsOf(items: Iterable<{ readonly id: string }>): readonly string[] {
  return Array.from(items, ({ id }) => id);
}

function toStream(id: string, fetchedAt: Date): Stream {
  return {
    platform: 'demo',
    id,
    owner: { platform: 'demo', id: `u-${id}`, handle: `h${id}`, displayName: id },
    title: `Stream ${id}`,
    viewerCount: 1,
    startedAt: new Date('2026-11-20T12:00:00Z'),
    tags: [],
    fetchedAt,
  };
}
