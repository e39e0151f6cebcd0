import type { CallOptions } from '#src/operation/call.ts';
import type { Account } from '../account.ts';
import { failure } from '../platform.ts';
import { POST } from '../reading/post-views.ts';
import { target } from '../reading/target.ts';
import type { StrongRef } from '../wire/record.ts';

/** What an answer names: the post that it answers, and the one that began the thread. */
export interface ReplyRef {
  readonly root: StrongRef;
  readonly parent: StrongRef;
}

export async function replyTo(account: Account, post: string, options: CallOptions): Promise<ReplyRef> {
  const { uri, cid, record, view } = await target(account, await account.names.placeOf(post, [POST], options.signal), options);
  if (view?.viewer?.replyDisabled) throw failure('forbidden', `whoever began the thread of ${uri} does not let this account answer.`);
  const parent = { uri, cid };
  return { root: record.reply?.root ?? parent, parent };
}

export async function quoteOf(account: Account, post: string, options: CallOptions): Promise<StrongRef> {
  const { uri, cid, view } = await target(account, await account.names.placeOf(post, [POST], options.signal), options);
  if (view?.viewer?.embeddingDisabled) {
    throw failure('forbidden', `the author of ${uri} does not let it be quoted: put its address into the text instead.`);
  }
  return { uri, cid };
}
