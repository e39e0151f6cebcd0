import { describe, expect, test } from 'vitest';
import { TEXT_LIMITS } from '../../support/text-limits.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import type { Exchange } from '../../support/script-http.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { describes, scriptMastodon, statusRow } from './script-mastodon.ts';

const HOUR_MS = 3_600_000;

describe('the length limit of a post', () => {
  test('is the usual limit until the server has stated its limit', async () => {
    await using scripted = await scriptMastodon([describes({ statuses: { max_characters: 1000, characters_reserved_per_url: 30 } })]);
    const { social, platform } = scripted;
    const before = social.textLimit;

    await platform.learn?.({});

    expect(before).toBe(TEXT_LIMITS.mastodon);
    expect(social.textLimit?.most).toBe(1000);
    expect(social.textLimit?.lengthOf('https://www.twitch.tv/ada')).toBe(30);
    expect(social.textLimit?.lengthOfWarning?.('https://www.twitch.tv/ada/clips?range=7d')).toBe(40);
  });

  test('is available to a client with providers too', async () => {
    await using scripted = await scriptMastodon([describes({ statuses: { max_characters: 1000 } })]);
    const gifs = { name: 'none', search: async () => ({ items: [] }) };
    const social = new SocialAsync({ platform: scripted.platform, gifs, clock: scripted.clock });

    await scripted.platform.learn?.({});

    expect(social.textLimit?.most).toBe(1000);
  });

  test('counts code points and whole links if the server is not Mastodon', async () => {
    await using scripted = await scriptMastodon([
      ['GET /api/v2/instance', { status: 404, text: 'not found' }],
      [
        'GET /api/v1/instance',
        { json: { uri: 'https://tiny.example', version: '2.7.2 (compatible; Pleroma 2.9.1)', max_toot_chars: 5000, poll_limits: null } },
      ],
    ]);

    await scripted.platform.learn?.({});

    expect(scripted.social.textLimit?.most).toBe(5000);
    expect(scripted.social.textLimit?.lengthOf('👩‍👩‍👧')).toBe(5);
    expect(scripted.social.textLimit?.lengthOf(`https://example.com/${'x'.repeat(50)}`)).toBe(70);
  });
});

describe('the description of the server', () => {
  const post = ['POST /api/v1/statuses', { json: statusRow('9') }] as const;
  const quote = ['POST /api/v1/statuses', { json: statusRow('9', { quote: { state: 'accepted', quoted_status: null } }) }] as const;

  test('is read once an hour', async () => {
    await using scripted = await scriptMastodon([describes(), post, post, describes(), post]);

    await scripted.social.createPost('one');
    await scripted.social.createPost('two');
    await scripted.clock.advance(HOUR_MS);
    const third = await scripted.social.createPost('three');

    expect(third.id).toBe('9');
  });

  test('stays if the server no longer has it', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      post,
      ['GET /api/v2/instance', { status: 401, json: { error: 'no' } }],
      post,
    ]);

    await scripted.social.createPost('one');
    await scripted.clock.advance(HOUR_MS);

    expect((await scripted.social.createPost('two')).id).toBe('9');
  });

  test('is optional', async () => {
    await using scripted = await scriptMastodon([
      ['GET /api/v2/instance', { text: '<html>Welcome!</html>' }],
      ['GET /api/v1/instance', { status: 404 }],
      post,
    ]);

    expect((await scripted.social.createPost('hello')).id).toBe('9');
  });

  test('is read again by the next post after a failure', async () => {
    const none = (path: string): Exchange => [`GET /api/${path}/instance`, { status: 404, json: { error: 'Not Found' } }];
    const quoted: Exchange = ['GET /api/v1/statuses/8', { json: statusRow('8') }];
    await using scripted = await scriptMastodon([none('v2'), none('v1'), post, describes(), quoted, quote]);

    await scripted.social.createPost('one');

    expect((await scripted.social.createPost('two', { quote: '8' })).id).toBe('9');
  });

  test('stays while the server is unavailable', async () => {
    const none = (path: string): Exchange => [`GET /api/${path}/instance`, { status: 404 }];
    const quoted: Exchange = ['GET /api/v1/statuses/8', { json: statusRow('8') }];
    await using scripted = await scriptMastodon([describes(), post, none('v2'), none('v1'), quoted, quote]);

    await scripted.social.createPost('one');
    await scripted.clock.advance(HOUR_MS);

    expect((await scripted.social.createPost('two', { quote: '8' })).id).toBe('9');
  });

  test.for([
    ['a proxy without a server', { status: 404, text: '404 page not found', headers: { 'content-type': 'text/plain' } }],
    ['a page that forbids', { status: 403, text: '<title>Access denied</title>' }],
  ] as const)('is read again after %s answered instead', async ([, reply]) => {
    const older: Exchange = ['GET /api/v1/instance', reply];
    await using scripted = await scriptMastodon([['GET /api/v2/instance', reply], older, older, older]);

    const write = scripted.social.createPost('two', { quote: '8' });

    await expect(whileSleeping(scripted.clock, write)).rejects.toMatchObject({ fault: 'unreachable' });
  });
});
