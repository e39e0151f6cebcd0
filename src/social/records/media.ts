import { z } from 'zod';

/** The time of the response. */
export const fetchedAt = z.date().describe('The time of the response.');

/** A number; absent if it is unknown, never 0 instead. */
export const count = z.int().min(0);

/** A part of a text with a meaning. Offsets count UTF-16 units, as JavaScript does. */
export const Entity = z.object({
  type: z.enum(['url', 'mention', 'hashtag', 'cashtag', 'emoji']),
  start: count,
  end: count,
  url: z.string().optional(),
  userId: z.string().optional(),
});

const media = z.object({
  id: z.string(),
  kind: z.enum(['image', 'video', 'gif', 'audio']),
  url: z.string().optional(),
  previewUrl: z.string().optional(),
  altText: z.string().optional(),
  width: count.optional(),
  height: count.optional(),
  durationMs: count.optional(),
  sizeBytes: count.optional(),
  state: z.enum(['ready', 'processing', 'failed']),
});

/** A picture, a video or a sound of a post or a message. */
export interface Media extends z.output<typeof media> {}
export const Media: z.ZodType<Media> = media;

const uploadedMedia = z.object({
  platform: z.string(),
  id: z.string().describe("The platform's id, for posts and messages."),
  kind: z.enum(['image', 'video', 'gif', 'audio']),
  altText: z.string().optional(),
  state: z.enum(['ready', 'processing', 'failed']),
  expiresAt: z.date().optional().describe('When it becomes unusable for posts.'),
  sha256: z.string().optional(),
});

/** An uploaded file that is in no post yet. */
export interface UploadedMedia extends z.output<typeof uploadedMedia> {}
export const UploadedMedia: z.ZodType<UploadedMedia> = uploadedMedia;
