import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { judge, refusalOf, type Judged } from './judge.ts';

const MINUTE_MS = 60_000;

async function limitOf(judged: Judged, path: string, method = 'GET'): Promise<readonly unknown[]> {
  const { status, headers } = await judged.ask(path, { method });
  return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-reset')];
}

describe('limits', () => {
  test('an answer says how many requests are left, and when they are all there again, as an instant', async () => {
    await using judged = await judge();

    expect(await limitOf(judged, '/api/v1/instance')).toEqual([200, '300', '299', '2026-11-20T18:05:00.000000Z']);
    await judged.clock.advance(4 * MINUTE_MS);
    expect(await limitOf(judged, '/api/v1/instance')).toEqual([200, '300', '298', '2026-11-20T18:05:00.000000Z']);
    await judged.clock.advance(MINUTE_MS);
    expect(await limitOf(judged, '/api/v1/instance')).toEqual([200, '300', '299', '2026-11-20T18:10:00.000000Z']);
  });

  test('who asks too much is refused until the window is over', async () => {
    await using judged = await judge();
    await judged.order({ limits: { token: 2 } });
    const ask = () => limitOf(judged, '/api/v1/instance');

    await ask();
    await ask();
    const refused = await judged.ask('/api/v1/instance', { headers: { 'accept-language': 'de' } });

    expect([refused.status, await refused.json(), refused.headers.get('retry-after')]).toEqual([429, { error: 'Zu viele Anfragen' }, null]);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    await judged.clock.advance(5 * MINUTE_MS);
    expect((await ask())[0]).toBe(200);
  });

  test('the closest of overlapping limits is told: deletes, files and posts have their own', async () => {
    await using judged = await judge();
    const { masto } = judged;
    const { id } = await masto.v1.statuses.create({ status: 'x' });

    const posted = await judged.ask('/api/v1/statuses', {
      method: 'POST',
      body: '{"status":"y"}',
      headers: { 'content-type': 'application/json' },
    });

    expect([posted.headers.get('x-ratelimit-limit'), posted.headers.get('x-ratelimit-remaining')]).toEqual(['300', '298']);
    expect(await limitOf(judged, `/api/v1/statuses/${id}`, 'DELETE')).toEqual([200, '30', '29', '2026-11-20T18:30:00.000000Z']);
    expect((await limitOf(judged, '/api/v2/media', 'POST')).slice(0, 3)).toEqual([422, '30', '29']);
  });

  test('thirty posts are deleted in half an hour, and no more', async () => {
    await using judged = await judge();
    const { masto } = judged;
    const ids: string[] = [];
    for (let number = 0; number < 31; number++) ids.push((await masto.v1.statuses.create({ status: `${number}` })).id);
    for (const id of ids.slice(0, 30)) await masto.v1.statuses.$select(id).remove();
    const last = masto.v1.statuses.$select(ids[30] ?? '');

    expect(await refusalOf(last.remove())).toEqual([429, 'Too many requests']);
    expect((await refusalOf(last.unreblog()))[0]).toBe(429);
    await judged.clock.advance(30 * MINUTE_MS);
    expect((await last.remove()).id).toBe(ids[30]);
  });

  test('what was refused for its number is not posted; boosts count among posts', async () => {
    await using judged = await judge();
    await judged.order({ limits: { statuses: 2 } });
    const { masto } = judged;
    const { id } = await masto.v1.statuses.create({ status: 'one' });
    await masto.v1.statuses.$select(id).reblog();

    expect(await refusalOf(masto.v1.statuses.create({ status: 'three' }))).toEqual([429, 'Too many requests']);
    const me = await masto.v1.accounts.verifyCredentials();
    expect(await masto.v1.accounts.$select(me.id).statuses.list()).toHaveLength(2);
    await judged.clock.advance(3 * 60 * MINUTE_MS);
    expect((await masto.v1.statuses.create({ status: 'three' })).content).toBe('<p>three</p>');
  });

  test('pages that go on are counted for themselves', async () => {
    await using judged = await judge();
    await judged.order({ limits: { paging: 1 } });

    expect((await limitOf(judged, '/api/v1/timelines/public?max_id=1'))[0]).toBe(200);
    expect((await limitOf(judged, '/api/v1/timelines/public?max_id=1'))[0]).toBe(429);
    expect((await limitOf(judged, '/api/v1/timelines/public'))[0]).toBe(200);
  });
});

describe('ordered failures', () => {
  test('a refusal for numbers has the headers of Mastodon, and a failure of what stands in front of it is HTML', async () => {
    await using judged = await judge();
    judged.sandbox.faults.add({ platform: 'mastodon', kind: 'rateLimit', ms: 5000, times: 1 });
    judged.sandbox.faults.add({ platform: 'mastodon', kind: 'status', status: 502, times: 1 });

    const limited = await judged.ask('/api/v1/instance');
    const down = await judged.ask('/api/v1/instance');

    expect([limited.status, limited.headers.get('x-ratelimit-reset')]).toEqual([429, '2026-11-20T18:00:05.000000Z']);
    expect([down.status, down.headers.get('content-type')]).toEqual([502, 'text/html']);
  });

  test('a list is empty, short, begins with what was shown, or never ends', async () => {
    await using judged = await judge();
    const list = async (query = '') => {
      const answer = await judged.ask(`/api/v1/timelines/public?limit=4${query}`);
      return { ids: ((await answer.json()) as { id: string }[]).map(({ id }) => id), link: answer.headers.get('link') ?? '' }; // statuses all
    };
    const fail = (kind: 'emptyList' | 'shortList' | 'repeatedItem' | 'endlessCursor') =>
      judged.sandbox.faults.add({ platform: 'mastodon', route: '/timelines', kind, times: 1 });
    const whole = await list();
    const last = whole.ids[3] ?? '';

    fail('emptyList');
    expect(await list()).toEqual({ ids: [], link: whole.link });
    fail('shortList');
    expect((await list()).ids).toEqual(whole.ids.slice(0, 2));
    fail('repeatedItem');
    expect((await list(`&max_id=${last}`)).ids[0]).toBe(last);
    fail('endlessCursor');
    expect((await list(`&max_id=${last}`)).link).toContain(`max_id=${last}>; rel="next"`);
  });

  test('an answer that is lost leaves the post standing', async () => {
    await using judged = await judge();
    judged.sandbox.faults.add({ platform: 'mastodon', method: 'POST', kind: 'resetAfter', times: 1 });

    await judged.masto.v1.statuses.create({ status: 'lost' }).catch(() => undefined);

    const truth = await fetch(`${judged.sandbox.url}/control/mastodon/posts`);
    expect(await truth.json()).toMatchObject({ items: [{ text: 'lost', visibility: 'public', author: 'fanfare' }] });
  });
});
