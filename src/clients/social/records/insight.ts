import { z } from 'zod';
import { PostVisibility } from '../enumerations.ts';
import { Media, count, fetchedAt } from './media.ts';

const postAnalytics = z.object({
  postId: z.string().describe('The id of the post.'),
  impressions: count.optional().describe('How often the post was shown.'),
  engagements: count.optional().describe('The number of interactions.'),
  likes: count.describe('The number of likes.'),
  reposts: count.describe('The number of reposts.'),
  replies: count.describe('The number of replies.'),
  quotes: count.describe('The number of quotes.'),
  bookmarks: count.optional().describe('The number of bookmarks.'),
  profileClicks: count.optional().describe('The number of clicks on the author.'),
  urlClicks: count.optional().describe('The number of clicks on links.'),
  completeness: z.enum(['full', 'public_only']).describe('`public_only`: the platform shows only the public numbers.'),
  fetchedAt,
});

/** The metrics of a post of the signed-in user. */
export interface PostAnalytics extends z.output<typeof postAnalytics> {}
export const PostAnalytics: z.ZodType<PostAnalytics> = postAnalytics;

const visibility = z.enum(PostVisibility).optional().describe('Who sees the post, if the platform states it.');

const postTranslate = z.object({
  postId: z.string().describe('The id of the post.'),
  visibility,
  text: z.string().describe('The translated text.'),
  sourceLanguage: z.string().optional().describe('The language of the post.'),
  targetLanguage: z.string().describe('The language of the translation.'),
  provider: z.string().describe('The translator: the platform, or `assistant`.'),
});

/** A post in another language. */
export interface PostTranslate extends z.output<typeof postTranslate> {}
export const PostTranslate: z.ZodType<PostTranslate> = postTranslate;

const postHistory = z.object({
  postId: z.string().describe('The id of the post.'),
  visibility,
  versions: z.array(z.object({ text: z.string(), createdAt: z.date(), media: z.array(Media) })).describe('Oldest first.'),
  complete: z.boolean().describe('Whether the list has every version.'),
});

/** The versions of a post. */
export interface PostHistory extends z.output<typeof postHistory> {}
export const PostHistory: z.ZodType<PostHistory> = postHistory;
