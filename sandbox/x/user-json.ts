import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredCommunity } from '../social/communities.ts';
import type { StoredList } from '../social/lists.ts';
import { postsOf, toUser } from '../social/records.ts';
import { pictureAddresses } from '../twitch/pictures.ts';
import type { WorldPerson } from '../world/world.ts';
import { communityId, listId, postId, userId } from './ids.ts';
import { instant, made, type Makers, type View } from './post-json.ts';
import { wireText } from './text.ts';

const makers: Makers<WorldPerson> = {
  id: userId,
  name: ({ displayName }) => displayName,
  username: ({ handle }) => handle,
  connection_status: (person, view) => connectionOf(person, view),
  created_at: ({ createdAt }) => instant(createdAt.getTime()),
  description: ({ bio }) => bio,
  entities: ({ bio }, { snapshot }) => {
    const { entities } = wireText(bio, snapshot.people);
    return entities && { description: entities };
  },
  most_recent_tweet_id: (person, { snapshot }) => {
    const [latest] = postsOf(person, snapshot);
    return latest && postId(latest);
  },
  pinned_tweet_id: (person, { snapshot }) => {
    const post = snapshot.feed.find(toUser(person, snapshot).pinnedPostIds?.[0] ?? '');
    return post && postId(post);
  },
  profile_banner_url: ({ id }, { snapshot }) => pictureAddresses(`${snapshot.url}/pictures`).offline(id),
  profile_image_url: ({ id }, { snapshot }) => pictureAddresses(`${snapshot.url}/pictures`).avatar(id),
  protected: ({ id }, { snapshot }) => snapshot.people.isProtected(id),
  public_metrics: (person, { snapshot }) => {
    const { followerCount = 0, followingCount = 0, postCount = 0 } = toUser(person, snapshot);
    return {
      followers_count: followerCount,
      following_count: followingCount,
      tweet_count: postCount,
      listed_count: 0,
      like_count: snapshot.reactions.by('like', person.id).length,
      media_count: postsOf(person, snapshot).filter(({ media }) => media.length > 0).length,
    };
  },
  receives_your_dm: (person, { viewer, snapshot }) => viewer && !snapshot.relations.parted(viewer.id, person.id),
  url: () => '',
  verified: (person, { snapshot }) => toUser(person, snapshot).verified !== 'none',
  verified_type: (person, { snapshot }) => (toUser(person, snapshot).verified === 'none' ? 'none' : 'blue'),
};

const NEEDED = ['pinned_tweet_id', 'most_recent_tweet_id'];

export function toXUser(person: WorldPerson, view: View): JsonObject {
  return made(
    makers,
    person,
    'user',
    view,
    NEEDED.filter((name) => view.selection.expansions.has(name)),
  );
}

/** The relations between the signed-in account and a person. */
function connectionOf(person: WorldPerson, { snapshot: { relations }, viewer }: View): readonly string[] | undefined {
  if (!viewer || viewer.id === person.id) return viewer && [];
  return [
    ...(relations.follows(viewer.id, person.id) ? ['following'] : []),
    ...(relations.follows(person.id, viewer.id) ? ['followed_by'] : []),
    ...(relations.blocks(viewer.id, person.id) ? ['blocking'] : []),
  ];
}

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

export function toXList(list: StoredList, view: View): JsonObject {
  return made(listMakers, list, 'list', view, view.selection.expansions.has('owner_id') ? ['owner_id'] : []);
}

const JOIN_POLICIES = { open: 'Open', approval: 'RestrictedJoinRequestsRequireModeratorApproval', invitation: 'Closed' } as const;
const communityMakers: Makers<StoredCommunity> = {
  id: communityId,
  name: ({ name }) => name,
  access: ({ joinPolicy }) => (joinPolicy === 'invitation' ? 'Closed' : 'Public'),
  created_at: ({ createdAtMs }) => instant(createdAtMs),
  description: ({ description }) => description,
  join_policy: ({ joinPolicy }) => JOIN_POLICIES[joinPolicy],
  member_count: ({ roles }) => roles.size,
};

export function toXCommunity(community: StoredCommunity, view: View): JsonObject {
  return made(communityMakers, community, 'community', view);
}
