import { z } from 'zod';
import type { ConversationThread, Post } from '#src/social/records/post.ts';
import type { Account } from '../account.ts';
import { atUri } from '../at-uri.ts';
import { isFault, type Primitives } from '../platform.ts';
import { readRows, type Source } from '../reading/pages.ts';
import { noPost, POST } from '../reading/post-views.ts';
import { shownOf } from '../wire/parts.ts';
import { PostView, toPost } from '../wire/post.ts';
import { Profile, toUser } from '../wire/profile.ts';

type Responses = Pick<Primitives, 'getPostLikes' | 'getPostReposts' | 'getPostQuotes' | 'getPostComments'>;

/** The deepest that a thread is told. */
const DEPTH = 1000;

/** A post with what was said below it. */
interface Branch {
  readonly post: PostView;
  readonly replies: readonly Branch[];
}
const Branch: z.ZodType<Branch> = z.object({ post: PostView, replies: z.lazy(() => shownOf(Branch)) });
const Thread = z.object({ thread: z.union([Branch, z.looseObject({}).transform(() => undefined)]) });

const Like = z.object({ actor: Profile });

/** What came of a post. */
export function responses(account: Account): Responses {
  const { xrpc, names, now } = account;

  async function of(nsid: string, rows: string, post: string, signal: AbortSignal | undefined): Promise<Source> {
    return { nsid, rows, query: { uri: atUri(await names.placeOf(post, [POST], signal)) } };
  }

  return {
    async getPostLikes({ post }, options) {
      const source = await of('app.bsky.feed.getLikes', 'likes', post, options.signal);
      const { rows, partialErrors, cursor, fetchedAt } = await readRows(account, source, Like, options);
      return { items: rows.map(({ actor }) => toUser(actor, fetchedAt)), partialErrors, cursor };
    },

    async getPostReposts({ post }, options) {
      const source = await of('app.bsky.feed.getRepostedBy', 'repostedBy', post, options.signal);
      const { rows, partialErrors, cursor, fetchedAt } = await readRows(account, source, Profile, options);
      return { items: rows.map((profile) => toUser(profile, fetchedAt)), partialErrors, cursor };
    },

    async getPostQuotes({ post }, options) {
      const source = await of('app.bsky.feed.getQuotes', 'posts', post, options.signal);
      const { rows, partialErrors, cursor, fetchedAt } = await readRows(account, source, PostView, options);
      const authors = new Map(rows.map(({ author }) => [author.did, author]));
      return { items: Array.from(authors.values(), (author) => toUser(author, fetchedAt)), scanned: rows.length, partialErrors, cursor };
    },

    async getPostComments({ post, getHidden }, { signal }) {
      const place = await names.placeOf(post, [POST], signal);
      const query = { uri: atUri(place), depth: DEPTH, parentHeight: 0 };
      const { thread } = await xrpc.query('app.bsky.feed.getPostThread', Thread, query, { signal }).catch((error: unknown) => {
        throw isFault(error, 'missing') ? noPost(place) : error;
      });
      if (!thread) throw noPost(place);
      const telling = { hidden: new Set(thread.post.threadgate?.record?.hiddenReplies), getHidden, fetchedAt: now() };
      const shown = thread.replies.filter((branch) => getHidden || !telling.hidden.has(branch.post.uri));
      return { items: shown.map((branch) => toThread(branch, telling)) };
    },
  };
}

interface Telling {
  readonly hidden: ReadonlySet<string>;
  readonly getHidden: boolean;
  readonly fetchedAt: Date;
}

function toThread(branch: Branch, telling: Telling): ConversationThread {
  const below = answersBelow(branch, telling, 1);
  return {
    id: branch.post.uri,
    root: toAnswer(branch, telling),
    replies: below,
    hiddenCount: hiddenBelow(branch, telling),
  };
}

/** Each answer right after what it answers; what is hidden takes along what is below it. */
function answersBelow({ replies }: Branch, telling: Telling, depth: number): ConversationThread['replies'] {
  return replies
    .filter(({ post }) => telling.getHidden || !telling.hidden.has(post.uri))
    .flatMap((branch) => [{ depth, post: toAnswer(branch, telling) }, ...answersBelow(branch, telling, depth + 1)]);
}

function hiddenBelow({ replies }: Branch, telling: Telling): number {
  return replies.reduce((sum, branch) => sum + (telling.hidden.has(branch.post.uri) ? 1 : 0) + hiddenBelow(branch, telling), 0);
}

function toAnswer({ post }: Branch, { hidden, fetchedAt }: Telling): Post {
  const answer = toPost(post, fetchedAt);
  return hidden.has(post.uri) ? { ...answer, hidden: true } : answer;
}
