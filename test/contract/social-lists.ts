import { expect } from 'vitest';
import { falling, handlesOf, idsOf, newest, timesOf, type PromiseTest } from './social-fixture.ts';

/** Lists of users. */
export function socialListsContract(promise: PromiseTest): void {
  promise('a list exists until it is deleted', ['createList', 'getLists', 'getList', 'deleteList'], async ({ ground, social }) => {
    const list = await social.createList('Runners');

    expect(list).toMatchObject({ platform: ground.platform.name, name: 'Runners', owner: { handle: ground.handle } });
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
    async ({ ground, social }) => {
      const list = await social.createList('Runners');
      await social.followUser(ground.other);

      await social.addListMember(list, ground.other);
      const again = await social.addListMember(list, ground.other);
      const members = await social.getListMember(list);
      const posts = await social.getListPosts(list);
      await social.removeListMember(list, ground.other);

      expect(again.id).toBe(list.id);
      expect(handlesOf(members)).toEqual([ground.other]);
      expect(idsOf(posts)).toContain((await newest(social, ground.other)).id);
      expect(timesOf(posts)).toEqual(falling(timesOf(posts)));
      expect(new Set(posts.items.map(({ author }) => author.handle))).toEqual(new Set([ground.other]));
      expect((await social.getListMember(list)).length).toBe(0);
    },
  );

  promise('a private list is marked as private', ['createList.isPrivate'], async ({ social }) => {
    const list = await social.createList('Quiet', { isPrivate: true });

    expect(list.visibility).toBe('private');
  });
}
