import { z } from 'zod';
import { Media, count, fetchedAt } from './media.ts';

const postAnalytics = z.object({
  postId: z.string(),
  impressions: count.optional(),
  engagements: count.optional(),
  likes: count,
  reposts: count,
  replies: count,
  quotes: count,
  bookmarks: count.optional(),
  profileClicks: count.optional(),
  urlClicks: count.optional(),
  completeness: z.enum(['full', 'public_only']),
  fetchedAt,
});

/** How a post of one's own does. */
export interface PostAnalytics extends z.output<typeof postAnalytics> {}
export const PostAnalytics: z.ZodType<PostAnalytics> = postAnalytics;

const postTranslate = z.object({
  postId: z.string(),
  text: z.string(),
  sourceLanguage: z.string().optional(),
  targetLanguage: z.string(),
  provider: z.string().describe('Who translated: the platform, or `assistant`.'),
});

/** A post in another language. */
export interface PostTranslate extends z.output<typeof postTranslate> {}
export const PostTranslate: z.ZodType<PostTranslate> = postTranslate;

const postHistory = z.object({
  postId: z.string(),
  versions: z.array(z.object({ text: z.string(), createdAt: z.date(), media: z.array(Media) })).describe('Oldest first.'),
  complete: z.boolean(),
});

/** How a post stood before each edit. */
export interface PostHistory extends z.output<typeof postHistory> {}
export const PostHistory: z.ZodType<PostHistory> = postHistory;
