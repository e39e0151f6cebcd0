import { describe, expect, test } from 'vitest';
import type { Json } from '#src/clients/operation/json.ts';
import { SentMessage } from '#src/clients/chat/records.ts';
import { Post } from '#src/clients/social/records/post.ts';
import { User as SocialUser } from '#src/clients/social/records/user.ts';
import { Game, Stream } from '#src/clients/streaming/records.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import { completeRecord } from '#src/engine/testing/world/sample-record.ts';
import { z } from 'zod';

const BEGAN = '2026-11-20T18:00:00.000Z';
const NOW = '2026-11-20T18:05:00.000Z';

describe('a sample record', () => {
  test('of a stream is made from one key', () => {
    const { value, errors } = make(Stream, undefined, 'ada');

    expect(errors).toEqual([]);
    expect(value).toEqual({
      platform: 'test',
      id: 'ada-1',
      url: 'https://example.invalid/ada',
      owner: {
        platform: 'test',
        id: 'ada',
        url: 'https://example.invalid/ada',
        handle: 'ada',
        displayName: 'ada',
        avatarUrl: 'https://example.invalid/ada',
        bannerUrl: 'https://example.invalid/ada',
      },
      game: {
        platform: 'test',
        id: "ada's game",
        url: "https://example.invalid/ada's%20game",
        name: "ada's game",
        boxArtUrl: "https://example.invalid/ada's%20game",
      },
      title: "ada's title",
      viewerCount: 0,
      startedAt: BEGAN,
      language: "ada's language",
      tags: [],
      mature: false,
      thumbnailUrl: 'https://example.invalid/ada',
      thumbnailTemplate: "ada's thumbnailTemplate",
      fetchedAt: NOW,
    });
  });

  test.for([
    { what: 'a stream', schema: Stream },
    { what: 'a game', schema: Game },
    { what: 'a post', schema: Post },
    { what: 'a user', schema: SocialUser },
    { what: 'a message that was sent', schema: SentMessage },
  ])('$what fits its schema', ({ schema }) => {
    const { value } = make(schema, undefined, 'ada');

    expect(schema.safeParse(withDates(value)).error).toBeUndefined();
  });

  test('keeps the fields of the case and completes partial ones', () => {
    const { value } = make(Stream, { viewerCount: 9, game: { name: 'Chess' }, startedAt: '2026-11-20T17:00:00Z' }, 'ada');

    expect(value).toMatchObject({ viewerCount: 9, game: { name: 'Chess', id: "ada's game" }, startedAt: '2026-11-20T17:00:00.000Z' });
  });

  test('of a post is no reply unless the case has replyTo', () => {
    const [post, answer] = [make(Post, undefined, 'p'), make(Post, { replyTo: { postId: 'q' } }, 'p')].map(({ value }) => value);

    expect(post).not.toHaveProperty('replyTo');
    expect(answer).toMatchObject({ replyTo: { postId: 'q' } });
  });

  test('of a post is no repost unless the case has repostOf', () => {
    const [post, repost] = [make(Post, undefined, 'p'), make(Post, { repostOf: 'q' }, 'p')].map(({ value }) => value);

    expect(post).not.toHaveProperty('repostOf');
    expect(repost).toMatchObject({ repostOf: 'q' });
  });

  test.for(['2026-11-20T18:00:00Z', '2026-11-20T20:00+02:00', '2026-11-20T18:00:00.000z'])('has the instant %s', (startedAt) => {
    const { value, errors } = make(Stream, { startedAt }, 'ada');

    expect(errors).toEqual([]);
    expect(value).toMatchObject({ startedAt: BEGAN });
  });

  test('of two possible kinds has all fields of the case', () => {
    const { value } = make(z.union([Post, SocialUser]), { handle: 'ada' }, 'ada');

    expect(value).toMatchObject({ handle: 'ada', verified: 'none' });
  });

  test('has a number as text if text is expected', () => {
    const { value, errors } = make(Game, { name: 2048 }, 'g');

    expect(errors).toEqual([]);
    expect(value).toMatchObject({ name: '2048' });
  });
});

test.for<{ part: Json; error: string }>([
  { part: { viewrCount: 9 }, error: 'viewrCount: unknown field, did you mean viewerCount?' },
  { part: { owner: { handel: 'ada' } }, error: 'owner.handel: unknown field, did you mean handle?' },
  { part: { viewerCount: 'many' }, error: 'viewerCount must be a number' },
  { part: { mature: 1 }, error: 'mature must be true or false' },
  { part: { startedAt: 'yesterday' }, error: 'startedAt must be a timestamp, as 2026-11-20T18:00:00Z' },
  { part: { startedAt: '2026-11-20T18:00' }, error: 'startedAt must be a timestamp, as 2026-11-20T18:00:00Z' },
  { part: { tags: 'a' }, error: 'tags must be a list' },
  { part: { tags: [{}] }, error: 'tags[0] must be text' },
  { part: { game: 'Chess' }, error: 'game must be a map' },
])('a field that cannot exist is reported: $error', ({ part, error }) => {
  const { errors } = make(Stream, part, 'ada');

  expect(errors).toEqual([error]);
});

function make(
  schema: z.ZodType,
  part: Json | undefined,
  seed: string,
): { readonly value: Json | undefined; readonly errors: readonly string[] } {
  const errors: string[] = [];
  const value = completeRecord(shapeOf(schema), { part, seed, began: BEGAN, now: NOW, reportError: (error) => errors.push(error) });
  return { value, errors };
}

/** The instants of a record as `Date`, as clients have them. */
function withDates(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, field: unknown) => (field === BEGAN || field === NOW ? new Date(field) : field));
}
