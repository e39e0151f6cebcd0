import { z } from 'zod';
import { flag, id } from './parts.ts';

/** How the signed-in account stands to somebody. */
export const RelationshipRow = z
  .object({ id, following: flag, requested: flag, notifying: flag, followed_by: flag, blocking: flag, blocked_by: flag })
  .transform(({ id: accountId, following, requested, notifying, followed_by, blocking, blocked_by }) => ({
    id: accountId,
    requested,
    blockedBy: blocked_by,
    viewer: { following, followedBy: followed_by, blocking, notifying },
  }));
export type RelationshipRow = z.output<typeof RelationshipRow>;
