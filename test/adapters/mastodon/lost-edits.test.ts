import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../support/script-http.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openMastodon } from './open-mastodon.ts';
import { describes, scriptMastodon, statusRow } from './script-mastodon.ts';

const PUT = 'PUT /api/v1/statuses/9';
const GET = 'GET /api/v1/statuses/9';
const before: Exchange = [GET, { json: statusRow('9', { content: '<p>Hello</p>' }) }];
const refused: Exchange = [PUT, { status: 422, json: { error: 'Unprocessable Entity: status was not changed' } }];
const source = (text: string): Exchange => [`${GET}/source`, { json: { id: '9', text, spoiler_text: '' } }];
const noSource: Exchange = [`${GET}/source`, { status: 404, json: {} }];
const row = (more: object = {}): Exchange => [GET, { json: statusRow('9', { content: '<p>Hello <b>all</b></p>', ...more }) }];

async function edit(steps: readonly Exchange[], text = 'Hello *all*'): Promise<unknown> {
  await using scripted = await scriptMastodon([before, ...steps]);
  return await whileSleeping(
    scripted.clock,
    scripted.social.editPost('9', text).catch((error: unknown) => error),
  );
}

describe('an edit with a lost response, on a server that rejects its repeat', () => {
  test('succeeds', async () => {
    expect(await edit([[PUT, { fail: 'within' }], refused, row(), source('Hello *all*')])).toMatchObject({ id: '9', text: 'Hello all' });
  });

  test('succeeds if the server shows its text and no source', async () => {
    expect(await edit([[PUT, { fail: 'within' }], refused, row(), noSource], 'Hello all')).toMatchObject({ id: '9' });
  });

  test.for([
    ['another text', [row(), source('Hello')]],
    ['another text and no source', [row(), noSource]],
    ['other files', [row({ media_attachments: [{ id: '5', type: 'image' }] })]],
    ['another warning', [row({ spoiler_text: 'Chess' })]],
    ['a poll', [row({ poll: { id: '6', options: [{ title: 'Yes' }, { title: 'No' }] } })]],
  ] as const)('fails beside a status with %s', async ([, reads]) => {
    expect(await edit([refused, ...reads, describes()])).toMatchObject({ name: 'PlatformError', fault: 'rejected' });
  });
});

test('an edit with a lost response succeeds on a server without idempotency', async () => {
  await using fixture = await openMastodon({ kind: 'bare' });
  const post = await fixture.social.createPost('Hello');
  fixture.sandbox.faults.add({ platform: 'mastodon', method: 'PUT', kind: 'resetAfter', times: 1 });

  const edited = await whileSleeping(fixture.clock, fixture.social.editPost(post, 'Hello all'));

  expect(edited).toMatchObject({ id: post.id, text: 'Hello all' });
  await expect(fixture.social.editPost(post, 'Hello all')).resolves.toMatchObject({ id: post.id });
});
