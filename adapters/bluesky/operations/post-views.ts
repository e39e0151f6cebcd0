import { z } from 'zod';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { isFault } from '#src/http/errors.ts';
import { batchesOf } from '#src/http/batches.ts';
import type { AccountContext } from '../account-context.ts';
import { atUri, type RecordAddress } from '../addresses.ts';
import { failure } from '../errors.ts';
import { shownOf } from '../wire/parts.ts';
import { PostRecord, PostView } from '../wire/post.ts';

const MOST_POSTS = 25;
const Posts = z.object({ posts: shownOf(PostView) });

/** `idempotent: false` asks once only. */
type ReadOptions = CallOptions & { readonly idempotent?: boolean | undefined };

/** Those of the posts that there are, by their address. */
export async function readPostViews(
  { xrpc }: AccountContext,
  uris: readonly string[],
  options: ReadOptions,
): Promise<ReadonlyMap<string, PostView>> {
  const batches = batchesOf([...new Set(uris)], MOST_POSTS);
  const answers = await Promise.all(batches.map((batch) => xrpc.query('app.bsky.feed.getPosts', Posts, { uris: batch }, options)));
  return new Map(answers.flatMap(({ posts }) => posts).map((view) => [view.uri, view]));
}

/** The view of a post; undefined if the AppView does not show it, or not yet. */
export async function findPostView(account: AccountContext, address: RecordAddress, options: ReadOptions): Promise<PostView | undefined> {
  const uri = atUri(address);
  return (await readPostViews(account, [uri], options)).get(uri);
}

/** The same; one that is not shown is `missing`. */
export async function requirePostView(account: AccountContext, address: RecordAddress, options: CallOptions): Promise<PostView> {
  const view = await findPostView(account, address, options);
  if (!view) throw noPost(address);
  return view;
}

export function noPost(address: RecordAddress): Error {
  return failure('missing', `there is no post ${atUri(address)}: it was deleted, or its author is gone or has blocked this account.`);
}

/** A post that another record names. */
interface Target {
  readonly uri: string;
  readonly cid: string;
  readonly record: PostRecord;
  /** As the account sees it, once it is shown. */
  readonly view: PostView | undefined;
}

/** The post at an address, even before the AppView shows it, or without an AppView. */
export async function target(account: AccountContext, address: RecordAddress, options: CallOptions): Promise<Target> {
  const view = await findPostView(account, address, options).catch((error: unknown) => {
    // The server of the account may know the record all the same.
    if (!isFault(error, 'unavailable')) throw error;
    return undefined;
  });
  if (view) return { uri: view.uri, cid: view.cid, record: view.record, view };
  const stored = await account.repo.find(address, options);
  if (stored?.cid === undefined) throw noPost(address);
  return { uri: atUri(address), cid: stored.cid, record: PostRecord.parse(stored.value), view: undefined };
}
