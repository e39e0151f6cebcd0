import { z } from 'zod';

/** The time of the response. */
export const fetchedAt = z.date().describe('The time of the response.');

/** A number; absent if it is unknown, never 0 instead. */
export const count = z.int().min(0);

/** A part of a text with a meaning. Offsets count UTF-16 units, as JavaScript does. */
export const Entity = z.object({
  type: z.enum(['url', 'mention', 'hashtag', 'cashtag', 'emoji']).describe('The kind of the part.'),
  start: count.describe('The position of the first character, from 0.'),
  end: count.describe('The position after the last character.'),
  url: z.string().optional().describe('The address behind a link.'),
  userId: z.string().optional().describe('The id of the mentioned user.'),
});

const media = z.object({
  id: z.string().describe("The platform's id."),
  kind: z.enum(['image', 'video', 'gif', 'audio']).describe('The kind of the file.'),
  url: z.string().optional().describe('The address of the file.'),
  previewUrl: z.string().optional().describe('The address of a small version.'),
  altText: z.string().optional().describe('The alternative text.'),
  width: count.optional().describe('The width in pixels.'),
  height: count.optional().describe('The height in pixels.'),
  durationMs: count.optional().describe('The length in milliseconds.'),
  sizeBytes: count.optional().describe('The size in bytes.'),
  state: z.enum(['ready', 'processing', 'failed']).describe('Whether the platform has processed the file.'),
});

/** A picture, a video or a sound of a post or a message. */
export interface Media extends z.output<typeof media> {}
export const Media: z.ZodType<Media> = media;

const uploadedMedia = z.object({
  platform: z.string().describe('The platform, for example `mastodon`.'),
  id: z.string().describe("The platform's id, for posts and messages."),
  kind: z.enum(['image', 'video', 'gif', 'audio']).describe('The kind of the file.'),
  altText: z.string().optional().describe('The alternative text.'),
  state: z.enum(['ready', 'processing', 'failed']).describe('Whether the platform has processed the file.'),
  expiresAt: z.date().optional().describe('When it becomes unusable for posts.'),
  sha256: z.string().optional().describe('The SHA-256 hash of the content, in hexadecimal digits.'),
});

/** An uploaded file that is in no post yet. */
export interface UploadedMedia extends z.output<typeof uploadedMedia> {}
export const UploadedMedia: z.ZodType<UploadedMedia> = uploadedMedia;
