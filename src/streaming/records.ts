import { z } from 'zod';
import { Person, ref } from '#src/operation/record.ts';

const fetchedAt = z.date().describe('The time of the response.');
const count = z.int().min(0);

const user = z.object({
  ...ref,
  handle: z.string().describe('The name in the address of the channel.'),
  displayName: z.string(),
  bio: z.string().optional(),
  avatarUrl: z.string().optional(),
  bannerUrl: z.string().optional(),
  createdAt: z.date().optional(),
  followerCount: count.optional(),
  verified: z.enum(['none', 'partner', 'affiliate']),
  isLive: z.boolean().optional(),
  fetchedAt,
});

/** A user with a channel. */
export interface User extends z.output<typeof user> {}
export const User: z.ZodType<User> = user;

const game = z.object({
  ...ref,
  name: z.string(),
  boxArtUrl: z.string().optional(),
  igdbId: z.string().optional(),
  viewerCount: count.optional().describe('The sum over the streams of the call; absent if the call read no streams.'),
  liveChannelCount: count.optional().describe('The number of streams in the call; absent if the call read no streams.'),
  fetchedAt,
});

/** A game, or a category such as "Just Chatting". */
export interface Game extends z.output<typeof game> {}
export const Game: z.ZodType<Game> = game;

const stream = z.object({
  ...ref,
  owner: Person,
  game: z.object({ ...ref, name: z.string() }).optional(),
  title: z.string(),
  viewerCount: count,
  startedAt: z.date(),
  language: z.string().optional().describe('Lower case, as `en` or `zh-hk`.'),
  tags: z.array(z.string()),
  mature: z.boolean().optional(),
  thumbnailUrl: z.string().optional().describe('The picture in 1280x720, at an address that changes with each response.'),
  thumbnailTemplate: z.string().optional().describe('The address with {width} and {height}.'),
  fetchedAt,
});

/** A live stream. */
export interface Stream extends z.output<typeof stream> {}
export const Stream: z.ZodType<Stream> = stream;

const gameReference = z.object({ ...ref, name: z.string() });

const video = z.object({
  ...ref,
  owner: Person,
  game: gameReference.optional().describe('The game; absent if the platform does not state it.'),
  title: z.string(),
  description: z.string().optional(),
  createdAt: z.date(),
  publishedAt: z.date().optional(),
  durationMs: count,
  viewCount: count,
  language: z.string().optional().describe('Lower case, as `en` or `zh-hk`.'),
  kind: z.enum(['archive', 'highlight', 'upload']),
  streamId: z.string().optional().describe('The recorded stream.'),
  mutedSegments: z.array(z.object({ offsetMs: count, durationMs: count })),
  thumbnailUrl: z.string().optional(),
  thumbnailTemplate: z.string().optional().describe('The address with {width} and {height}.'),
  fetchedAt,
});

/** A recording, a highlight or an upload of a channel. */
export interface Video extends z.output<typeof video> {}
export const Video: z.ZodType<Video> = video;

const clip = z.object({
  ...ref,
  owner: Person.describe('The owner of the stream.'),
  creator: Person.optional().describe('The creator of the clip.'),
  gameId: z.string().optional(),
  videoId: z.string().optional().describe('The recording of the stream.'),
  vodOffsetMs: count.optional().describe('The start of the clip in the recording.'),
  title: z.string(),
  createdAt: z.date(),
  durationMs: count,
  viewCount: count,
  language: z.string().optional().describe('Lower case, as `en` or `zh-hk`.'),
  featured: z.boolean().optional(),
  thumbnailUrl: z.string().optional(),
  embedUrl: z.string().optional(),
  fetchedAt,
});

/** A short part of a stream. */
export interface Clip extends z.output<typeof clip> {}
export const Clip: z.ZodType<Clip> = clip;
