import { z } from 'zod';
import { maybe } from '#src/http/lenient.ts';
import type { Post } from '#src/social/records/post.ts';
import { textOfHtml } from '../html/plain-text.ts';
import { id, words } from './parts.ts';

type Quoted = NonNullable<Post['quoted']>;

const STATES: Readonly<Record<string, Quoted['state']>> = {
  accepted: 'accepted',
  pending: 'pending',
  blocked_account: 'blocked',
  blocked_domain: 'blocked',
  muted_account: 'blocked',
};

/** What Akkoma says of what it does not know. */
const UNKNOWN_ID = '_';

/** What a status quotes; quotes within quotes have an id only. Akkoma and others before Mastodon give the status itself. */
export const QuoteRow = z
  .object({
    state: z.string().nullish(),
    quoted_status: z.object({ id, content: words }).nullish(),
    quoted_status_id: id.nullish(),
    id: id.nullish(),
    content: words,
  })
  .transform(({ state, quoted_status, quoted_status_id: statusId, id: ownId, content }) => {
    const status = quoted_status ?? (ownId && !state ? { id: ownId, content } : undefined);
    return {
      // What is not known is not for everybody to see.
      state: STATES[state || (status ? 'accepted' : '')] ?? ('unavailable' as const),
      postId: status?.id ?? statusId ?? ownId ?? undefined,
      text: status ? textOfHtml(status.content) : undefined,
    };
  });
export type QuoteRow = z.output<typeof QuoteRow>;

/** The id of what a status quotes, beside it. */
export const QuoteId = maybe(id).transform((quotedId) => (quotedId === UNKNOWN_ID ? '' : quotedId));

/** Whether the signed-in account may quote a status. */
export const QuoteApproval = z.object({ current_user: z.string().nullish() }).transform(({ current_user: mine }) => ({
  isDenied: mine === 'denied' || mine === 'unknown',
}));
