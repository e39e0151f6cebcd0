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

/** The metrics of a post of the signed-in user. */
export interface PostAnalytics extends z.output<typeof postAnalytics> {}
export const PostAnalytics: z.ZodType<PostAnalytics> = postAnalytics;

const postTranslate = z.object({
  postId: z.string(),
  text: z.string(),
  sourceLanguage: z.string().optional(),
  targetLanguage: z.string(),
  provider: z.string().describe('The translator: the platform, or `assistant`.'),
});

/** A post in another language. */
export interface PostTranslate extends z.output<typeof postTranslate> {}
export const PostTranslate: z.ZodType<PostTranslate> = postTranslate;

const postHistory = z.object({
  postId: z.string(),
  versions: z.array(z.object({ text: z.string(), createdAt: z.date(), media: z.array(Media) })).describe('Oldest first.'),
  complete: z.boolean(),
});

/** The versions of a post. */
export interface PostHistory extends z.output<typeof postHistory> {}
export const PostHistory: z.ZodType<PostHistory> = postHistory;
