import { z } from 'zod';
import type { Community } from '#src/clients/social/records/discovery.ts';
import type { Primitives, XApi } from '../client.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { COMMUNITY_FIELDS } from '../wire/fields.ts';
import { count, filled, id, instant, maybe } from '../wire/parts.ts';

const CommunityRow = z.object({
  id,
  name: z.string(),
  description: maybe(filled),
  member_count: maybe(count),
  created_at: maybe(instant),
  join_policy: maybe(z.string()),
});
const OneCommunity = oneOf(CommunityRow);

const JOIN_POLICIES: ReadonlyMap<string, Community['joinPolicy']> = new Map([
  ['Open', 'open'],
  ['RestrictedJoinRequestsRequireAdminApproval', 'approval'],
  ['RestrictedJoinRequestsRequireModeratorApproval', 'approval'],
  ['RestrictedJoinRequestsDisabled', 'invitation'],
  ['SuperFollowRequired', 'invitation'],
]);

/** One community. */
export function community(api: XApi): Primitives['getCommunity'] {
  return async ({ community: communityId }, { signal }) => {
    const { answer, fetchedAt } = await api.read(OneCommunity, {
      path: '/2/communities/:id',
      params: { id: communityId },
      query: COMMUNITY_FIELDS,
      signal,
    });
    const row = required(answer, `community ${communityId}`);
    return {
      platform: 'x',
      id: row.id,
      url: `https://x.com/i/communities/${row.id}`,
      name: row.name,
      description: row.description,
      memberCount: row.member_count,
      createdAt: row.created_at,
      joinPolicy: JOIN_POLICIES.get(row.join_policy ?? ''),
      fetchedAt,
    };
  };
}
