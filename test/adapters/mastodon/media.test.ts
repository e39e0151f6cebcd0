import { catalogue } from '#src/clients/catalogue.ts';
import { assertAccepts } from '#src/clients/operation/client.ts';
import type { DeclaredWrite } from '#src/clients/operation/declared.ts';
import { describe, expect, test } from 'vitest';
import type { Exchange, Reply } from '../../support/script-http.ts';
import { fileWith, mp4Of, PNG, webmOf } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { describes, scriptMastodon, statusRow } from './script-mastodon.ts';

const ready = { id: '5', type: 'image', url: 'https://files.example/5.png', description: 'A card' };
const waiting = { id: '5', type: 'image', url: null, preview_url: 'https://files.example/5-small.png' };
/** The beginning of a sound with the Opus codec. */
const OPUS = Buffer.from(`OggS${'\0'.repeat(24)}OpusHead${'\0'.repeat(11)}`);
const STATE = 'GET /api/v1/media/5';

describe('a file', () => {
  test('is sent with its type and its alternative text, cut to the limit of the server', async () => {
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

  test('that is still processed is awaited', async () => {
    using folder = temporaryFolder();
    await using scripted = await scriptMastodon([
      describes(),
      ['POST /api/v2/media', { status: 202, json: waiting }],
      [STATE, { status: 206, json: waiting }],
      [STATE, { status: 206, text: '' }],
      [STATE, { json: ready }],
    ]);

    const media = await whileSleeping(scripted.clock, scripted.social.uploadMedia(fileWith(PNG, { folder, name: 'card.png' })));

    expect(media.state).toBe('ready');
    expect(scripted.clock.sleeping).toBe(0);
  });

  test('that cannot be processed is an error', async () => {
    using folder = temporaryFolder();
    await using scripted = await scriptMastodon([
      describes(),
      ['POST /api/v2/media', { status: 202, json: waiting }],
      [STATE, { status: 422, json: { error: 'Datei ist ungültig' } }],
    ]);

    const write = scripted.social.createPost('Look', { files: [fileWith(PNG, { folder, name: 'card.png' })] });

    await expect(whileSleeping(scripted.clock, write)).rejects.toMatchObject({
      fault: 'rejected',
      message: expect.stringContaining('could not process'),
    });
  });

  test('uses the older route if the server has no other', async () => {
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

describe('a file that the server just called processed, and refuses in a status for a moment', () => {
  const refused = { status: 422, json: { error: 'Dateien, die noch nicht verarbeitet wurden, können nicht angehängt werden.' } };
  const post = (reply: Reply): Exchange => ['POST /api/v1/statuses', reply];
  const card = { bytes: PNG, name: 'card.png' };
  const upload: Exchange = ['POST /api/v2/media', { json: ready }];

  test('is sent with its status some seconds later, with the same key', async () => {
    const sent = { json: statusRow('9', { media_attachments: [ready] }) };
    await using scripted = await scriptMastodon([describes(), upload, post(refused), post(refused), post(sent)]);

    const write = scripted.social.createPost('Look', { files: [card], key: 'k', since: new Date('2026-11-20T18:00:00Z') });

    expect((await whileSleeping(scripted.clock, write)).id).toBe('9');
    expect(scripted.server.seen.slice(2).map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k', 'k']);
  });

  test('is sent with its edit some seconds later', async () => {
    const [status, edit] = ['GET /api/v1/statuses/9', 'PUT /api/v1/statuses/9'];
    const before: Exchange = [status, { json: statusRow('9') }];
    const after = { json: statusRow('9', { media_attachments: [ready] }) };
    await using scripted = await scriptMastodon([before, describes(), upload, [edit, refused], before, [edit, after]]);

    const write = scripted.social.editPost('9', 'Look', { files: [card] });

    expect((await whileSleeping(scripted.clock, write)).media).toHaveLength(1);
  });

  test('ends a status that the server keeps refusing, and one without files at once', async () => {
    await using scripted = await scriptMastodon([describes(), upload, ...Array.from({ length: 4 }, () => post(refused))]);

    const write = scripted.social.createPost('Look', { files: [card] });
    await expect(whileSleeping(scripted.clock, write)).rejects.toMatchObject({ fault: 'rejected', status: 422 });
    await expect(scripted.social.createPost('Look')).rejects.toMatchObject({ fault: 'rejected', status: 422 });
    expect(scripted.server.seen).toHaveLength(6);
  });
});

describe('files of one post', () => {
  const picture = { bytes: PNG, name: 'card.png' };
  const upload: Exchange = ['POST /api/v2/media', { json: ready }];
  const post: Exchange = ['POST /api/v1/statuses', { json: statusRow('9', { media_attachments: [ready, ready] }) }];
  const compatible: readonly Exchange[] = [
    ['GET /api/v2/instance', { status: 404, json: {} }],
    ['GET /api/v1/instance', { json: { version: '2.7.2 (compatible; Pleroma 2.9.1)' } }],
  ];

  test.for([
    ['a video', { bytes: mp4Of('vide', 'soun'), name: 'a.mp4' }],
    ['a video of the web', { bytes: webmOf('V_VP9', 'A_OPUS'), name: 'a.webm' }],
    ['a sound', { bytes: OPUS, name: 'a.opus' }],
  ] as const)('are not sent if %s is beside a picture', async ([, file]) => {
    await using scripted = await scriptMastodon([describes()]);

    await expect(scripted.social.createPost('Look', { files: [picture, file] })).rejects.toMatchObject({
      name: 'ValidationError',
      path: 'files',
      message: expect.stringContaining('only without other files'),
    });
  });

  test.for([
    ['more files than the server accepts', [picture, picture], 'at most one file in a post, and the post has 2: use several posts', 1],
    ['a sound beside a picture', [picture, { bytes: OPUS, name: 'a.opus' }], 'only without other files', 4],
  ] as const)('are refused in a preview, and in an edit of it: %s', async ([, files, message, most]) => {
    await using scripted = await scriptMastodon([describes({ statuses: { max_media_attachments: most } })]);
    const inText = files.map(({ bytes, name }) => ({ base64: Buffer.from(bytes).toString('base64'), name }));

    for (const [verb, params] of [
      ['createPost', { text: 'Look', files: inText }],
      ['createScheduledPost', { text: 'Look', files: inText, sendAt: '2026-11-22T12:00:00Z' }],
      ['editPost', { post: '9', text: 'Look', files: inText }],
    ] as const) {
      const declared = catalogue.get(`social.${verb}`) as DeclaredWrite; // it is a write
      await expect(scripted.social[assertAccepts](declared, params, {})).rejects.toThrow(message);
    }
  });

  test.for([
    ['a video without a sound, of which Mastodon makes a moving picture', { bytes: mp4Of('vide'), name: 'a.mp4' }, [describes()]],
    ['such a video of the web', { bytes: webmOf('V_VP9'), name: 'a.webm' }, [describes()]],
    ['a video on a server that is not Mastodon', { bytes: mp4Of('vide', 'soun'), name: 'a.mp4' }, compatible],
  ] as const)('are sent together with %s', async ([, file, described]) => {
    await using scripted = await scriptMastodon([...described, upload, upload, post]);

    expect((await scripted.social.createPost('Look', { files: [picture, file] })).id).toBe('9');
  });

  test('are all read before the first upload', async () => {
    await using scripted = await scriptMastodon([describes()]);

    await expect(scripted.social.createPost('Look', { files: [picture, '/no/such/file.png'] })).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });
});

test('a sound is recognized by its type, with any encoder', async () => {
  const limits = { media_attachments: { supported_mime_types: ['image/png', 'audio/mpeg', 'audio/ogg'] } };
  await using scripted = await scriptMastodon([describes(limits), ['POST /api/v2/media', { json: { ...ready, type: 'audio' } }]]);

  await scripted.social.uploadMedia({ bytes: OPUS, name: 'a.opus' });

  expect(scripted.server.seen[1]?.body).toMatch(/Content-Type: audio\/ogg\r\n/i);
});
