import { expect } from 'vitest';
import { falling, handlesOf, idsOf, newest, timesOf, type PromiseTest } from './social-fixture.ts';

/** Lists of users. */
export function socialListsContract(promise: PromiseTest): void {
  promise('a list exists until it is deleted', ['createList', 'getLists', 'getList', 'deleteList'], async ({ fixture, social }) => {
    const list = await social.createList('Runners');

    expect(list).toMatchObject({ platform: fixture.platform.name, name: 'Runners', owner: { handle: fixture.handle } });
    expect(idsOf(await social.getLists())).toEqual([list.id]);
    expect(await social.getList(list)).toMatchObject({ id: list.id, name: 'Runners' });
    expect(await social.deleteList(list)).toBe(true);
    expect(await social.deleteList(list)).toBe(true);
    expect((await social.getLists()).length).toBe(0);
    await expect(social.getList(list)).rejects.toMatchObject({ fault: 'missing' });
  });

  promise(
    'a list has its members and their posts',
    ['createList', 'addListMember', 'removeListMember', 'getListMember', 'getListPosts', 'followUser'],
    async ({ fixture, social }) => {
      const list = await social.createList('Runners');
      await social.followUser(fixture.other);

      await social.addListMember(list, fixture.other);
      const again = await social.addListMember(list, fixture.other);
      const members = await social.getListMember(list);
      const posts = await social.getListPosts(list);
      await social.removeListMember(list, fixture.other);

      expect(again.id).toBe(list.id);
      expect(handlesOf(members)).toEqual([fixture.other]);
      expect(idsOf(posts)).toContain((await newest(social, fixture.other)).id);
      expect(timesOf(posts)).toEqual(falling(timesOf(posts)));
      expect(new Set(posts.items.map(({ author }) => author.handle))).toEqual(new Set([fixture.other]));
      expect((await social.getListMember(list)).length).toBe(0);
    },
  );

  promise(
    'a new list has no posts, and the posts of a deleted list are missing',
    ['createList', 'deleteList', 'getListPosts'],
    async ({ social }) => {
      const list = await social.createList('Runners');
      const before = await social.getListPosts(list);
      await social.deleteList(list);

      expect(before.items).toEqual([]);
      await expect(social.getListPosts(list)).rejects.toMatchObject({ fault: 'missing', message: expect.stringContaining(list.id) });
    },
  );

  promise('a private list is marked as private', ['createList.isPrivate'], async ({ social }) => {
    const list = await social.createList('Quiet', { isPrivate: true });

    expect(list.visibility).toBe('private');
  });
}
