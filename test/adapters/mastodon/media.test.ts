import { describe, expect, test } from 'vitest';
import { fileWith, PNG } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { describes, scriptMastodon } from './script-mastodon.ts';

const ready = { id: '5', type: 'image', url: 'https://files.example/5.png', description: 'A card' };
const waiting = { id: '5', type: 'image', url: null, preview_url: 'https://files.example/5-small.png' };
const LOOK = 'GET /api/v1/media/5';

describe('a file', () => {
  test('goes out with its type and its text, cut to what the server takes', async () => {
    using folder = temporaryFolder();
    await using scripted = await scriptMastodon([
      describes({ media_attachments: { description_limit: 10 } }),
      ['POST /api/v2/media', { json: ready }],
    ]);

    const media = await scripted.social.uploadMedia(fileWith(PNG, { folder, name: 'card.png' }), { altText: 'A card with the schedule' });

    const { headers, body = '' } = scripted.server.seen[1] ?? {};
    expect(headers?.['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toMatch(/name="file"; filename="[^"]+\.png"\r\nContent-Type: image\/png/i);
    expect(body).toMatch(/name="description"\r\n\r\nA card wi…\r\n/);
    expect(media).toMatchObject({
      platform: 'mastodon',
      id: '5',
      kind: 'image',
      state: 'ready',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('that is still processed is waited for', async () => {
    using folder = temporaryFolder();
    await using scripted = await scriptMastodon([
      describes(),
      ['POST /api/v2/media', { status: 202, json: waiting }],
      [LOOK, { status: 206, json: waiting }],
      [LOOK, { status: 206, text: '' }],
      [LOOK, { json: ready }],
    ]);

    const media = await whileSleeping(scripted.clock, scripted.social.uploadMedia(fileWith(PNG, { folder, name: 'card.png' })));

    expect(media.state).toBe('ready');
    expect(scripted.clock.sleeping).toBe(0);
  });

  test('that cannot be processed is said to be so', async () => {
    using folder = temporaryFolder();
    await using scripted = await scriptMastodon([
      describes(),
      ['POST /api/v2/media', { status: 202, json: waiting }],
      [LOOK, { status: 422, json: { error: 'Datei ist ungültig' } }],
    ]);

    const write = scripted.social.createPost('Look', { files: [fileWith(PNG, { folder, name: 'card.png' })] });

    await expect(whileSleeping(scripted.clock, write)).rejects.toMatchObject({
      fault: 'rejected',
      message: expect.stringContaining('could not process'),
    });
  });

  test('takes the older way where the server has no other', async () => {
    using folder = temporaryFolder();
    await using scripted = await scriptMastodon([
      describes(),
      ['POST /api/v2/media', { status: 404 }],
      ['POST /api/v1/media', { json: ready }],
    ]);

    expect((await scripted.social.uploadMedia(fileWith(PNG, { folder, name: 'card.png' }))).id).toBe('5');
  });

  test('too many are not sent at all', async () => {
    await using scripted = await scriptMastodon([describes({ statuses: { max_media_attachments: 1 } })]);

    await expect(scripted.social.createPost('Look', { files: ['a.png', 'b.png'] })).rejects.toMatchObject({
      name: 'ValidationError',
      path: 'files',
    });
  });
});
