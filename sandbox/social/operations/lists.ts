import type { SocialPlatform } from '#src/social/social.ts';
import type { UserList } from '#src/social/records/discovery.ts';
import type { StoredList } from '../lists.ts';
import { type SocialRequest, requirePerson } from '../request.ts';
import { pageOf } from '../paging.ts';
import { PLATFORM, postsPage, toPerson, usersPage } from '../records.ts';
import { notFound, Refusal } from '../refusal.ts';

interface ListsTopic {
  readonly operations: Pick<
    Required<SocialPlatform['operations']>,
    'getLists' | 'createList' | 'deleteList' | 'getList' | 'getListPosts' | 'getListMember' | 'addListMember' | 'removeListMember'
  >;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'createList'>;
}

/** Users whom somebody put together. */
export function listsOperations(request: SocialRequest): ListsTopic {
  const { snapshot, viewer, lists, fault } = request;
  const { feed, relations, now } = snapshot;

  /** One that stands and that the viewer may see: a private one is its owner's alone. */
  function requireList(id: string): StoredList {
    const list = lists.find(id);
    const shows = list && list.deletedAtMs === undefined && (list.ownerId === viewer.id || !list.isPrivate);
    if (!shows || relations.parted(viewer.id, list.ownerId)) throw notFound(`list ${id}`);
    return list;
  }

  function requireViewerList(id: string): StoredList {
    const list = requireList(id);
    if (list.ownerId !== viewer.id) throw new Refusal(403, 'forbidden', "This list is somebody else's.");
    return list;
  }

  function toUserList({ id, name, description, ownerId, isPrivate, memberIds, createdAtMs }: StoredList): UserList {
    const owner = requirePerson(request, ownerId);
    return {
      platform: PLATFORM,
      id,
      name,
      description,
      owner: toPerson(owner, snapshot),
      visibility: isPrivate ? 'private' : 'public',
      memberCount: memberIds.length,
      createdAt: new Date(createdAtMs),
      fetchedAt: now,
    };
  }

  return {
    operations: {
      async getLists(_, { cursor }) {
        const page = pageOf(lists.of(viewer.id), cursor);
        return { ...page, items: page.items.map(toUserList) };
      },

      async createList({ name, description, isPrivate }, { key }) {
        const earlier = key === undefined || fault('ignoreKey') ? undefined : lists.findByKey(viewer.id, key);
        if (earlier) return toUserList(earlier);
        return toUserList(lists.add({ ownerId: viewer.id, name, description, isPrivate, key, createdAtMs: now.getTime() }));
      },

      async deleteList({ list: id }) {
        const list = lists.find(id);
        const goneAlready = list?.ownerId === viewer.id && list.deletedAtMs !== undefined;
        if (!goneAlready) lists.delete(requireViewerList(id), now.getTime());
        return true;
      },

      getList: async ({ list }) => toUserList(requireList(list)),

      async getListPosts({ list }, { cursor }) {
        const members = new Set(requireList(list).memberIds);
        const posts = feed.timeline().filter(({ authorId }) => members.has(authorId));
        return postsPage(posts, cursor, snapshot);
      },

      getListMember: async ({ list }, { cursor }) => usersPage(requireList(list).memberIds.toReversed(), cursor, snapshot),

      async addListMember({ list: id, user }) {
        const [list, person] = [requireViewerList(id), requirePerson(request, user)];
        if (relations.parted(viewer.id, person.id)) throw new Refusal(403, 'blocked', 'A block stands between the two.');
        return toUserList(list.memberIds.includes(person.id) ? list : lists.setMembers(list, [...list.memberIds, person.id]));
      },

      async removeListMember({ list: id, user }) {
        const [list, person] = [requireViewerList(id), requirePerson(request, user)];
        const others = list.memberIds.filter((member) => member !== person.id);
        return toUserList(lists.setMembers(list, others));
      },
    },

    recover: {
      async createList(_, { key }) {
        const list = lists.findByKey(viewer.id, key);
        return list ? { found: toUserList(list) } : 'absent';
      },
    },
  };
}
