import type * as communityTopic from '#src/clients/social/communities.ts';
import type * as followTopic from '#src/clients/social/follows.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import type * as userTopic from '#src/clients/social/users.ts';
import type { WorldPerson } from '../../world/world.ts';
import { roleIn } from '../communities.ts';
import { mostLikedFirst, suggestionsFor } from '../discovery.ts';
import { PLATFORM, highlightsOf, postsOf, postsPage, timelineOf, toUser, usersPage } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { type SocialRequest, requireCommunity, requirePerson } from '../request.ts';

/** Profiles, posts and relations of people. */
export function usersOperations(request: SocialRequest): PrimitivesOf<typeof userTopic> {
  const { snapshot, viewer } = request;
  const { relations } = snapshot;
  return {
    async getUserInfo({ user = viewer.id }) {
      if (typeof user === 'string') return toUser(requirePerson(request, user), snapshot);
      return user.map((name) => toUser(requirePerson(request, name), snapshot));
    },

    getUserId: async ({ user }) => requirePerson(request, user).id,

    async getPosts({ user, replies }, { cursor }) {
      const posts = timelineOf(requirePerson(request, user), snapshot);
      return postsPage(replies ? posts : posts.filter(({ replyTo }) => replyTo === undefined), cursor, snapshot);
    },

    async getUserMedia({ user }, { cursor }) {
      const posts = postsOf(requirePerson(request, user), snapshot).filter(({ media }) => media.length > 0);
      return postsPage(posts, cursor, snapshot);
    },

    getUserHighlights: async ({ user }, { cursor }) => postsPage(highlightsOf(requirePerson(request, user), snapshot), cursor, snapshot),

    getUserFollowers: async ({ user }, { cursor }) => usersPage(relations.followersOf(requirePerson(request, user).id), cursor, snapshot),

    getUserFollowings: async ({ user }, { cursor }) => usersPage(relations.followingsOf(requirePerson(request, user).id), cursor, snapshot),

    getUserSubscribers: async ({ user }, { cursor }) =>
      usersPage(relations.subscribersOf(requirePerson(request, user).id), cursor, snapshot),

    async getMutualFollowers({ user }, { cursor }) {
      const followers = relations.followersOf(requirePerson(request, user).id);
      const known = followers.filter((id) => relations.follows(viewer.id, id));
      return usersPage(known, cursor, snapshot);
    },

    getBlockedUsers: async (_, { cursor }) => usersPage(relations.blockedBy(viewer.id), cursor, snapshot),

    getSuggestedUsers: async () => suggestionsFor(viewer, snapshot).map((person) => toUser(person, snapshot)),
  };
}

/** Follows, blocks and notifications of the signed-in account. */
export function followsOperations(request: SocialRequest): PrimitivesOf<typeof followTopic> {
  const { snapshot, viewer } = request;
  const { relations, now } = snapshot;
  const nowMs = now.getTime();

  function requireOther(name: string): WorldPerson {
    const person = requirePerson(request, name);
    if (person.id === viewer.id) throw new Refusal(422, 'self', 'You cannot do this to yourself.');
    return person;
  }

  function requireReachable(name: string): WorldPerson {
    const person = requireOther(name);
    if (relations.parted(viewer.id, person.id)) throw new Refusal(403, 'blocked', 'One of you has blocked the other.');
    return person;
  }

  function setFollow(person: WorldPerson, on: boolean): User {
    relations.setFollow(viewer.id, person.id, on, nowMs);
    return toUser(person, snapshot);
  }

  function setBlock(person: WorldPerson, on: boolean): User {
    relations.setBlock(viewer.id, person.id, on, nowMs);
    return toUser(person, snapshot);
  }

  return {
    followUser: async ({ user }) => setFollow(requireReachable(user), true),
    unfollowUser: async ({ user }) => setFollow(requireOther(user), false),
    blockUser: async ({ user }) => setBlock(requireOther(user), true),
    unblockUser: async ({ user }) => setBlock(requireOther(user), false),

    async enableUserNotification({ user }) {
      relations.setNotify(viewer.id, requireReachable(user).id, true, nowMs);
      return true;
    },

    async disableUserNotification({ user }) {
      relations.setNotify(viewer.id, requireOther(user).id, false, nowMs);
      return true;
    },
  };
}

/** Communities with their posts and members. */
export function communitiesOperations(request: SocialRequest): PrimitivesOf<typeof communityTopic> {
  const { snapshot, viewer } = request;
  return {
    async getCommunity({ community: idOrName }) {
      const community = requireCommunity(request, idOrName);
      const { id, name, description, joinPolicy, roles, createdAtMs } = community;
      return {
        platform: PLATFORM,
        id,
        name,
        description,
        memberCount: roles.size,
        createdAt: new Date(createdAtMs),
        joinPolicy,
        role: roleIn(community, viewer.id),
        fetchedAt: snapshot.now,
      };
    },

    async getCommunityPosts({ community, filter }, { cursor }) {
      const { id } = requireCommunity(request, community);
      const posts = snapshot.feed.all().filter((post) => post.community === id);
      return postsPage(filter === 'Top' ? mostLikedFirst(posts, snapshot) : posts, cursor, snapshot);
    },

    async getCommunityMembers({ community, filter }, { cursor }) {
      const members = [...requireCommunity(request, community).roles];
      const wanted = filter === 'Mods' ? members.filter(([, role]) => role === 'moderator' || role === 'admin') : members;
      return usersPage(
        wanted.map(([id]) => id),
        cursor,
        snapshot,
      );
    },
  };
}
