import { describe, expect, test } from 'vitest';
import { capabilities as ofSandbox } from '#adapters/sandbox/capabilities.ts';
import { scriptBluesky, DID, session } from '../../adapters/bluesky/script-bluesky.ts';
import { describes, scriptMastodon, statusRow } from '../../adapters/mastodon/script-mastodon.ts';
import { scriptX } from '../../adapters/x/script-x.ts';

const sentTo = (seen: readonly { readonly line: string; readonly body: string }[]): unknown =>
  JSON.parse(seen.find(({ line }) => line === 'POST /api/v1/statuses')?.body ?? 'null');

describe('Mastodon', () => {
  test.for([
    ['the options of the call', { language: 'de', visibility: 'unlisted' }, {}, { language: 'de', visibility: 'unlisted' }],
    ['the defaults of the account', {}, { language: 'en', visibility: 'followers' }, { language: 'en', visibility: 'private' }],
    ['the option of the call instead of the default', { language: 'pt-br' }, { language: 'en' }, { language: 'pt-BR' }],
  ] as const)('a post has %s', async ([, options, defaults, expected]) => {
    await using scripted = await scriptMastodon([describes(), ['POST /api/v1/statuses', { json: statusRow('9', expected) }]], defaults);

    await scripted.social.createPost('Hallo', options);

    expect(sentTo(scripted.server.seen)).toMatchObject({ status: 'Hallo', ...expected });
  });
});

describe('Bluesky', () => {
  async function langsOf(options: object, defaults: object): Promise<unknown> {
    const scripted = await scriptBluesky(
      [
        ['POST /xrpc/com.atproto.repo.putRecord', { json: { uri: `at://${DID}/app.bsky.feed.post/1`, cid: 'bafy' } }],
        [
          `GET /xrpc/com.atproto.repo.getRecord?repo=${encodeURIComponent(DID)}&collection=app.bsky.actor.profile&rkey=self`,
          { status: 400, json: { error: 'RecordNotFound', message: 'no' } },
        ],
      ],
      { kept: (url) => session(1, url), ...defaults },
    );
    await using closing = scripted;
    const post = await closing.social.createPost('Hallo', { key: 'k', ...options });
    expect(scripted.written()).toMatchObject([{ record: { text: 'Hallo' } }]);
    return post.language;
  }

  test('a record has the language of the call, else that of the account, else none', async () => {
    expect(await langsOf({ language: 'de', visibility: 'public' }, { language: 'en' })).toBe('de');
    expect(await langsOf({}, { language: 'en' })).toBe('en');
    expect(await langsOf({}, {})).toBe(undefined);
  });

  test('a post with a restricted visibility fails before any request', async () => {
    await using scripted = await scriptBluesky([], { kept: (url) => session(1, url) });

    const post = scripted.social.createPost('Hallo', { visibility: 'unlisted' });

    await expect(post).rejects.toMatchObject({ name: 'UnsupportedParameter', parameter: 'visibility', value: 'unlisted' });
  });
});

test.for([
  ['language', { language: 'de' }],
  ['visibility', { visibility: 'unlisted' }],
] as const)('X has no %s: the post fails before any request, with alternatives', async ([parameter, options]) => {
  await using x = await scriptX([]);

  await expect(x.social.createPost('Hallo', options)).rejects.toMatchObject({
    name: 'UnsupportedParameter',
    parameter,
    reason: 'NO_FEATURE',
    alternatives: expect.arrayContaining([expect.any(String)]),
  });
});

test('an invalid language code fails before any request', async () => {
  await using scripted = await scriptMastodon([]);

  await expect(scripted.social.createPost('Hallo', { language: 'german' })).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining('not a language code'),
  });
});

test('the sandbox describes the visibility of its posts', () => {
  expect(ofSandbox.createPost.parameters?.['visibility']?.values).toHaveProperty('followers');
});
