import { z } from 'zod';
import { maybe } from '#src/http/lenient.ts';
import type { Poll } from '#src/social/records/post.ts';
import { countIfAny, flag, id, instantIfAny } from './parts.ts';

/** Some polls of other servers are open for good. */
const NEVER_ENDS = new Date('9999-12-31T00:00:00Z');

/** A poll, and what the signed-in account chose. */
export const PollRow = z
  .object({
    // GoToSocial gives an empty id in the history of a status.
    id: maybe(id),
    expires_at: instantIfAny,
    expired: flag,
    multiple: flag,
    votes_count: countIfAny,
    voters_count: countIfAny,
    voted: flag,
    own_votes: z.array(z.int()).nullish(),
    options: z.array(z.object({ title: z.string(), votes_count: countIfAny })),
  })
  .transform((wire) => ({
    voted: wire.voted,
    ownVotes: wire.own_votes ?? [],
    poll: {
      id: wire.id,
      options: wire.options.map(({ title, votes_count }, index) => ({ index, label: title, votes: votes_count })),
      totalVotes: wire.votes_count,
      voters: wire.voters_count,
      endsAt: wire.expires_at ?? NEVER_ENDS,
      closed: wire.expired,
      multiple: wire.multiple,
    } satisfies Poll,
  }));
export type PollRow = z.output<typeof PollRow>;
