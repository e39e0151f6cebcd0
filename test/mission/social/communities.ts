import { expect } from 'vitest';
import type { StoredCommunity } from '#sandbox/social/communities.ts';
import type { Choice } from '#src/social/arguments.ts';
import type { Community } from '#src/social/records/discovery.ts';
import { answers, one, row, walks, type Case, type Row } from '../rows.ts';
import type { SocialGround } from './ground.ts';
import { ME } from './installation/past.ts';
import { factsOf, seenPerson } from './world/people.ts';
import { mostLiked, postFacts, posts, seenPost } from './world/posts.ts';

const PAGE = 20;
const BUSIEST = 'summit-climbers';
const LARGEST = 'valorant-nights';

function communityIn({ communities }: SocialGround, id: string): StoredCommunity {
  const community = communities.all.find((each) => each.id === id);
  if (!community) throw new Error(`there is no community ${id}`);
  return community;
}

/** A community in the forms that a call can name it. */
function forms(id: string): Readonly<Record<string, (ground: SocialGround) => Choice<Community> | Promise<Choice<Community>>>> {
  return { 'community_id: str': () => id, 'community_id: Community': ({ client }) => client.getCommunity(id) };
}

/** No community of this platform has a number for its id: what comes back says so. */
function noNumber(call: (ground: SocialGround, community: number) => PromiseLike<unknown>): Case<SocialGround> {
  return one({
    form: 'community_id: int, which none has',
    async prove(ground) {
      expect(ground.communities.all.some(({ id }) => id === '7')).toBe(false);
      await expect(call(ground, 7)).rejects.toMatchObject({ fault: 'missing' });
    },
  });
}

function postsIn(ground: SocialGround) {
  return posts(ground).filter(({ community }) => community === BUSIEST);
}

export function communityRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'get_community',
      answers(forms(LARGEST), {
        call: ({ client }, community) => client.getCommunity(community),
        seen: ({ platform: _platform, fetchedAt: _fetchedAt, ...facts }) => facts,
        holds: (ground) => {
          const { id, name, description, joinPolicy, roles, createdAtMs } = communityIn(ground, LARGEST);
          return { id, name, description, joinPolicy, memberCount: roles.size, createdAt: new Date(createdAtMs), role: roles.get(ME) };
        },
      }),
      noNumber(({ client }, community) => client.getCommunity(community)),
    ),
    row<SocialGround>(
      'get_community_posts',
      walks(forms(BUSIEST), {
        get: ({ client }, community, walk) => client.getCommunityPosts(community, walk),
        iter: ({ client }, community, walk) => client.iterCommunityPosts(community, walk),
        holds: (ground) => postsIn(ground).map(postFacts),
        seen: seenPost,
        page: PAGE,
      }),
      (['Latest', 'Top'] as const)
        .map((filter) =>
          walks(
            { [`filter_: ${filter}`]: () => filter },
            {
              get: ({ client }: SocialGround, chosen, walk) => client.getCommunityPosts(BUSIEST, { ...walk, filter: chosen }),
              iter: ({ client }: SocialGround, chosen, walk) => client.iterCommunityPosts(BUSIEST, { ...walk, filter: chosen }),
              holds: (ground) => (filter === 'Top' ? mostLiked(ground, postsIn(ground)) : postsIn(ground)).map(postFacts),
              seen: seenPost,
              page: PAGE,
            },
          ),
        )
        .flat(),
      noNumber(({ client }, community) => client.getCommunityPosts(community)),
    ),
    row<SocialGround>(
      'get_community_members',
      walks(forms(LARGEST), {
        get: ({ client }, community, walk) => client.getCommunityMembers(community, walk),
        iter: ({ client }, community, walk) => client.iterCommunityMembers(community, walk),
        holds: (ground) => factsOf(ground, [...communityIn(ground, LARGEST).people.map(({ id }) => id), ME]),
        seen: seenPerson,
        page: PAGE,
      }),
      walks(
        { 'filter_: Mods': () => 'Mods' as const },
        {
          get: ({ client }, filter, walk) => client.getCommunityMembers(LARGEST, { ...walk, filter }),
          iter: ({ client }, filter, walk) => client.iterCommunityMembers(LARGEST, { ...walk, filter }),
          // The one who founded it, and four who keep order.
          holds: (ground) =>
            factsOf(
              ground,
              communityIn(ground, LARGEST)
                .people.slice(0, 5)
                .map(({ id }) => id),
            ),
          seen: seenPerson,
          page: PAGE,
        },
      ),
      noNumber(({ client }, community) => client.getCommunityMembers(community)),
    ),
  ];
}
