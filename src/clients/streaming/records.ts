import { z } from 'zod';
import { channelHandle, lowerCaseText } from '#src/clients/operation/parameters.ts';
import { Person, personFields, ref } from '#src/clients/operation/record.ts';

const fetchedAt = z.date().describe('The time of the response.');
const count = z.int().min(0);

const user = z.object({
  ...ref,
  handle: channelHandle().describe('The name in the address of the channel.'),
  displayName: z.string().describe('The displayed name.'),
  bio: z.string().optional().describe('The description of the channel.'),
  avatarUrl: z.string().optional().describe('The address of the profile picture.'),
  bannerUrl: z.string().optional().describe('The address of the banner.'),
  createdAt: z.date().optional().describe('The time of registration.'),
  followerCount: count.optional().describe('The number of followers. On Twitch, only of the signed-in channel.'),
  verified: z.enum(['none', 'partner', 'affiliate']).describe('The status on the platform.'),
  isLive: z.boolean().optional().describe('Whether the channel is live.'),
  fetchedAt,
});

/** A user with a channel. */
export interface User extends z.output<typeof user> {}
export const User: z.ZodType<User> = user;

const follower = z.object({
  ...personFields,
  followedAt: z.date().describe('The time of the follow.'),
  fetchedAt,
});

/** A follower of the signed-in channel. */
export interface Follower extends z.output<typeof follower> {}
export const Follower: z.ZodType<Follower> = follower;

const chatMessage = z.object({
  ...ref,
  text: z.string().describe('The text.'),
  sentAt: z.date().describe('The time of the response.'),
});

/** A message in the chat of a channel. */
export interface ChatMessage extends z.output<typeof chatMessage> {}
export const ChatMessage: z.ZodType<ChatMessage> = chatMessage;

const game = z.object({
  ...ref,
  name: z.string().describe('The name on the platform.'),
  boxArtUrl: z.string().optional().describe('The address of the cover.'),
  igdbId: z.string().optional().describe('The id in the game database IGDB.'),
  viewerCount: count.optional().describe('The sum over the streams of the call; absent if the call read no streams.'),
  liveChannelCount: count.optional().describe('The number of streams in the call; absent if the call read no streams.'),
  fetchedAt,
});

/** A game, or a category such as "Just Chatting". */
export interface Game extends z.output<typeof game> {}
export const Game: z.ZodType<Game> = game;

const gameReference = z.object({ ...ref, name: z.string().describe('The name on the platform.') });

const streamer = z.object({
  ...personFields,
  handle: channelHandle().describe('The name in addresses and mentions, without @.'),
  avatarUrl: z.string().optional().describe('The address of the profile picture. On Twitch, only `getStreams` with `users` has it.'),
  bannerUrl: z.string().optional().describe('The address of the offline picture. Only `getStreams` with `users` has it.'),
});

const streamedGame = gameReference.extend({
  boxArtUrl: z.string().optional().describe('The address of the cover. On Twitch, only `getStreams` with `users` has it.'),
});

const stream = z.object({
  ...ref,
  owner: streamer.describe('The streamer.'),
  game: streamedGame.optional().describe('The game or category.'),
  title: z.string().describe('The title.'),
  viewerCount: count.describe('The number of viewers.'),
  startedAt: z.date().describe('The start of the stream.'),
  language: lowerCaseText().optional().describe('Lower case, for example `en` or `zh-hk`.'),
  tags: z.array(z.string()).describe('The tags of the stream.'),
  mature: z.boolean().optional().describe('Whether the stream is for adults.'),
  thumbnailUrl: z.string().optional().describe('The picture in 1280x720, at an address that changes with each response.'),
  thumbnailTemplate: z.string().optional().describe('The address with {width} and {height}.'),
  fetchedAt,
});

/** A live stream. */
export interface Stream extends z.output<typeof stream> {}
export const Stream: z.ZodType<Stream> = stream;

const scheduledStream = z.object({
  ...ref,
  owner: Person.describe('The streamer.'),
  game: gameReference.optional().describe('The planned game or category.'),
  title: z.string().describe('The title.'),
  startsAt: z.date().describe('The planned start.'),
  endsAt: z.date().optional().describe('The planned end.'),
  canceled: z.boolean().describe('Whether the streamer canceled it, or is on vacation.'),
  recurring: z.boolean().describe('Whether it is repeated each week.'),
  fetchedAt,
});

/** A stream in the schedule of a channel. The id stays if the stream is moved. */
export interface ScheduledStream extends z.output<typeof scheduledStream> {}
export const ScheduledStream: z.ZodType<ScheduledStream> = scheduledStream;

const video = z.object({
  ...ref,
  owner: Person.describe('The owner of the channel.'),
  game: gameReference.optional().describe('The game; absent if the platform does not state it.'),
  title: z.string().describe('The title.'),
  description: z.string().optional().describe('The description.'),
  createdAt: z.date().describe('The time of creation.'),
  publishedAt: z.date().optional().describe('The time of publication.'),
  durationMs: count.describe('The length in milliseconds.'),
  viewCount: count.describe('The number of views.'),
  language: lowerCaseText().optional().describe('Lower case, for example `en` or `zh-hk`.'),
  kind: z.enum(['archive', 'highlight', 'upload']).describe('A recording of a stream (`archive`), a highlight or an upload.'),
  streamId: z.string().optional().describe('The recorded stream.'),
  mutedSegments: z.array(z.object({ offsetMs: count, durationMs: count })).describe('The parts without sound.'),
  thumbnailUrl: z.string().optional().describe('The address of the picture.'),
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
  gameId: z.string().optional().describe('The id of the game.'),
  videoId: z.string().optional().describe('The recording of the stream.'),
  vodOffsetMs: count.optional().describe('The start of the clip in the recording.'),
  title: z.string().describe('The title.'),
  createdAt: z.date().describe('The time of creation.'),
  durationMs: count.describe('The length in milliseconds.'),
  viewCount: count.describe('The number of views.'),
  language: lowerCaseText().optional().describe('Lower case, for example `en` or `zh-hk`.'),
  featured: z.boolean().optional().describe('Whether the streamer features the clip.'),
  thumbnailUrl: z.string().optional().describe('The address of the picture.'),
  embedUrl: z.string().optional().describe('The address for embedding in a page.'),
  fetchedAt,
});

/** A short part of a stream. */
export interface Clip extends z.output<typeof clip> {}
export const Clip: z.ZodType<Clip> = clip;
