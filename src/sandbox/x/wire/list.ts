import type { JsonObject } from '#src/operation/json.ts';
import type { StoredList } from '../../social/lists.ts';
import type { StoredCommunity } from '../../social/communities.ts';
import { communityId, listId } from '../ids/list-ids.ts';
import { userId } from '../ids/user-ids.ts';
import { instant, made, type Makers, type View } from './view.ts';

const listMakers: Makers<StoredList> = {
  id: listId,
  name: ({ name }) => name,
  created_at: ({ createdAtMs }) => instant(createdAtMs),
  description: ({ description }) => description,
  follower_count: () => 0,
  member_count: ({ memberIds }) => memberIds.length,
  owner_id: ({ ownerId }) => userId({ id: ownerId }),
  private: ({ isPrivate }) => isPrivate,
};

const communityMakers: Makers<StoredCommunity> = {
  id: communityId,
  name: ({ name }) => name,
  access: ({ joinPolicy }) => (joinPolicy === 'invitation' ? 'Closed' : 'Public'),
  created_at: ({ createdAtMs }) => instant(createdAtMs),
  description: ({ description }) => description,
  join_policy: ({ joinPolicy }) =>
    ({ open: 'Open', approval: 'RestrictedJoinRequestsRequireModeratorApproval', invitation: 'Closed' })[joinPolicy],
  member_count: ({ roles }) => roles.size,
};

/** A list of accounts with what was asked of it. */
export function toXList(list: StoredList, view: View): JsonObject {
  return made(listMakers, list, { kind: 'list', view, also: view.asked.expansions.has('owner_id') ? ['owner_id'] : [] });
}

export function toXCommunity(community: StoredCommunity, view: View): JsonObject {
  return made(communityMakers, community, { kind: 'community', view });
}
