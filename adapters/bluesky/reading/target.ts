import type { CallOptions } from '#src/operation/call.ts';
import type { Account } from '../account.ts';
import { atUri, type RecordPlace } from '../at-uri.ts';
import { isFault } from '../platform.ts';
import type { PostView } from '../wire/post.ts';
import { PostRecord } from '../wire/record.ts';
import { findPostView, noPost } from './post-views.ts';

/** A post that another record names. */
export interface Target {
  readonly uri: string;
  readonly cid: string;
  readonly record: PostRecord;
  /** As the account sees it, once it is shown. */
  readonly view: PostView | undefined;
}

/** The post at `place`, also where it is not shown yet, or where there is nobody to show it. */
export async function target(account: Account, place: RecordPlace, options: CallOptions): Promise<Target> {
  const view = await findPostView(account, place, options).catch((error: unknown) => {
    // The server of the account may know the record all the same.
    if (!isFault(error, 'unavailable')) throw error;
    return undefined;
  });
  if (view) return { uri: view.uri, cid: view.cid, record: view.record, view };
  const stored = await account.repo.find(place, options);
  if (stored?.cid === undefined) throw noPost(place);
  return { uri: atUri(place), cid: stored.cid, record: PostRecord.parse(stored.value), view: undefined };
}
