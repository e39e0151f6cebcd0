import { request } from 'node:http';
import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { judge, refusalOf, type Judged } from './judge.ts';

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

async function statusOf(judged: Judged, path: string): Promise<number> {
  return (await judged.ask(path)).status;
}

describe('the present server', () => {
  test('says in both documents what it takes', async () => {
    await using judged = await judge();

    const [v1, v2] = [await judged.stranger.v1.instance.fetch(), await judged.stranger.v2.instance.fetch()];

    expect(v2).toMatchObject({
      domain: new URL(judged.url).host,
      version: '4.6.0',
      apiVersions: { mastodon: 10 },
      configuration: {
        accounts: { maxPinnedStatuses: 5 },
        statuses: { maxCharacters: 500, maxMediaAttachments: 4, charactersReservedPerUrl: 23 },
        mediaAttachments: { imageSizeLimit: 16 * 1024 * 1024, videoSizeLimit: 99 * 1024 * 1024, descriptionLimit: 1500 },
        polls: { maxOptions: 4, maxCharactersPerOption: 50, minExpiration: 300, maxExpiration: 2_629_746 },
        translation: { enabled: true },
      },
    });
    expect(v1).toMatchObject({
      uri: v2.domain,
      version: '4.6.0',
      configuration: { statuses: v2.configuration.statuses, polls: v2.configuration.polls },
    });
  });

  test('what it takes can be ordered otherwise', async () => {
    await using judged = await judge();
    await judged.order({ maxCharacters: 10 });

    expect((await judged.masto.v2.instance.fetch()).configuration.statuses.maxCharacters).toBe(10);
    expect((await refusalOf(judged.masto.v1.statuses.create({ status: 'eleven char' })))[1]).toMatch(/limit of 10/);
  });

  test('answers what does not exist in JSON', async () => {
    await using judged = await judge();

    expect(await refusalOf(judged.masto.v1.emails.confirmations.create())).toEqual([404, 'Not Found']);
  });
});

describe('an older one', () => {
  test('has no quotes, no batches, no api version and no PKCE', async () => {
    await using judged = await judge();
    await judged.order({ kind: '4.2' });
    const quoted = await judged.masto.v1.statuses.create({ status: 'x' });

    const post = await judged.masto.v1.statuses.create({ status: 'y', quotedStatusId: quoted.id });
    const instance = await judged.masto.v2.instance.fetch();

    expect(Object.keys(post).filter((name) => /quote/i.test(name))).toEqual([]);
    expect(post.content).toBe('<p>y</p>');
    expect(instance.version).toBe('4.2.10');
    expect(instance).not.toHaveProperty('apiVersions');
    expect(await statusOf(judged, `/api/v1/statuses?id[]=${quoted.id}`)).toBe(404);
    expect(await statusOf(judged, `/api/v1/statuses/${quoted.id}/quotes`)).toBe(404);
    expect((await fetch(`${judged.url}/.well-known/oauth-authorization-server`)).status).toBe(404);
    expect((await judged.masto.v1.trends.tags.list()).length).toBeGreaterThan(0);
  });
});

describe('one by others, with the client API alone', () => {
  test('has the first document only, no media v2, no trends, no batches', async () => {
    await using judged = await judge();
    await judged.order({ kind: 'bare' });

    expect((await judged.masto.v1.instance.fetch()).configuration.statuses.maxCharacters).toBe(500);
    for (const path of [
      '/api/v2/instance',
      '/api/v1/trends/tags',
      '/api/v1/trends/statuses',
      '/api/v1/accounts?id[]=1',
      '/api/v2/notifications',
    ]) {
      const answer = await judged.ask(path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, '404 page not found']);
    }
    expect((await judged.ask('/api/v2/media', { method: 'POST' })).status).toBe(404);
  });

  test('has ULIDs that lead back, null where lists are empty, and instants without zone', async () => {
    await using judged = await judge();
    await judged.order({ kind: 'bare' });
    const { masto } = judged;
    const first = await masto.v1.statuses.create({ status: 'first' });

    const post = await masto.v1.statuses.create({ status: 'second', inReplyToId: first.id });
    const me = await masto.v1.accounts.verifyCredentials();

    expect([first.id, post.id, me.id].every((id) => ULID.test(id))).toBe(true);
    expect(first.id < post.id).toBe(true);
    expect(post).toMatchObject({
      createdAt: '2026-11-20 18:00:00',
      mentions: null,
      tags: null,
      emojis: null,
      mediaAttachments: null,
      inReplyToId: first.id,
    });
    expect(await masto.v1.statuses.$select(post.id).fetch()).toEqual(post);
    expect((await masto.v1.accounts.$select(me.id).statuses.list({ limit: 1 })).map(({ id }) => id)).toEqual([post.id]);
    expect((await masto.v1.accounts.$select(me.id).statuses.list({ maxId: post.id })).map(({ id }) => id)).toEqual([first.id]);
  });

  test('says nothing of its limits', async () => {
    await using judged = await judge();
    await judged.order({ kind: 'bare' });

    const answer = await judged.ask('/api/v1/instance');

    expect([...answer.headers.keys()].filter((name) => /ratelimit/.test(name))).toEqual([]);
  });

  test('refuses whoever does not say who they are', async () => {
    await using judged = await judge();
    const unnamed = (): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(`${judged.url}/api/v1/instance`, (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end();
      });

    expect(await unnamed()).toBe(200);
    await judged.order({ kind: 'bare' });
    expect(await unnamed()).toBe(418);
    expect(await statusOf(judged, '/api/v1/instance')).toBe(200);
  });
});
