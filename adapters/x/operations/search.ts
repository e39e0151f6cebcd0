import type { Clock } from '#src/clock.ts';
import { PlatformError, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import { WAYS } from '../auth/access.ts';
import { openPageBudget, type PageBudget, type XBudgets } from '../budgets.ts';
import { NO_LIST_SEARCH } from '../capabilities.ts';
import type { Primitives } from '../client.ts';
import { MOST_ROWS, readPosts, readUsers, type Readers } from '../pages.ts';
import type { PostRow } from '../wire/post-row.ts';

/** The longest query that X accepts. */
export const LONGEST_QUERY = 512;

/** The number of rows that a search accepts. */
export const SEARCH_ROWS = { least: 10, most: MOST_ROWS } as const;

export const RECENT = '/2/tweets/search/recent';

/** Posts of the last seven days, or users. */
export function search(readers: Readers): Primitives['search'] {
  return async ({ keyword, filter }, options) => {
    switch (filter) {
      case 'People':
        return readUsers(
          readers,
          { path: '/2/users/search', query: { query: keyword }, ways: WAYS.user, cursorName: 'next_token' },
          options,
        );
      case 'Lists':
        throw new UnsupportedParameter({ platform: 'x', operation: 'search', parameter: 'filter', value: filter, ...NO_LIST_SEARCH });
      default: {
        const query = filter === 'Media' ? `(${keyword}) has:media` : keyword;
        if (query.length > LONGEST_QUERY) {
          const message = `search: keyword: X accepts at most ${LONGEST_QUERY} characters, and the query has ${query.length}`;
          throw new ValidationError(message, { path: 'keyword' });
        }
        const order = filter === undefined ? 'relevancy' : 'recency';
        return readPosts(readers, { path: RECENT, query: { query, sort_order: order }, cursorName: 'next_token' }, options);
      }
    }
  };
}

interface Seen {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
}

/** The number of topics that are remembered. */
const MOST_SEEN = 2_000;

/** The topics in annotations of posts. */
interface Annotations {
  note(row: PostRow): void;
  /** Finds a topic by its two numbers or by its name. */
  find(topic: string): Seen | undefined;
}

/** Topics from the annotations of posts that were read, because X does not list topics. */
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
      for (const oldest of seen.keys()) {
        if (seen.size <= MOST_SEEN) break;
        seen.delete(oldest);
      }
    },
    find: (topic) => seen.get(topic) ?? [...seen.values()].findLast(({ name }) => normalized(name) === normalized(topic)),
  };
}

function normalized(topic: string): string {
  return topic.replace(/^#/, '').toLowerCase();
}

interface TopicsOptions {
  readonly readers: Readers;
  readonly known: Annotations;
  readonly budgets: XBudgets | undefined;
  readonly clock: Clock;
}

/** Topics by the two numbers of X, for example `47.1139229372198469633`, or by their names. */
export function topics({ readers, known, budgets, clock }: TopicsOptions): Pick<Primitives, 'getTopic' | 'getTopicPosts'> {
  async function lookUp(topic: string, budget: PageBudget, signal: AbortSignal | undefined): Promise<Seen> {
    // The annotations of the found posts describe the topic.
    const query = isTopicId(topic) ? `context:${topic}` : `entity:"${topic.replaceAll('"', '')}"`;
    const asking = { path: RECENT, query: { query, max_results: SEARCH_ROWS.least }, cursorName: 'next_token' } as const;
    const { items } = await readPosts(readers, asking, { signal });
    budget.pay('post', items.length);
    const found = known.find(topic);
    if (found) return found;
    throw new PlatformError(`x has no topic "${topic}", or no posts about it from the last seven days.`, {
      platform: 'x',
      fault: 'missing',
    });
  }

  return {
    async getTopic({ topic }, { signal }) {
      const budget = (): PageBudget => openPageBudget('getTopic', budgets, { kind: 'post', ...SEARCH_ROWS });
      const { id, name, description } = known.find(topic) ?? (await lookUp(topic, budget(), signal));
      return { platform: 'x', id, kind: 'annotation', name, description, fetchedAt: new Date(clock.nowMs()) };
    },

    async getTopicPosts({ topic, replies }, options) {
      const { least, most } = SEARCH_ROWS;
      const isKnown = isTopicId(topic) || known.find(topic) !== undefined;
      const budget = openPageBudget('getTopicPosts', budgets, { kind: 'post', least: isKnown ? least : 2 * least, most });
      const id = isTopicId(topic) ? topic : (known.find(topic) ?? (await lookUp(topic, budget, options.signal))).id;
      // A topic by its name may need a second request. The budget in USD covers it.
      const rows = budget.rowsOf('post', SEARCH_ROWS) ?? least;
      const query = `context:${id} -is:retweet${replies ? '' : ' -is:reply'}`;
      const asked = { query, sort_order: 'recency', max_results: rows };
      return readPosts(readers, { path: RECENT, query: asked, cursorName: 'next_token' }, options);
    },
  };
}

function isTopicId(topic: string): boolean {
  return /^\d{1,19}\.\d{1,19}$/.test(topic);
}
