import { z } from 'zod';
import type { CallOptions } from '#src/operation/call.ts';
import type { Account } from '../account.ts';
import { atUri, type RecordPlace } from '../at-uri.ts';
import { failure } from '../platform.ts';
import { shownOf } from '../wire/parts.ts';
import { PostView } from '../wire/post.ts';
import { batchesOf } from './batches.ts';

const MOST_POSTS = 25;
const Posts = z.object({ posts: shownOf(PostView) });

/** `idempotent: false` asks once only. */
type ReadOptions = CallOptions & { readonly idempotent?: boolean | undefined };

export const POST = 'app.bsky.feed.post';

/** Those of the posts that there are, by their address. */
export async function readPostViews(
  { xrpc }: Account,
  uris: readonly string[],
  options: ReadOptions,
): Promise<ReadonlyMap<string, PostView>> {
  const batches = batchesOf([...new Set(uris)], MOST_POSTS);
  const answers = await Promise.all(batches.map((batch) => xrpc.query('app.bsky.feed.getPosts', Posts, { uris: batch }, options)));
  return new Map(answers.flatMap(({ posts }) => posts).map((view) => [view.uri, view]));
}

/** The post as it is shown; undefined for one that is not, or not yet. */
export async function findPostView(account: Account, place: RecordPlace, options: ReadOptions): Promise<PostView | undefined> {
  const uri = atUri(place);
  return (await readPostViews(account, [uri], options)).get(uri);
}

/** The same; one that is not shown is `missing`. */
export async function requirePostView(account: Account, place: RecordPlace, options: CallOptions): Promise<PostView> {
  const view = await findPostView(account, place, options);
  if (!view) throw noPost(place);
  return view;
}

export function noPost(place: RecordPlace): Error {
  return failure('missing', `there is no post ${atUri(place)}: it was deleted, or its author is gone or has blocked this account.`);
}
