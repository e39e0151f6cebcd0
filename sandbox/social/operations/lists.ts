import type * as listTopic from '#src/clients/social/lists.ts';
import type { UserList } from '#src/clients/social/records/discovery.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import type { StoredList } from '../lists.ts';
import { pageOf } from '../paging.ts';
import { PLATFORM, postsPage, toPerson, usersPage } from '../records.ts';
import { notFound, Refusal } from '../refusal.ts';
import { type SocialRequest, requirePerson } from '../request.ts';

/** Lists of users. */
export function listsOperations(request: SocialRequest): PrimitivesOf<typeof listTopic> {
  const { snapshot, viewer, lists } = request;
  const { feed, relations, now } = snapshot;

  /** A list that the viewer may see. Only the owner sees a private list. */
  function requireList(id: string): StoredList {
    const list = lists.find(id);
    const shows = list && list.deletedAtMs === undefined && (list.ownerId === viewer.id || !list.isPrivate);
    if (!shows || relations.parted(viewer.id, list.ownerId)) throw notFound(`list ${id}`);
    return list;
  }

  function requireViewerList(id: string): StoredList {
    const list = requireList(id);
    if (list.ownerId !== viewer.id) throw new Refusal(403, 'forbidden', 'Only the owner can change a list.');
    return list;
  }

  return {
    async getLists(_, { cursor }) {
      const page = pageOf(lists.of(viewer.id), cursor);
      return { ...page, items: page.items.map((list) => toUserList(list, request)) };
    },

    createList: async ({ name, description, isPrivate }, { key }) =>
      toUserList(lists.add({ ownerId: viewer.id, name, description, isPrivate, key, createdAtMs: now.getTime() }), request),

    async deleteList({ list: id }) {
      const list = lists.find(id);
      const isDeleted = list?.ownerId === viewer.id && list.deletedAtMs !== undefined;
      if (!isDeleted) lists.delete(requireViewerList(id), now.getTime());
      return true;
    },

    getList: async ({ list }) => toUserList(requireList(list), request),

    async getListPosts({ list }, { cursor }) {
      const members = new Set(requireList(list).memberIds);
      const posts = feed.timeline().filter(({ authorId }) => members.has(authorId));
      return postsPage(posts, cursor, snapshot);
    },

    getListMember: async ({ list }, { cursor }) => usersPage(requireList(list).memberIds.toReversed(), cursor, snapshot),

    async addListMember({ list: id, user }) {
      const [list, person] = [requireViewerList(id), requirePerson(request, user)];
      if (relations.parted(viewer.id, person.id)) throw new Refusal(403, 'blocked', 'One of you has blocked the other.');
      return toUserList(list.memberIds.includes(person.id) ? list : lists.setMembers(list, [...list.memberIds, person.id]), request);
    },

    async removeListMember({ list: id, user }) {
      const [list, person] = [requireViewerList(id), requirePerson(request, user)];
      const others = list.memberIds.filter((member) => member !== person.id);
      return toUserList(lists.setMembers(list, others), request);
    },
  };
}

export function toUserList(list: StoredList, request: SocialRequest): UserList {
  const { id, name, description, ownerId, isPrivate, memberIds, createdAtMs } = list;
  return {
    platform: PLATFORM,
    id,
    name,
    description,
    owner: toPerson(requirePerson(request, ownerId), request.snapshot),
    visibility: isPrivate ? 'private' : 'public',
    memberCount: memberIds.length,
    createdAt: new Date(createdAtMs),
    fetchedAt: request.snapshot.now,
  };
}
