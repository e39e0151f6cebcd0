import { z } from 'zod';
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

/** What a status quotes; quotes within quotes have an id only. */
export const QuoteRow = z
  .object({
    state: z.string().nullish(),
    quoted_status: z.object({ id, content: words }).nullish(),
    quoted_status_id: id.nullish(),
  })
  .transform(({ state, quoted_status: status, quoted_status_id: statusId }) => ({
    // What is not known is not for everybody to see.
    state: STATES[state ?? ''] ?? ('unavailable' as const),
    postId: status?.id ?? statusId ?? undefined,
    text: status ? textOfHtml(status.content) : undefined,
  }));
export type QuoteRow = z.output<typeof QuoteRow>;

/** Whether the signed-in account may quote a status. */
export const QuoteApproval = z.object({ current_user: z.string().nullish() }).transform(({ current_user: mine }) => ({
  isDenied: mine === 'denied' || mine === 'unknown',
}));
