import { describe, expect, test } from 'vitest';
import { judge, refusalOf } from './judge.ts';

describe('quotes', () => {
  test('a post shows what it quotes, is counted there, and links to it for those who know no quotes', async () => {
    await using judged = await judge();
    const quoted = await judged.masto.v1.statuses.create({ status: 'quote me' });

    const post = await judged.masto.v1.statuses.create({ status: 'so true', quotedStatusId: quoted.id });

    expect(post.quote).toMatchObject({ state: 'accepted', quotedStatus: { id: quoted.id, content: '<p>quote me</p>', quote: null } });
    expect(post.content).toMatch(/^<p class="quote-inline">RE: <a href="[^"]+"/);
    expect((await judged.masto.v1.statuses.$select(quoted.id).fetch()).quotesCount).toBe(1);
    expect((await judged.masto.v1.statuses.$select(quoted.id).quotes.list()).map(({ id }) => id)).toEqual([post.id]);
  });

  test('a quote inside of a quote is told by its id', async () => {
    await using judged = await judge();
    const { statuses } = judged.masto.v1;
    const first = await statuses.create({ status: 'first' });
    const second = await statuses.create({ status: 'second', quotedStatusId: first.id });

    const third = await statuses.create({ status: 'third', quotedStatusId: second.id });

    expect(third.quote).toMatchObject({ quotedStatus: { id: second.id, quote: { state: 'accepted', quotedStatusId: first.id } } });
  });

  test('who may quote is what the author says', async () => {
    await using judged = await judge();
    const ada = await judged.as('ada');
    const me = await judged.masto.v1.accounts.verifyCredentials();
    await ada.v1.accounts.$select(me.id).unfollow();
    const write = (quoteApprovalPolicy: 'public' | 'followers' | 'nobody') =>
      judged.masto.v1.statuses.create({ status: 'x', quoteApprovalPolicy });
    const [all, followers, nobody] = [await write('public'), await write('followers'), await write('nobody')];
    const quote = (quotedStatusId: string) => ada.v1.statuses.create({ status: 'y', quotedStatusId });
    const seen = async ({ id }: { readonly id: string }) => (await ada.v1.statuses.$select(id).fetch()).quoteApproval;

    expect(await Promise.all([all, followers, nobody].map(seen))).toEqual([
      { automatic: ['public'], manual: [], currentUser: 'automatic' },
      { automatic: ['followers'], manual: [], currentUser: 'denied' },
      { automatic: [], manual: [], currentUser: 'denied' },
    ]);
    expect((await quote(all.id)).quote).toMatchObject({ state: 'accepted' });
    expect(await refusalOf(quote(followers.id))).toEqual([404, 'The post you are trying to quote does not appear to exist.']);
    await ada.v1.accounts.$select(me.id).follow();
    expect((await quote(followers.id)).quote).toMatchObject({ state: 'accepted' });
    expect((await refusalOf(quote(nobody.id)))[0]).toBe(404);
  });

  test('a quote of somebody elsewhere is pending until their server agrees', async () => {
    await using judged = await judge();
    const posts = await judged.masto.v1.timelines.public.list({ remote: true, limit: 40 });
    const quotable = posts.find(({ quoteApproval }) => quoteApproval.currentUser === 'automatic');

    const post = await judged.masto.v1.statuses.create({ status: 'so true', quotedStatusId: quotable?.id ?? '' });
    await judged.clock.advance(30_000);
    const later = await judged.masto.v1.statuses.$select(post.id).fetch();

    expect(post.quote).toEqual({ state: 'pending', quotedStatus: null });
    expect(later.quote).toMatchObject({ state: 'accepted', quotedStatus: { id: quotable?.id } });
  });

  test('what was deleted or revoked is said to be so', async () => {
    await using judged = await judge();
    const ada = await judged.as('ada');
    const [gone, mine] = [
      await judged.masto.v1.statuses.create({ status: 'gone' }),
      await judged.masto.v1.statuses.create({ status: 'mine' }),
    ];
    const ofGone = await ada.v1.statuses.create({ status: 'a', quotedStatusId: gone.id });
    const ofMine = await ada.v1.statuses.create({ status: 'b', quotedStatusId: mine.id });

    await judged.masto.v1.statuses.$select(gone.id).remove();
    await judged.ask(`/api/v1/statuses/${mine.id}/quotes/${ofMine.id}/revoke`, { method: 'POST' });

    expect((await ada.v1.statuses.$select(ofGone.id).fetch()).quote).toEqual({ state: 'deleted', quotedStatus: null });
    expect((await ada.v1.statuses.$select(ofMine.id).fetch()).quote).toEqual({ state: 'revoked', quotedStatus: null });
  });

  test('somebody is told that they are quoted', async () => {
    await using judged = await judge();
    const ada = await judged.as('ada');
    const mine = await judged.masto.v1.statuses.create({ status: 'mine' });
    const quote = await ada.v1.statuses.create({ status: 'theirs', quotedStatusId: mine.id });

    expect((await judged.masto.v1.notifications.list({ types: ['quote'] })).map(({ status }) => status?.id)).toEqual([quote.id]);
  });
});

describe('translation', () => {
  test('a post comes in another language, with who translated it', async () => {
    await using judged = await judge();
    const { id } = await judged.masto.v1.statuses.create({ status: 'hello', spoilerText: 'greeting', language: 'en' });

    const translation = await judged.masto.v1.statuses.$select(id).translate({ lang: 'de' });

    expect(translation).toMatchObject({
      content: '<p>[de] hello</p>',
      spoilerText: '[de] greeting',
      detectedSourceLanguage: 'en',
      provider: 'Sandbox Translate',
    });
    expect(await (await judged.ask('/api/v1/instance/translation_languages')).json()).toMatchObject({ en: expect.arrayContaining(['de']) });
  });

  test('a server that does not translate says so in its document, and finds nothing; one whose provider fails is unavailable', async () => {
    await using judged = await judge();
    const { id } = await judged.masto.v1.statuses.create({ status: 'hello', language: 'en' });
    const translate = (lang: string) => refusalOf(judged.masto.v1.statuses.$select(id).translate({ lang }));

    expect((await translate('en'))[0]).toBe(403);
    expect((await translate('tlh'))[0]).toBe(403);
    await judged.order({ translation: 'down' });
    expect((await translate('de'))[0]).toBe(503);
    await judged.order({ translation: 'off' });
    expect((await judged.masto.v2.instance.fetch()).configuration.translation.enabled).toBe(false);
    expect(await translate('de')).toEqual([404, 'Record not found']);
  });

  test('what is for few is not sent to a translator', async () => {
    await using judged = await judge();
    const { id } = await judged.masto.v1.statuses.create({ status: 'secret', visibility: 'private', language: 'en' });

    expect(await refusalOf(judged.masto.v1.statuses.$select(id).translate({ lang: 'de' }))).toEqual([403, 'This action is not allowed']);
  });
});
