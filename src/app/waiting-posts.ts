import { openConfig } from '#src/config/open-config.ts';
import type { SentPost } from '#src/engine/posting/posting.ts';
import { toSentPost } from '#src/engine/posting/sent-post.ts';
import { accountsOf } from './accounts.ts';
import { withStoredState } from './stored-state.ts';

/** The posts of people that are not sent yet, the next one first. */
export async function waitingPosts(environment: Readonly<Record<string, string | undefined>>): Promise<readonly SentPost[]> {
  const config = openConfig(environment);
  const known = accountsOf(config)['social']?.all ?? [];
  const found = await withStoredState(config, ({ posts }) => posts.waiting());
  return found.map((one) => toSentPost(one, (account) => known.includes(account)));
}
