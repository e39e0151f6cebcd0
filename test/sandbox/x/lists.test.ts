import { expect, test } from 'vitest';
import { scene } from './scene.ts';

test('a list is made, filled, read, changed and deleted', async () => {
  await using here = await scene();
  const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
  const [x, other] = [await here.xdkOf(), await here.xdkOf(person?.handle)];
  const userId = person?.id ?? '';
  const { data } = await x.lists.create({ name: 'Speedrunners', description: 'Fast ones' });
  const id = data?.id ?? '';

  expect(await x.lists.addMember(id, { userId })).toEqual({ data: { isMember: true } });
  expect(await x.lists.addMember(id, { userId })).toEqual({ data: { isMember: true } });
  const post = await other.posts.create({ text: 'For the list' });

  expect(
    await x.lists.getById(id, { listFields: ['description', 'member_count', 'private', 'created_at'], expansions: ['owner_id'] }),
  ).toMatchObject({
    data: { id, name: 'Speedrunners', description: 'Fast ones', memberCount: 1, private: false, ownerId: here.selfId },
    includes: { users: [{ id: here.selfId, username: 'fanfare' }] },
  });
  expect((await x.lists.getMembers(id)).data).toEqual([{ id: userId, name: person?.displayName, username: person?.handle }]);
  expect((await x.lists.getPosts(id)).data?.[0]).toMatchObject({ id: post.data?.id });
  expect((await x.users.getOwnedLists(here.selfId)).data).toMatchObject([{ id, name: 'Speedrunners' }]);
  expect(await x.lists.update(id, { name: 'Runners' })).toEqual({ data: { updated: true } });
  expect((await x.lists.getById(id)).data).toEqual({ id, name: 'Runners' });
  await expect(other.lists.delete(id)).rejects.toMatchObject({ status: 403 });
  expect(await x.lists.removeMemberByUserId(id, userId)).toEqual({ data: { isMember: false } });
  expect(await x.lists.getMembers(id)).toEqual({ meta: { resultCount: 0 } });
  expect(await x.lists.delete(id)).toEqual({ data: { deleted: true } });
  expect(await x.lists.getById(id)).toMatchObject({ errors: [{ title: 'Not Found Error', resourceType: 'list', value: id }] });
});

test('a private list is its owner’s alone', async () => {
  await using here = await scene();
  const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
  const [x, other] = [await here.xdkOf(), await here.xdkOf(person?.handle)];
  const { data } = await x.lists.create({ name: 'Mine', private: true });

  expect((await x.users.getOwnedLists(here.selfId)).data).toHaveLength(1);
  expect((await other.users.getOwnedLists(here.selfId)).data).toBeUndefined();
  expect((await other.lists.getById(data?.id ?? '')).errors).toHaveLength(1);
});

test('a name of 26 characters is too long', async () => {
  await using here = await scene();
  const x = await here.xdkOf();

  await expect(x.lists.create({ name: 'a'.repeat(26) })).rejects.toMatchObject({
    status: 400,
    data: { errors: [{ message: expect.stringContaining('$.name') }] },
  });
});
