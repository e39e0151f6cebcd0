import { expect, test } from 'vitest';
import { MP4, PNG } from '../../support/media-files.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { judge, refusalOf, type Judged } from './judge.ts';

const blob = (content: Buffer, type: string): Blob => new Blob([new Uint8Array(content)], { type });
const picture = (): Blob => blob(PNG, 'image/png');
const video = (): Blob => blob(MP4, 'video/mp4');

/** The head of a picture of that size. */
function pngOf(width: number, height: number): Buffer {
  const head = Buffer.from(PNG.subarray(0, 33));
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

async function upload({ masto }: Judged, file: Blob, description?: string) {
  return masto.v2.media.create({ file, skipPolling: true, ...(description !== undefined && { description }) });
}

test('a picture is ready at once, and stands in the post with its description', async () => {
  await using judged = await judge();
  const media = await upload(judged, picture(), 'one pixel');

  const post = await judged.masto.v1.statuses.create({ mediaIds: [media.id] });

  expect(media).toMatchObject({
    type: 'image',
    description: 'one pixel',
    meta: { original: { width: 1, height: 1, size: '1x1', aspect: 1 } },
  });
  expect(post.mediaAttachments).toEqual([media]);
  expect(Buffer.from(await (await judged.ask(new URL(media.url ?? '').pathname.slice('/mastodon'.length))).arrayBuffer())).toEqual(PNG);
  const me = await judged.masto.v1.accounts.verifyCredentials();
  expect((await judged.masto.v1.accounts.$select(me.id).statuses.list({ onlyMedia: true })).map(({ id }) => id)).toEqual([post.id]);
});

test('a video is worked on, cannot be posted before it is done, and then has its address', async () => {
  await using judged = await judge();
  const raw = await judged.masto.v2.media.create.$raw({ file: video(), skipPolling: true });
  const { id } = raw.data;
  const state = async (): Promise<readonly unknown[]> => {
    const answer = await judged.ask(`/api/v1/media/${id}`);
    const { url } = (await answer.json()) as { readonly url: unknown }; // the entity of the documentation
    return [answer.status, url];
  };

  expect(raw.data).toMatchObject({ type: 'video', url: null });
  expect(await state()).toEqual([206, null]);
  const tooEarly = await refusalOf(judged.masto.v1.statuses.create({ mediaIds: [id] }));
  expect(tooEarly).toEqual([422, 'Cannot attach files that have not finished processing. Try again in a moment!']);
  await judged.clock.advance(3000);
  expect(await state()).toEqual([200, expect.stringContaining('/media/')]);
  expect((await judged.masto.v1.statuses.create({ mediaIds: [id] })).mediaAttachments).toMatchObject([{ id, type: 'video' }]);
});

test('the client of others waits until a video is done', async () => {
  await using judged = await judge();

  // A server that takes its time to look: meanwhile the video gets done.
  judged.sandbox.faults.add({ platform: 'mastodon', method: 'GET', route: '/media/', kind: 'delay', ms: 3000, times: 1 });

  const media = await whileSleeping(judged.clock, judged.masto.v2.media.create({ file: video() }));

  expect(media.url).toContain('/media/');
});

test('the older route answers once the file is done', async () => {
  await using judged = await judge();

  const media = await judged.masto.v1.media.create({ file: video() });

  expect(media.url).toContain('/media/');
});

test('a description is changed before the file is posted, and not after', async () => {
  await using judged = await judge();
  const { id } = await upload(judged, picture());
  const chosen = judged.masto.v1.media.$select(id);

  expect(await chosen.update({ description: 'described', focus: '0.5,-2' })).toMatchObject({
    description: 'described',
    meta: { focus: { x: 0.5, y: -1 } },
  });
  expect((await judged.masto.v1.statuses.create({ mediaIds: [id] })).mediaAttachments[0]?.description).toBe('described');
  expect((await refusalOf(chosen.update({ description: 'late' })))[0]).toBe(404);
});

test.for([
  ['what is no file', Buffer.from('hello'), {}, 'Validation failed: File content type is invalid, File is invalid'],
  [
    'a picture that is too large',
    Buffer.concat([PNG, Buffer.alloc(16 * 1024 * 1024)]),
    {},
    'Validation failed: File file size must be less than 16 MB',
  ],
  ['a picture of too many pixels', pngOf(8000, 8000), {}, '8000x8000 images are not supported'],
  ['a long description', PNG, { description: 'x'.repeat(1501) }, 'Validation failed: Description is too long (maximum is 1500 characters)'],
] as const)('%s is refused', async ([, content, more, message]) => {
  await using judged = await judge();

  const uploading = judged.masto.v2.media.create({ file: blob(content, 'image/png'), skipPolling: true, ...more });

  expect(await refusalOf(uploading)).toEqual([422, message]);
});

test('a post has four pictures, or one video; each file stands in one post, and is free again when that is deleted', async () => {
  await using judged = await judge();
  const { statuses } = judged.masto.v1;
  const pictures = [];
  for (let number = 0; number < 5; number++) pictures.push((await upload(judged, picture())).id);
  const film = (await upload(judged, video())).id;
  await judged.clock.advance(3000);

  expect(await refusalOf(statuses.create({ mediaIds: pictures }))).toEqual([422, 'Cannot attach more than 4 files']);
  expect((await refusalOf(statuses.create({ mediaIds: [pictures[0] ?? '', film] })))[1]).toMatch(/already contains images/);
  const post = await statuses.create({ mediaIds: pictures.slice(0, 4) });
  expect(post.mediaAttachments.map(({ id }) => id)).toEqual(pictures.slice(0, 4));
  expect((await refusalOf(statuses.create({ mediaIds: pictures.slice(0, 1) })))[1]).toMatch(/already attached/);
  await statuses.$select(post.id).remove();
  expect((await statuses.create({ mediaIds: pictures.slice(0, 1) })).mediaAttachments).toHaveLength(1);
});

test("nobody posts another's files, nor one that was deleted", async () => {
  await using judged = await judge();
  const ada = await judged.as('ada');
  const [first, second] = [await upload(judged, picture()), await upload(judged, picture())];

  expect((await refusalOf(ada.v1.statuses.create({ mediaIds: [first.id] })))[0]).toBe(422);
  expect((await judged.ask(`/api/v1/media/${second.id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await refusalOf(judged.masto.v1.statuses.create({ mediaIds: [second.id] })))[0]).toBe(422);
});

test('an edit that sends the files again keeps them, and one that does not takes them away', async () => {
  await using judged = await judge();
  const media = await upload(judged, picture());
  const post = await judged.masto.v1.statuses.create({ status: 'with', mediaIds: [media.id] } as { mediaIds: string[] });
  const chosen = judged.masto.v1.statuses.$select(post.id);

  expect((await chosen.update({ status: 'still', mediaIds: [media.id] } as { mediaIds: string[] })).mediaAttachments).toHaveLength(1);
  expect((await chosen.update({ status: 'without' })).mediaAttachments).toEqual([]);
});

test('an edit describes files anew, in either form of a request', async () => {
  await using judged = await judge();
  const [one, two] = [await upload(judged, picture(), 'a'), await upload(judged, picture(), 'b')];
  const post = await judged.masto.v1.statuses.create({ mediaIds: [one.id, two.id] });
  const described = async (response: { json(): Promise<unknown> }): Promise<readonly unknown[]> =>
    ((await response.json()) as { media_attachments: { description: unknown }[] }).media_attachments.map(({ description }) => description); // a status
  const form = [one.id, two.id].flatMap((id, index): [string, string][] => [
    ['media_ids[]', id],
    ['media_attributes[][id]', id],
    ['media_attributes[][description]', `form ${index}`],
  ]);
  const attributes = [one.id, two.id].map((id, index) => ({ id, description: `json ${index}` }));

  const byForm = await judged.ask(`/api/v1/statuses/${post.id}`, { method: 'PUT', body: new URLSearchParams(form) });
  const byJson = await judged.ask(`/api/v1/statuses/${post.id}`, {
    method: 'PUT',
    body: JSON.stringify({ media_ids: [one.id, two.id], media_attributes: attributes }),
    headers: { 'content-type': 'application/json' },
  });

  expect(await described(byForm)).toEqual(['form 0', 'form 1']);
  expect(await described(byJson)).toEqual(['json 0', 'json 1']);
});

test('a file of a post that waits is in no other, until that is cancelled', async () => {
  await using judged = await judge();
  const media = await upload(judged, picture());
  const scheduledAt = new Date(judged.clock.nowMs() + 600_000).toISOString();
  const { id } = await judged.masto.v1.statuses.create({ mediaIds: [media.id], scheduledAt });
  const post = () => judged.masto.v1.statuses.create({ mediaIds: [media.id] });

  expect((await refusalOf(post()))[0]).toBe(422);
  await judged.masto.v1.scheduledStatuses.$select(id).remove();
  expect((await post()).mediaAttachments).toHaveLength(1);
});

test('a poll is voted in once, by others, until it is over', async () => {
  await using judged = await judge();
  const [ada, grace] = [await judged.as('ada'), await judged.as('grace')];
  const { poll } = await judged.masto.v1.statuses.create({
    status: 'which?',
    poll: { options: ['a', 'b'], expiresIn: 600, hideTotals: true },
  });
  const id = poll?.id ?? '';
  const vote = (who: typeof ada, choices: readonly number[]) => who.v1.polls.$select(id).votes.create({ choices });

  const voted = await vote(ada, [1]);

  expect(poll).toMatchObject({ expired: false, multiple: false, votesCount: 0, voted: true, ownVotes: [] });
  expect(voted).toMatchObject({
    votesCount: 1,
    votersCount: 1,
    voted: true,
    ownVotes: [1],
    options: [{ votesCount: null }, { votesCount: null }],
  });
  expect(await refusalOf(vote(ada, [0]))).toEqual([422, 'Validation failed: You have already voted on this poll']);
  expect(await refusalOf(vote(grace, [2]))).toEqual([422, 'Validation failed: The chosen vote option does not exist']);
  expect(await refusalOf(vote(judged.masto, [0]))).toEqual([422, 'Validation failed: You cannot vote in your own polls']);
  await judged.clock.advance(600_000);
  expect(await refusalOf(vote(grace, [0]))).toEqual([422, 'Validation failed: The poll has already ended']);
  const over = await judged.masto.v1.polls.$select(id).fetch();
  expect(over).toMatchObject({
    expired: true,
    options: [
      { title: 'a', votesCount: 0 },
      { title: 'b', votesCount: 1 },
    ],
  });
});
