import * as fc from 'fast-check';
import { fetch, FormData, Response } from 'undici';
import { describe, expect, test } from 'vitest';
import { readMultipart } from '#src/sandbox/x/media/multipart.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scene, type Scene } from './scene.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const MP4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(5000, 7)]);
const GIF = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');

/** Half a second goes by at every look, as the client awaits the world's time. */
class HastyClock extends ManualClock {
  #looks = 0;

  override nowMs(): number {
    this.#looks += 1;
    return super.nowMs() + 500 * this.#looks;
  }
}

/** Uploads in parts by the official client. */
async function inParts(
  here: Scene,
  bytes: Buffer,
  {
    mediaType,
    mediaCategory,
  }: { mediaType: 'video/mp4' | 'image/gif' | 'image/png'; mediaCategory: 'tweet_video' | 'tweet_gif' | 'tweet_image' },
) {
  const x = await here.xdkOf();
  const { data } = await x.media.initializeUpload({ mediaType, mediaCategory, totalBytes: bytes.length });
  const id = data?.id ?? '';
  const half = Math.ceil(bytes.length / 2);
  for (const [segmentIndex, part] of [bytes.subarray(0, half), bytes.subarray(half)].entries()) {
    await x.media.appendUpload(id, { segmentIndex, media: part.toString('base64') });
  }
  return { x, id, done: await x.media.finalizeUpload(id) };
}

describe('a file', () => {
  test('in one piece is ready at once, and stands in a post with what is said of it', async () => {
    await using here = await scene();
    const x = await here.xdkOf();

    const { data } = await x.media.upload({ media: PNG.toString('base64'), mediaCategory: 'tweet_image' });
    await x.media.createMetadata({ id: data?.id ?? '', metadata: { altText: { text: 'One pixel' } } });
    const post = await x.posts.create({ text: 'Look', media: { mediaIds: [data?.id ?? ''] } });
    const read = await x.posts.getById(post.data?.id ?? '', {
      expansions: ['attachments.media_keys'],
      mediaFields: ['url', 'alt_text', 'width', 'height'],
      postFields: ['entities', 'display_text_range'],
    });

    expect(data).toMatchObject({ mediaKey: `3_${data?.id}`, size: PNG.length, expiresAfterSecs: 86_400 });
    expect(data).not.toHaveProperty('processingInfo');
    expect(post.data?.text).toMatch(/^Look https:\/\/t\.co\/\w{10}$/);
    expect(read.data).toMatchObject({
      attachments: { mediaKeys: [`3_${data?.id}`] },
      displayTextRange: [0, 4],
      entities: {
        urls: [{ start: 5, end: 28, mediaKey: `3_${data?.id}`, expandedUrl: `https://x.com/fanfare/status/${post.data?.id}/photo/1` }],
      },
    });
    expect(read.includes?.media).toEqual([
      { mediaKey: `3_${data?.id}`, type: 'photo', altText: 'One pixel', width: 1, height: 1, url: expect.any(String) },
    ]);
    const shown = await fetch(read.includes?.media?.[0]?.url ?? '');
    expect(Buffer.from(await shown.arrayBuffer()).equals(PNG)).toBe(true);
  });

  test('in parts is looked at for a while before a post takes it', async () => {
    await using here = await scene();
    const { x, id, done } = await inParts(here, MP4, { mediaType: 'video/mp4', mediaCategory: 'tweet_video' });
    const post = () => x.posts.create({ text: 'A film', media: { mediaIds: [id] } });

    expect(done.data).toMatchObject({ id, mediaKey: `7_${id}`, size: MP4.length, processingInfo: { state: 'pending', checkAfterSecs: 1 } });
    await expect(post()).rejects.toMatchObject({
      status: 400,
      data: { errors: [{ message: 'Your media IDs are invalid.', parameters: { 'media.media_ids': [id] } }] },
    });
    await here.clock.advance(2000);
    expect((await x.media.getUploadStatus(id)).data?.processingInfo).toEqual({
      state: 'in_progress',
      checkAfterSecs: 1,
      progressPercent: 67,
    });
    await here.clock.advance(1000);
    expect((await x.media.getUploadStatus(id, { command: 'STATUS' })).data?.processingInfo).toEqual({
      state: 'succeeded',
      progressPercent: 100,
    });
    const { data } = await post();
    const read = await x.posts.getById(data?.id ?? '', { expansions: ['attachments.media_keys'], mediaFields: ['variants'] });
    expect(read.includes?.media).toMatchObject([{ mediaKey: `7_${id}`, type: 'video', variants: [{ contentType: 'video/mp4' }] }]);
  });

  test('that is no film fails while it is looked at', async () => {
    await using here = await scene();
    const { x, id, done } = await inParts(here, Buffer.alloc(100, 1), { mediaType: 'video/mp4', mediaCategory: 'tweet_video' });
    await here.clock.advance(3000);

    expect(done.data?.processingInfo?.state).toBe('pending');
    expect((await x.media.getUploadStatus(id)).data?.processingInfo).toMatchObject({ state: 'failed', error: { name: 'InvalidMedia' } });
  });

  test('may be a larger film for a post than for a message', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    const begin = (mediaCategory: 'tweet_video' | 'dm_video') =>
      x.media.initializeUpload({ mediaType: 'video/mp4', mediaCategory, totalBytes: 600 * 1024 * 1024 });

    expect((await begin('tweet_video')).data?.id).toEqual(expect.any(String));
    await expect(begin('dm_video')).rejects.toMatchObject({ status: 400 });
  });

  test('of which a part is missing cannot be finished', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    const { data } = await x.media.initializeUpload({ mediaType: 'image/png', mediaCategory: 'tweet_image', totalBytes: PNG.length + 1 });
    await x.media.appendUpload(data?.id ?? '', { segmentIndex: 0, media: PNG.toString('base64') });

    await expect(x.media.finalizeUpload(data?.id ?? '')).rejects.toMatchObject({
      status: 400,
      data: { errors: [{ message: expect.stringContaining('do not add up') }] },
    });
  });

  test('by the other client goes in parts of a form, a GIF is awaited', async () => {
    await using here = await scene({ clock: new HastyClock(Date.now()) });
    const { accessToken } = await here.session();
    const { v2 } = here.twitterApi(accessToken);

    const picture = await v2.uploadMedia(PNG, { media_type: 'image/png' as never, media_category: 'tweet_image' }, 20); // the type is an enum of it
    await v2.createMediaMetadata(picture, { alt_text: { text: 'Small' } });
    const { data } = await v2.tweet('By the other', { media: { media_ids: [picture] } });
    const moving = await v2.uploadMedia(GIF, { media_type: 'image/gif' as never, media_category: 'tweet_gif' });

    expect(
      (await v2.singleTweet(data.id, { expansions: ['attachments.media_keys'], 'media.fields': ['alt_text'] })).includes?.media,
    ).toMatchObject([{ alt_text: 'Small' }]);
    expect((await v2.tweet('It moves', { media: { media_ids: [moving] } })).data.id).toBeDefined();
  }, 20_000);

  test('by commands in a form, as the older way has it', async () => {
    await using here = await scene();
    const { accessToken: token } = await here.session();
    const command = async (fields: Record<string, string | Blob>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const answer = await fetch(`${here.url}/2/media/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      return { status: answer.status, body: (await answer.json()) as { data: { id: string } } }; // every command answers so
    };

    const begun = await command({
      command: 'INIT',
      media_type: 'image/png',
      total_bytes: String(PNG.length),
      media_category: 'tweet_image',
    });
    const { id } = begun.body.data;
    const appended = await command({ command: 'APPEND', media_id: id, segment_index: '0', media: new Blob([PNG]) });
    const finished = await command({ command: 'FINALIZE', media_id: id });
    const whole = await command({ media: new Blob([PNG]), media_category: 'tweet_image' });

    expect([begun.status, appended.status, finished.status, whole.status]).toEqual([200, 200, 200, 200]);
    expect(finished.body).toMatchObject({ data: { id, size: PNG.length } });
    expect((await here.send('POST', '/2/tweets', { token, json: { media: { media_ids: [id, whole.body.data.id] } } })).status).toBe(201);
  });

  test.for([
    ['too large a picture', { mediaType: 'image/png', mediaCategory: 'tweet_image', totalBytes: 5 * 1024 * 1024 + 1 }],
    ['something unknown', { mediaType: 'text/plain', mediaCategory: 'tweet_image', totalBytes: 10 }],
    ['nothing at all', { mediaType: 'image/png', mediaCategory: 'tweet_image', totalBytes: 0 }],
  ] as const)('%s is refused before a byte of it is sent', async ([, body]) => {
    await using here = await scene();
    const x = await here.xdkOf();

    await expect(x.media.initializeUpload(body as never)).rejects.toMatchObject({ status: 400 });
  });

  test('can be used for a day, and by nobody else', async () => {
    await using here = await scene();
    const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
    const [x, other] = [await here.xdkOf(), await here.xdkOf(person?.handle)];
    const { data } = await x.media.upload({ media: PNG.toString('base64'), mediaCategory: 'tweet_image' });
    const mediaIds = [data?.id ?? ''];

    await expect(other.posts.create({ media: { mediaIds } })).rejects.toMatchObject({ status: 400 });
    await expect(other.media.getUploadStatus(mediaIds[0] ?? '')).rejects.toMatchObject({ status: 404 });
    await here.clock.advance(86_400_000);
    const later = await here.xdkOf();
    await expect(later.posts.create({ media: { mediaIds } })).rejects.toMatchObject({ status: 400 });
  });
});

test('the parts of a form are read as any form was written, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,9}$/), fc.uint8Array({ maxLength: 200 })), { maxLength: 5 }),
      async (fields) => {
        const form = new FormData();
        for (const [name, content] of fields) form.append(name, new Blob([content]), 'file');
        const written = new Response(form);
        const body = Buffer.from(await written.arrayBuffer());

        const parts = readMultipart(body, written.headers.get('content-type') ?? '');

        expect(parts?.map(({ name, content }) => [name, content.toString('hex')])).toEqual(
          fields.map(([name, content]) => [name, Buffer.from(content).toString('hex')]),
        );
      },
    ),
  );
});

test('what is no form is none', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 100 }),
      fc.constantFrom('multipart/form-data', 'multipart/form-data; boundary=b', ''),
      (bytes, type) => {
        expect(readMultipart(Buffer.from(bytes), type)).toBeUndefined();
      },
    ),
  );
});
