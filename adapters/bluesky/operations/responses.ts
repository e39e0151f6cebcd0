import { z } from 'zod';
import type { ConversationThread, Post } from '#src/clients/social/records/post.ts';
import { isFault } from '#src/http/errors.ts';
import type { AccountContext } from '../account-context.ts';
import { atUri } from '../addresses.ts';
import { type Primitives } from '../errors.ts';
import { readPage, readRows, readUsers, type Source } from '../pages.ts';
import { shownOf } from '../wire/parts.ts';
import { PostView, toPost } from '../wire/post.ts';
import { Profile, toUser } from '../wire/profile.ts';
import { noPost, requirePostView } from './post-views.ts';

type Responses = Pick<Primitives, 'getPostLikes' | 'getPostReposts' | 'getPostQuotes' | 'getPostComments'>;

/** The greatest depth of a thread. */
const DEPTH = 1000;

/** A post and its replies. */
interface Branch {
  readonly post: PostView;
  readonly replies: readonly Branch[];
}
const Branch: z.ZodType<Branch> = z.object({ post: PostView, replies: z.lazy(() => shownOf(Branch)) });
const Thread = z.object({ thread: z.union([Branch, z.looseObject({}).transform(() => undefined)]) });

const Like = z.object({ actor: Profile });

/** Likes, reposts, quotes and replies of a post. */
export function responses(account: AccountContext): Responses {
  const { xrpc, names, now } = account;

  async function sourceFor(nsid: string, rows: string, post: string, signal: AbortSignal | undefined): Promise<Source> {
    return { nsid, rows, query: { uri: atUri(await names.postOf(post, signal)) } };
  }

  return {
    async getPostLikes({ post }, options) {
      const source = await sourceFor('app.bsky.feed.getLikes', 'likes', post, options.signal);
      return readPage(account, source, Like, ({ actor }, fetchedAt) => toUser(actor, fetchedAt), options);
    },

    async getPostReposts({ post }, options) {
      return readUsers(account, await sourceFor('app.bsky.feed.getRepostedBy', 'repostedBy', post, options.signal), options);
    },

    async getPostQuotes({ post }, options) {
      const source = await sourceFor('app.bsky.feed.getQuotes', 'posts', post, options.signal);
      const { rows, partialErrors, cursor, fetchedAt } = await readRows(account, source, PostView, options);
      const authors = new Map(rows.map(({ author }) => [author.did, author]));
      return { items: Array.from(authors.values(), (author) => toUser(author, fetchedAt)), scanned: rows.length, partialErrors, cursor };
    },

    async getPostComments({ post, getHidden }, { signal }) {
      const address = await names.postOf(post, signal);
      const query = { uri: atUri(address), depth: DEPTH, parentHeight: 0 };
      const { thread } = await xrpc.query('app.bsky.feed.getPostThread', Thread, query, { signal }).catch((error: unknown) => {
        throw isFault(error, 'missing') ? noPost(address) : error;
      });
      if (!thread) throw noPost(address);
      const options = { hidden: new Set(thread.post.threadgate?.hiddenReplies), getHidden, fetchedAt: now() };
      const shown = thread.replies.filter((branch) => getHidden || !options.hidden.has(branch.post.uri));
      return { items: shown.map((branch) => toThread(branch, options)) };
    },
  };
}

interface ThreadOptions {
  readonly hidden: ReadonlySet<string>;
  readonly getHidden: boolean;
  readonly fetchedAt: Date;
}

function toThread(branch: Branch, options: ThreadOptions): ConversationThread {
  const below = repliesBelow(branch, options, 1);
  return {
    id: branch.post.uri,
    root: toReply(branch, options),
    replies: below,
    hiddenCount: hiddenBelow(branch, options),
  };
}

/** Each reply follows its parent. A hidden reply hides the replies below it. */
function repliesBelow({ replies }: Branch, options: ThreadOptions, depth: number): ConversationThread['replies'] {
  return replies
    .filter(({ post }) => options.getHidden || !options.hidden.has(post.uri))
    .flatMap((branch) => [{ depth, post: toReply(branch, options) }, ...repliesBelow(branch, options, depth + 1)]);
}

function hiddenBelow({ replies }: Branch, options: ThreadOptions): number {
  return replies.reduce((sum, branch) => sum + (options.hidden.has(branch.post.uri) ? 1 : 0) + hiddenBelow(branch, options), 0);
}

function toReply({ post }: Branch, { hidden, fetchedAt }: ThreadOptions): Post {
  const answer = toPost(post, fetchedAt);
  return hidden.has(post.uri) ? { ...answer, hidden: true } : answer;
}

/** Counts and versions of posts. */
export function insight(account: AccountContext): Pick<Primitives, 'getPostAnalytics' | 'postEditHistory'> {
  const { names, now } = account;

  return {
    async getPostAnalytics({ post }, { signal }) {
      const view = await requirePostView(account, await names.postOf(post, signal), { signal });
      const { id, counts, fetchedAt } = toPost(view, now());
      const { likes, reposts, replies, quotes, bookmarks } = counts;
      return { postId: id, likes, reposts, replies, quotes, bookmarks, completeness: 'public_only', fetchedAt };
    },

    async postEditHistory({ identifier }, { signal }) {
      const view = await requirePostView(account, await names.postOf(identifier, signal), { signal });
      const { id, text, createdAt, media } = toPost(view, now());
      return { postId: id, versions: [{ text, createdAt, media }], complete: true };
    },
  };
}
