import { describe, expect, test } from 'vitest';
import { recoverWrite } from '#src/clients/operation/client.ts';
import { createPost } from '#src/clients/social/posts.ts';
import { onFixture } from '../../contract/social-fixture.ts';
import { socialMediaContract } from '../../contract/social-media.ts';
import { socialPostsContract } from '../../contract/social-posts.ts';
import { openMastodon } from './open-mastodon.ts';

describe('a server other than Mastodon', () => {
  const promise = onFixture(async () => ({ ...(await openMastodon({ kind: 'bare' })), knowsNoKeys: true, absence: 'absent' as const }));
  socialPostsContract(promise);
  socialMediaContract(promise);

  test('ignores keys: a call with a used key makes no second post, because it is searched', async () => {
    await using fixture = await openMastodon({ kind: 'bare' });
    const { social, clock } = fixture;
    const since = new Date(clock.nowMs());
    const first = await social.createPost('twice', { key: 'k', since });

    const recovery = await recoverWrite(social, createPost.declared, { text: 'twice' }, { key: 'k', since, taken: new Set() });
    const again = await social.createPost('twice', { key: 'k', since });

    expect(again.id).toBe(first.id);
    expect(recovery).toMatchObject({ found: { id: first.id } });
    expect(await fixture.postTexts()).toEqual(['twice']);
    expect(fixture.platform.keepsKeys).toBeUndefined();
  });

  test('lacks operations, with a reason and alternatives', async () => {
    await using fixture = await openMastodon({ kind: 'bare' });
    const { social } = fixture;
    const post = await social.createPost('here');

    await expect(social.getTrends()).rejects.toMatchObject({ reason: 'SERVER_DISABLED' });
    await expect(social.getHomeTimeline()).rejects.toMatchObject({ reason: 'SERVER_DISABLED', alternatives: ['HomeLatestTimeline'] });
    await expect(social.translatePost(post, 'de')).rejects.toMatchObject({ reason: 'SERVER_DISABLED' });
    await expect(social.getPostQuotes(post)).rejects.toMatchObject({ reason: 'SERVER_DISABLED' });
    await expect(social.createPost('and there', { quote: post })).rejects.toMatchObject({ reason: 'SERVER_DISABLED', parameter: 'quote' });
    expect(await fixture.postTexts()).toEqual(['here']);
  });
});

describe('Mastodon', () => {
  test('without batches gets a request for each user', async () => {
    await using fixture = await openMastodon({ kind: '4.2' });
    const [ada, grace] = [await fixture.social.getUserId('ada'), await fixture.social.getUserId('grace')];

    const users = await fixture.social.getUserInfo([grace, ada]);

    expect(users.map(({ handle }) => handle)).toEqual(['grace', 'ada']);
  });

  test('without a text search is an error, and hashtags are still found', async () => {
    await using fixture = await openMastodon({ fullText: false });
    await fixture.social.createPost('A quinquagenarian plays #fanfaretest');

    await expect(fixture.social.search('quinquagenarian')).rejects.toMatchObject({ reason: 'SERVER_DISABLED' });
    expect((await fixture.social.search('#fanfaretest')).length).toBe(1);
  });

  test.for([
    ['off', { name: 'UnsupportedOperation', reason: 'SERVER_DISABLED' }],
    ['down', { name: 'PlatformError', fault: 'unavailable' }],
  ] as const)('whose translation is %s', async ([translation, expected]) => {
    await using fixture = await openMastodon({ translation });
    const post = await fixture.social.createPost('Hello');
    fixture.clock.sleep = () => Promise.resolve();

    await expect(fixture.social.translatePost(post, 'de')).rejects.toMatchObject(expected);
  });

  test('states its limit and refuses longer posts', async () => {
    await using fixture = await openMastodon({ maxCharacters: 20 });
    const text = 'a text that is longer';

    await expect(fixture.social.createPost(text)).rejects.toMatchObject({
      fault: 'rejected',
      message: expect.stringContaining('accepts 20 characters'),
    });

    expect(fixture.social.textLimit).toMatchObject({ most: 20 });
    expect(await fixture.postTexts()).toEqual([]);
  });

  test('refuses a suspended account with the reason', async () => {
    await using fixture = await openMastodon({ suspended: true });

    await expect(fixture.social.createPost('Hello')).rejects.toMatchObject({ fault: 'forbidden' });
  });
});
