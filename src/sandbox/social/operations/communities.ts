import type { SocialPlatform } from '#src/social/social.ts';
import { roleIn } from '../communities.ts';
import { requireCommunity, type Meeting } from '../meeting.ts';
import { mostLikedFirst } from '../most-liked.ts';
import { postsPage, usersPage } from '../record-pages.ts';
import { PLATFORM } from '../user-record.ts';

type CommunityOperations = Pick<Required<SocialPlatform['operations']>, 'getCommunity' | 'getCommunityPosts' | 'getCommunityMembers'>;

/** People around one thing. */
export function communitiesOperations(meeting: Meeting): CommunityOperations {
  const { moment, viewer } = meeting;
  return {
    async getCommunity({ community: given }) {
      const community = requireCommunity(meeting, given);
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
        fetchedAt: moment.now,
      };
    },

    async getCommunityPosts({ community, filter }, { cursor }) {
      const { id } = requireCommunity(meeting, community);
      const posts = moment.feed.all().filter((post) => post.community === id);
      return postsPage(filter === 'Top' ? mostLikedFirst(posts, moment) : posts, cursor, moment);
    },

    async getCommunityMembers({ community, filter }, { cursor }) {
      const members = [...requireCommunity(meeting, community).roles];
      const wanted = filter === 'Mods' ? members.filter(([, role]) => role === 'moderator' || role === 'admin') : members;
      return usersPage(
        wanted.map(([id]) => id),
        cursor,
        moment,
      );
    },
  };
}
