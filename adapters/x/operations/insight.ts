import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { PostAnalytics, PostHistory } from '#src/social/records/insight.ts';
import { isFault } from '#src/http/errors.ts';
import { WAYS } from '../auth/access.ts';
import type { Primitives, XApi } from '../client.ts';
import { listOf, oneOf, required } from '../wire/envelope.ts';
import { HISTORY_FIELDS } from '../wire/fields.ts';
import { count, id, instantOf, maybe, rowsOf, toSecond } from '../wire/parts.ts';
import { PostRow, referenceOf } from '../wire/post-row.ts';
import { postText, toPost } from '../wire/post.ts';
import { postIdOf, type PostReader, readPost } from './read-post.ts';
import type { UserNames } from './users.ts';

const figures = {
  impressions: maybe(count),
  engagements: maybe(count),
  likes: maybe(count),
  retweets: maybe(count),
  replies: maybe(count),
  quote_tweets: maybe(count),
  bookmarks: maybe(count),
  url_clicks: maybe(count),
  user_profile_clicks: maybe(count),
};
const Step = z.object({ metrics: maybe(z.object(figures)) });
/** The sums, or the steps that they are the sums of. */
const Figures = z
  .object({ id: maybe(id), ...figures, timestamped_metrics: rowsOf(Step) })
  .transform(({ timestamped_metrics: steps, ...row }) => {
    const names = Object.keys(figures) as (keyof typeof figures)[]; // the names of its own literal
    const summed = names.map((name) => [name, row[name] ?? sumOf(steps.map(({ metrics }) => metrics?.[name]))]);
    return { ...row, ...(Object.fromEntries(summed) as Record<keyof typeof figures, number | undefined>) }; // one for each name
  });
const FigureRows = listOf(Figures);

const FIGURES = ['id', ...Object.keys(figures), 'timestamped_metrics'].join(',');

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined;
}

/** How a post of the account's own does, since it was written. */
export function postAnalytics(reader: PostReader, names: UserNames, clock: Clock): Primitives['getPostAnalytics'] {
  const { api } = reader;

  async function readFigures(postId: string, since: Date, signal: AbortSignal | undefined): Promise<z.output<typeof Figures> | undefined> {
    const query = {
      ids: postId,
      // X wants a span, and a post may be of this second.
      start_time: toSecond(since.getTime() - MINUTE_MS),
      end_time: toSecond(clock.nowMs()),
      granularity: 'total',
      'analytics.fields': FIGURES,
    };
    try {
      const { answer } = await api.read(FigureRows, { path: '/2/tweets/analytics', query, ways: WAYS.user, signal });
      return answer.data.find((row) => row.id === undefined || row.id === postId);
    } catch (error) {
      // Not every plan has them, and everybody may read the rest.
      if (isFault(error, 'forbidden')) return undefined;
      throw error;
    }
  }

  return async ({ post }, { signal }): Promise<PostAnalytics> => {
    const postId = postIdOf(post);
    const [{ author, counts, createdAt, fetchedAt }, me] = await Promise.all([readPost(reader, postId, signal), names.me(signal)]);
    if (author.id !== me.id) {
      throw new PlatformError('x: X tells how a post does to its author only.', { platform: 'x', fault: 'forbidden' });
    }
    const own = await readFigures(postId, instantOf(postId) ?? createdAt, signal);
    return {
      postId,
      impressions: own?.impressions ?? counts.impressions,
      engagements: own?.engagements,
      likes: own?.likes ?? counts.likes,
      reposts: own?.retweets ?? counts.reposts,
      replies: own?.replies ?? counts.replies,
      quotes: own?.quote_tweets ?? counts.quotes,
      bookmarks: own?.bookmarks ?? counts.bookmarks,
      profileClicks: own?.user_profile_clicks,
      urlClicks: own?.url_clicks,
      completeness: own ? 'full' : 'public_only',
      fetchedAt,
    };
  };
}

const MINUTE_MS = 60_000;

const OnePost = oneOf(PostRow);

/** How a post stood before each edit, and how it stands. */
export function postEditHistory(api: XApi): Primitives['postEditHistory'] {
  return async ({ identifier }, { signal }): Promise<PostHistory> => {
    const postId = postIdOf(identifier);
    const { answer, fetchedAt } = await api.read(OnePost, {
      path: '/2/tweets/:id',
      params: { id: postId },
      fields: HISTORY_FIELDS,
      signal,
    });
    const row = required(answer, `post ${postId}`);
    const ids = row.versions.length > 0 ? row.versions : [row.id];
    const known = new Map([...answer.includes.posts, [row.id, row]]);
    const versions = ids.flatMap((version) => {
      const one = known.get(version);
      if (!one) return [];
      const { media, createdAt } = toPost(one, answer.includes, fetchedAt);
      // The time of a version is in its id; some answers give each the time of the first.
      return [{ text: postText(one, referenceOf(one, 'quoted')).text, createdAt: instantOf(one.id) ?? createdAt, media }];
    });
    return { postId: row.id, versions, complete: versions.length === ids.length };
  };
}
