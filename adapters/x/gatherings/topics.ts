import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Primitives } from '../api.ts';
import { purseFor, type Purse, type XBudgets } from '../budgets.ts';
import { readPosts, type Readers } from '../pages.ts';
import { SEARCH_ROWS } from '../posts/comments.ts';
import { RECENT } from '../search.ts';
import type { PostRow } from '../wire/post-row.ts';

interface Seen {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
}

/** The most topics that are remembered. */
const MOST_SEEN = 2_000;

/** What X says that posts are about. */
export interface Annotations {
  note(row: PostRow): void;
  /** By its two numbers, or by its name. */
  find(topic: string): Seen | undefined;
}

/** What was said of posts that were read: X lists its topics nowhere. */
export function annotations(): Annotations {
  const seen = new Map<string, Seen>();
  return {
    note({ context_annotations: found }) {
      for (const { domain, entity } of found) {
        if (domain.id === undefined || entity.id === undefined) continue;
        const topicId = `${domain.id}.${entity.id}`;
        seen.delete(topicId);
        seen.set(topicId, { id: topicId, name: entity.name ?? topicId, description: entity.description ?? domain.name });
      }
      for (const oldest of [...seen.keys()].slice(0, Math.max(0, seen.size - MOST_SEEN))) seen.delete(oldest);
    },
    find: (topic) => seen.get(topic) ?? [...seen.values()].findLast(({ name }) => nameOf(name) === nameOf(topic)),
  };
}

function nameOf(topic: string): string {
  return topic.replace(/^#/, '').toLowerCase();
}

export interface TopicsOptions {
  readonly readers: Readers;
  readonly known: Annotations;
  readonly budgets: XBudgets | undefined;
  readonly clock: Clock;
}

/** Topics by the two numbers that X gives them, as `47.1139229372198469633`, or by their names. */
export function topics({ readers, known, budgets, clock }: TopicsOptions): Pick<Primitives, 'getTopic' | 'getTopicPosts'> {
  async function look(topic: string, purse: Purse, signal: AbortSignal | undefined): Promise<Seen> {
    // What X says of the posts that it finds tells the rest.
    const query = isId(topic) ? `context:${topic}` : `entity:"${topic.replaceAll('"', '')}"`;
    const asking = { path: RECENT, query: { query, max_results: SEARCH_ROWS.least }, cursorName: 'next_token' } as const;
    const { items } = await readPosts(readers, asking, { signal });
    purse.pay('post', items.length);
    const found = known.find(topic);
    if (found) return found;
    throw new PlatformError(`x knows no topic "${topic}", or nobody wrote about it for seven days.`, { platform: 'x', fault: 'missing' });
  }

  return {
    async getTopic({ topic }, { signal }) {
      const purse = (): Purse => purseFor('getTopic', budgets, { kind: 'post', ...SEARCH_ROWS });
      const { id, name, description } = known.find(topic) ?? (await look(topic, purse(), signal));
      return { platform: 'x', id, kind: 'annotation', name, description, fetchedAt: new Date(clock.nowMs()) };
    },

    async getTopicPosts({ topic, replies }, options) {
      const { least, most } = SEARCH_ROWS;
      const isKnown = isId(topic) || known.find(topic) !== undefined;
      const purse = purseFor('getTopicPosts', budgets, { kind: 'post', least: isKnown ? least : 2 * least, most });
      const id = isId(topic) ? topic : (known.find(topic) ?? (await look(topic, purse, options.signal))).id;
      // A budget of one request is stretched for a topic by its name; the money is there.
      const rows = purse.rowsOf('post', SEARCH_ROWS) ?? least;
      const query = `context:${id} -is:retweet${replies ? '' : ' -is:reply'}`;
      const asked = { query, sort_order: 'recency', max_results: rows };
      return readPosts(readers, { path: RECENT, query: asked, cursorName: 'next_token' }, options);
    },
  };
}

function isId(topic: string): boolean {
  return /^\d{1,19}\.\d{1,19}$/.test(topic);
}
