import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { PostAnalytics, PostHistory } from '#src/clients/social/records/insight.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { WAYS } from '../auth/access.ts';
import type { Primitives, XApi } from '../client.ts';
import { listOf, oneOf, required } from '../wire/envelope.ts';
import { type Fields, HISTORY_FIELDS } from '../wire/fields.ts';
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
/** The sums, or the steps to add up. */
const Figures = z
  .object({ id: maybe(id), ...figures, timestamped_metrics: rowsOf(Step) })
  .transform(({ timestamped_metrics: steps, ...row }) => {
    const names = Object.keys(figures) as (keyof typeof figures)[]; // the keys of the literal above
    const summed = names.map((name) => [name, row[name] ?? sumOf(steps.map(({ metrics }) => metrics?.[name]))]);
    return { ...row, ...(Object.fromEntries(summed) as Record<keyof typeof figures, number | undefined>) }; // one for each name
  });
const FigureRows = listOf(Figures);

const FIGURES: Fields = [{ 'analytics.fields': ['id', ...Object.keys(figures), 'timestamped_metrics'].join(',') }];

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined;
}

/** The metrics of a post of the account since it was written. */
export function postAnalytics(reader: PostReader, names: UserNames, clock: Clock): Primitives['getPostAnalytics'] {
  const { api } = reader;

  async function readFigures(postId: string, since: Date, signal: AbortSignal | undefined): Promise<z.output<typeof Figures> | undefined> {
    const query = {
      ids: postId,
      // X requires a time span, and the post may be of this second.
      start_time: toSecond(since.getTime() - MINUTE_MS),
      end_time: toSecond(clock.nowMs()),
      granularity: 'total',
    };
    const analytics = api.read(FigureRows, { path: '/2/tweets/analytics', query, fields: FIGURES, ways: WAYS.user, signal });
    // Some plans do not include analytics, and X refuses old posts. The public metrics are always readable.
    const found = await ignoreFaults(analytics, 'forbidden', 'rejected');
    return found?.answer.data.find((row) => row.id === undefined || row.id === postId);
  }

  return async ({ post }, { signal }): Promise<PostAnalytics> => {
    const postId = postIdOf(post);
    const [{ author, counts, createdAt, fetchedAt }, me] = await Promise.all([readPost(reader, postId, signal), names.me(signal)]);
    if (author.id !== me.id) {
      throw new PlatformError('x: only the author of a post can read its statistics.', { platform: 'x', fault: 'forbidden' });
    }
    const row = await readFigures(postId, instantOf(postId) ?? createdAt, signal);
    return {
      postId,
      impressions: row?.impressions ?? counts.impressions,
      engagements: row?.engagements,
      likes: row?.likes ?? counts.likes,
      reposts: row?.retweets ?? counts.reposts,
      replies: row?.replies ?? counts.replies,
      quotes: row?.quote_tweets ?? counts.quotes,
      bookmarks: row?.bookmarks ?? counts.bookmarks,
      profileClicks: row?.user_profile_clicks,
      urlClicks: row?.url_clicks,
      completeness: row ? 'full' : 'public_only',
      fetchedAt,
    };
  };
}

const MINUTE_MS = 60_000;

const OnePost = oneOf(PostRow);

/** The versions of a post. */
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
      // The id of a version contains its time. Some responses give every version the time of the first.
      return [{ text: postText(one, referenceOf(one, 'quoted')).text, createdAt: instantOf(one.id) ?? createdAt, media }];
    });
    return { postId: row.id, versions, complete: versions.length === ids.length };
  };
}
