import { createHash } from 'node:crypto';
import { fetch } from 'undici';
import { expect } from 'vitest';
import type { WrittenPost } from '#sandbox/social/posts.ts';
import type { DraftOptions } from '#src/social/draft.ts';
import { PostConversationFilters } from '#src/social/enumerations.ts';
import type { Post } from '#src/social/records/post.ts';
import { fileWith, PNG } from '../../support/media-files.ts';
import { one, row, type Case, type Row } from '../rows.ts';
import type { SocialGround } from './ground.ts';
import { ME, ROOT } from './installation/past.ts';
import { VIDEO } from './installation/posts.ts';
import { postFacts, seenPost, timeline, written, writtenPost } from './world/posts.ts';

const OTHER = '1900';
const COMMUNITY = 'speedrunners';
const HOUR_MS = 3_600_000;

interface Creation {
  readonly options?: (ground: SocialGround) => DraftOptions | Promise<DraftOptions>;
  /** What the store then says beside the text. */
  readonly stored?: (ground: SocialGround, post: Post) => Partial<WrittenPost>;
  /** What the answer says beside what every post does. */
  readonly shows?: Partial<Post>;
  readonly onTimeline?: boolean;
}

/** The platform then has one post more: this one, as it was asked for and with nothing else. */
function creates(form: string, { options = () => ({}), stored = () => ({}), shows = {}, onTimeline = true }: Creation): Case<SocialGround> {
  return one({
    form,
    async prove(ground) {
      const before = written(ground);
      const text = `A post with ${form}`;

      const post = await ground.client.createPost(text, await options(ground));

      const after = written(ground);
      const { id, likes: _likes, reposts: _reposts, replies: _replies, ...kept } = writtenPost(ground, post.id);
      expect(after.length).toBe(before.length + 1);
      expect(before.some((earlier) => earlier.id === id)).toBe(false);
      expect(kept).toEqual({
        authorId: ME,
        text,
        language: 'en',
        createdAtMs: ground.nowMs,
        visibleAtMs: ground.nowMs,
        media: [],
        earlier: [],
        scheduled: false,
        ...stored(ground, post),
      });
      expect(seenPost(post)).toEqual(postFacts({ ...kept, id, likes: 0, reposts: 0, replies: 0 }));
      expect(post).toMatchObject({ replyAudience: 'everyone', ...shows });
      expect(timeline(ground).some((each) => each.id === id)).toBe(onTimeline);
      expect(await ground.client.postDetail(id)).toEqual(post);
    },
  });
}

/** What the platform has of a picture, which can be looked at, too. */
function picture({ store }: SocialGround, { media }: Post, altText?: string): WrittenPost['media'] {
  const sha256 = createHash('sha256').update(PNG).digest('hex');
  return media.map(({ id }) => {
    expect(store.get('social.uploads', id)).toMatchObject({ id, ownerId: ME, kind: 'image', sha256 });
    return { id, kind: 'image', width: 1, height: 1, sizeBytes: PNG.length, ...(altText !== undefined && { altText }) };
  });
}

const AUDIENCES = {
  ByInvitation: 'mentioned',
  Community: 'following',
  Subscribers: 'subscribers',
  Verified: 'verified',
  Followers: 'followers',
  Nobody: 'nobody',
} as const satisfies Record<PostConversationFilters, Post['replyAudience']>;

export function createPost(): Row<SocialGround> {
  return row<SocialGround>(
    'create_post',
    creates('text', {}),
    creates('files: str, a path', {
      options: ({ folder }) => ({ files: [fileWith(PNG, { folder, name: 'card.png' })] }),
      stored: (ground, post) => ({ media: picture(ground, post) }),
    }),
    creates('files: a path with a text', {
      options: ({ folder }) => ({ files: [[fileWith(PNG, { folder, name: 'card.png' }), 'A card']] }),
      stored: (ground, post) => ({ media: picture(ground, post, 'A card') }),
    }),
    creates('files: UploadedMedia', {
      options: () => ({ files: [{ platform: 'sandbox', id: VIDEO, kind: 'video', state: 'ready' }] }),
      stored: () => ({ media: [{ id: VIDEO, kind: 'video', sizeBytes: 9 }] }),
    }),
    one({
      form: 'files: can be looked at',
      async prove(ground) {
        const post = await ground.client.createPost('', { files: [fileWith(PNG, { folder: ground.folder, name: 'card.png' })] });

        const response = await fetch(post.media[0]?.url ?? '');
        expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
      },
    }),
    Object.values(PostConversationFilters).map((filter) =>
      creates(`filter_: ${filter}`, {
        options: () => ({ filter }),
        stored: () => ({ audience: filter }),
        shows: { replyAudience: AUDIENCES[filter] },
      }),
    ),
    ...(
      [
        ['str', () => OTHER],
        ['Post', ({ client }: SocialGround) => client.postDetail(OTHER)],
      ] as const
    ).flatMap(([form, valueFor]) => [
      creates(`reply_to: ${form}`, {
        options: async (ground) => ({ replyTo: await valueFor(ground) }),
        stored: () => ({ replyTo: OTHER }),
        shows: { conversationId: OTHER },
      }),
      creates(`quote: ${form}`, {
        options: async (ground) => ({ quote: await valueFor(ground) }),
        stored: () => ({ quote: OTHER }),
        shows: { quoted: { postId: OTHER, state: 'accepted', text: `Post ${OTHER}` } },
      }),
    ]),
    creates('pool: dict', {
      options: () => ({ poll: { options: ['Chess', 'Go'], durationMinutes: 120, multiple: true } }),
      stored: ({ nowMs }) => ({
        poll: {
          options: [
            { label: 'Chess', crowd: 0 },
            { label: 'Go', crowd: 0 },
          ],
          endsAtMs: nowMs + 2 * HOUR_MS,
          multiple: true,
        },
      }),
    }),
    creates('place: str', { options: () => ({ place: 'nairobi' }), stored: () => ({ place: 'nairobi' }) }),
    creates('place: Place', {
      options: () => ({ place: { id: 'lisbon', name: 'Lisbon' } }),
      stored: () => ({ place: 'lisbon' }),
      shows: { place: { id: 'lisbon', name: 'Lisbon', fullName: 'Lisbon, Portugal', country: 'Portugal', countryCode: 'PT' } },
    }),
    creates('batch_compose: true, below a post of its own', {
      options: () => ({ replyTo: ROOT, batchCompose: true }),
      stored: () => ({ replyTo: ROOT }),
      shows: { conversationId: ROOT },
    }),
    one({
      form: "batch_compose: true, below somebody else's post",
      async prove(ground) {
        const before = written(ground).length;
        await expect(ground.client.createPost('On and on', { replyTo: OTHER, batchCompose: true })).rejects.toMatchObject({
          fault: 'rejected',
        });
        expect(written(ground).length).toBe(before);
      },
    }),
    creates('community_id: str', {
      options: () => ({ community: COMMUNITY }),
      stored: () => ({ community: COMMUNITY, onTimeline: false }),
      onTimeline: false,
    }),
    creates('community_id: Community', {
      options: async ({ client }) => ({ community: await client.getCommunity(COMMUNITY) }),
      stored: () => ({ community: COMMUNITY, onTimeline: false }),
      onTimeline: false,
    }),
    one({
      form: 'community_id: int, which no community has',
      async prove(ground) {
        const before = written(ground).length;
        await expect(ground.client.createPost('To 7', { community: 7 })).rejects.toMatchObject({ fault: 'missing' });
        expect(written(ground).length).toBe(before);
      },
    }),
    creates('post_on_timeline: true', {
      options: () => ({ community: COMMUNITY, postOnTimeline: true }),
      stored: () => ({ community: COMMUNITY, onTimeline: true }),
    }),
  );
}
