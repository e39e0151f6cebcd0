import type { Person } from '#src/clients/operation/record.ts';
import type { Trends } from '#src/clients/social/records/discovery.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { User as SocialUser } from '#src/clients/social/records/user.ts';
import type { Clip, Game, Stream, User, Video } from '#src/clients/streaming/records.ts';
import { fc } from '../../support/property.ts';
import { foreignAddress as url, foreignText as text } from './hostile-records.ts';

const platform = fc.constant('demo');
const id = fc.string({ minLength: 1, maxLength: 20 });
const count = fc.oneof(fc.nat(), fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER));
const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { nil: undefined });
const ref = { platform, id, url };
const fetchedAt = date;

const person: fc.Arbitrary<Person> = fc.record({ ...ref, handle: text, displayName: text });

/** Records with anything in them that a platform may let people write. */
export const anyStream: fc.Arbitrary<Stream> = fc.record({
  ...ref,
  owner: person,
  game: maybe(fc.record({ ...ref, name: text })),
  title: text,
  viewerCount: count,
  startedAt: date,
  language: maybe(text),
  tags: fc.array(text, { maxLength: 20 }),
  mature: maybe(fc.boolean()),
  thumbnailUrl: url,
  fetchedAt,
});

export const anyGame: fc.Arbitrary<Game> = fc.record({
  ...ref,
  name: text,
  boxArtUrl: url,
  viewerCount: maybe(count),
  liveChannelCount: maybe(count),
  fetchedAt,
});

export const anyVideo: fc.Arbitrary<Video> = fc.record({
  ...ref,
  owner: person,
  game: maybe(fc.record({ ...ref, name: text })),
  title: text,
  description: maybe(text),
  createdAt: date,
  publishedAt: maybe(date),
  durationMs: count,
  viewCount: count,
  kind: fc.constantFrom('archive', 'highlight', 'upload'),
  mutedSegments: fc.constant([]),
  thumbnailUrl: url,
  fetchedAt,
});

export const anyClip: fc.Arbitrary<Clip> = fc.record({
  ...ref,
  owner: person,
  creator: maybe(person),
  title: text,
  createdAt: date,
  durationMs: count,
  viewCount: count,
  thumbnailUrl: url,
  fetchedAt,
});

export const anyChannel: fc.Arbitrary<User> = fc.record({
  ...ref,
  handle: text,
  displayName: text,
  bio: maybe(text),
  avatarUrl: url,
  bannerUrl: url,
  createdAt: maybe(date),
  followerCount: maybe(count),
  verified: fc.constantFrom('none', 'partner', 'affiliate'),
  isLive: maybe(fc.boolean()),
  fetchedAt,
});

export const anyPerson: fc.Arbitrary<SocialUser> = fc.record({
  ...ref,
  handle: text,
  displayName: text,
  bio: maybe(text),
  avatarUrl: url,
  bannerUrl: url,
  createdAt: maybe(date),
  followerCount: maybe(count),
  followingCount: maybe(count),
  postCount: maybe(count),
  verified: fc.constantFrom('none', 'blue', 'business'),
  protected: maybe(fc.boolean()),
  bot: maybe(fc.boolean()),
  location: maybe(text),
  websiteUrl: url,
  fetchedAt,
});

const media = fc.record({
  id,
  kind: fc.constantFrom('image', 'video', 'gif', 'audio'),
  url,
  previewUrl: url,
  altText: maybe(text),
  state: fc.constant('ready'),
}) satisfies fc.Arbitrary<Post['media'][number]>;

const poll = fc.record({
  options: fc.array(fc.record({ index: fc.nat(9), label: text, votes: maybe(count) }), { minLength: 1, maxLength: 20 }),
  totalVotes: maybe(count),
  voters: maybe(count),
  endsAt: date,
  closed: fc.boolean(),
  multiple: fc.boolean(),
}) satisfies fc.Arbitrary<NonNullable<Post['poll']>>;

export const anyPost: fc.Arbitrary<Post> = fc.record({
  ...ref,
  author: person,
  text,
  entities: fc.constant([]),
  createdAt: date,
  editedAt: maybe(date),
  replyTo: maybe(fc.record({ postId: id })),
  quoted: maybe(fc.record({ postId: id, state: fc.constantFrom('accepted', 'unavailable', 'blocked'), text: maybe(text) })),
  repostOf: maybe(id),
  media: fc.array(media, { maxLength: 6 }),
  sensitive: maybe(fc.boolean()),
  poll: maybe(poll),
  visibility: fc.constant('public'),
  replyAudience: fc.constant('everyone'),
  counts: fc.record({ likes: count, reposts: count, replies: count, quotes: count }),
  fetchedAt,
});

export const anyTrends: fc.Arbitrary<readonly Trends[]> = fc.array(
  fc.record({
    rank: fc.integer({ min: 1, max: 20 }),
    name: text,
    kind: fc.constantFrom('hashtag', 'phrase', 'topic'),
    url,
    postCount: maybe(count),
    category: maybe(text),
  }),
  { minLength: 1, maxLength: 10 },
);
