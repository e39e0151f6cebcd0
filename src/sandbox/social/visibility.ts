import type { WorldPerson } from '../world/world.ts';
import { roleIn, type Communities } from './communities.ts';
import type { People } from './people.ts';
import type { StoredPost } from './posts.ts';
import type { Relations } from './relations.ts';

export interface Sight {
  readonly people: People;
  readonly relations: Relations;
  readonly communities: Communities;
}

/**
 * Which posts somebody may see: none of those whom they blocked or who blocked them, of protected people only where
 * they follow, and of a community that one is invited to only as a member. Without a viewer it is what anybody sees
 * who is not signed in.
 */
export function visibleTo(viewer: WorldPerson | undefined, { people, relations, communities }: Sight): (post: StoredPost) => boolean {
  return ({ authorId, community: communityId }) => {
    if (viewer?.id === authorId) return true;
    if (viewer && relations.parted(viewer.id, authorId)) return false;
    const community = communityId === undefined ? undefined : communities.find(communityId);
    if (community?.joinPolicy === 'invitation' && (!viewer || roleIn(community, viewer.id) === 'none')) return false;
    return !people.isProtected(authorId) || (viewer !== undefined && relations.follows(viewer.id, authorId));
  };
}

/** Whether a post shows outside of communities, too. */
export function isOnTimeline({ community, onTimeline }: StoredPost): boolean {
  return community === undefined || onTimeline === true;
}
