import { expect, test } from 'vitest';
import { recoverWrite } from '#src/operation/perform.ts';
import { createList } from '#src/social/lists.ts';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';
import { ALL, chatterNow, formsOf, signIn } from '../../support/sandbox-people.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a list begins empty and is the first of its owner’s lists', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const first = await social.createList('Runners');

  const second = await social.createList('Painters', { description: 'Who paints', isPrivate: true });

  expect(first).toMatchObject({ name: 'Runners', description: '', visibility: 'public', memberCount: 0 });
  expect(second).toMatchObject({ description: 'Who paints', visibility: 'private', createdAt: new Date(ground.clock.nowMs()) });
  expect(second.owner?.handle).toBe('fanfare');
  expect((await social.getLists(ALL)).items).toEqual([second, first]);
  expect(await Promise.all([second, second.id].map((form) => social.getList(form)))).toEqual([second, second]);
});

test('members come and go in every form, once each, the latest first', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const list = await social.createList('Runners');
  const [ada, grace] = await Promise.all([social.getUserInfo('ada'), social.getUserInfo('grace')]);

  for (const form of formsOf(ada)) expect((await social.addListMember(list, form)).memberCount).toBe(1);
  for (const form of formsOf(grace)) expect((await social.addListMember(list.id, form)).memberCount).toBe(2);
  const members = await Promise.all([list, list.id].map((form) => social.getListMember(form, ALL)));

  for (const { items } of members) expect(items).toEqual([grace, ada]);

  for (const form of formsOf(ada)) expect((await social.removeListMember(list, form)).memberCount).toBe(1);
  expect((await social.getListMember(list, ALL)).items).toEqual([grace]);
});

test('the posts of a list are what its members wrote, newest first', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const list = await social.createList('Runners');
  const members = [await social.getUserInfo('ada'), await social.getUserInfo('barbara')];
  for (const member of members) await social.addListMember(list, member);

  const posts = await Promise.all([list, list.id].map((form) => social.getListPosts(form, ALL)));

  const ids = new Set(members.map(({ id }) => id));
  const held = chatterNow(ground).filter(({ authorId, community, onTimeline }) => ids.has(authorId) && (!community || onTimeline));
  for (const { items } of posts) expect(items.map(({ id }) => id)).toEqual(held.map(({ id }) => id));

  await social.blockUser('ada');

  expect((await social.getListPosts(list, ALL)).items.filter(({ author }) => author.handle === 'ada')).toEqual([]);
});

test('a public list is for all to read and its owner to change; a private one is its owner’s alone', async () => {
  await using ground = await openSocial();
  const [social, ada] = [new SocialAsync(ground), await signIn(ground, 'ada')];
  const [open, secret] = [await social.createList('Open'), await social.createList('Secret', { isPrivate: true })];
  await social.addListMember(open, 'grace');

  expect(await ada.getList(open)).toMatchObject({ name: 'Open', memberCount: 1 });
  expect((await ada.getListMember(open, ALL)).length).toBe(1);
  expect((await ada.getLists(ALL)).items).toEqual([]);
  for (const write of [() => ada.addListMember(open, 'linus'), () => ada.removeListMember(open, 'grace'), () => ada.deleteList(open)]) {
    await expect(write()).rejects.toMatchObject({ fault: 'forbidden' });
  }
  for (const call of [
    () => ada.getList(secret),
    async () => ada.getListPosts(secret),
    async () => ada.getListMember(secret),
    () => ada.addListMember(secret, 'linus'),
  ]) {
    await expect(call()).rejects.toMatchObject({ fault: 'missing' });
  }
});

test('a deleted list is gone, and deleting it again is no failure', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [one, two] = [await social.createList('One'), await social.createList('Two')];

  const deleted = [await social.deleteList(one), await social.deleteList(one.id)];

  expect(deleted).toEqual([true, true]);
  expect((await social.getLists(ALL)).items).toEqual([two]);
  await expect(social.getList(one)).rejects.toMatchObject({ fault: 'missing' });
  await expect(social.addListMember(one, 'ada')).rejects.toMatchObject({ fault: 'missing' });
  await expect(social.deleteList('none')).rejects.toMatchObject({ fault: 'missing' });
});

test('a list is made once with one key, and a lost one is found by it, also after a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const write = { key: 'k1', since: new Date('2026-11-20T18:00:00Z') };
  const asked = { ...write, taken: new Set<string>() };
  async function make(): Promise<string> {
    await using ground = await openSocial({ file });
    const social = new SocialAsync(ground);
    const [first, second] = [await social.createList('Runners', write), await social.createList('Runners', write)];
    expect(second).toEqual(first);
    await social.addListMember(first, 'ada');
    return first.id;
  }

  const id = await make();
  await using ground = await openSocial({ file });
  const social = new SocialAsync(ground);
  const found = await recoverWrite(social, createList.declared, { name: 'Runners' }, asked);
  const absent = await recoverWrite(social, createList.declared, { name: 'Runners' }, { ...asked, key: 'k2' });

  expect(found).toMatchObject({ found: { id, memberCount: 1 } });
  expect(absent).toBe('absent');
  expect((await social.createList('Runners', write)).id).toBe(id);
  expect((await social.createList('Others')).id).not.toBe(id);
});
