import type { SocialPlatform } from '#src/social/social.ts';
import { analyticsOf } from '../analytics.ts';
import { requirePost, type Meeting } from '../meeting.ts';
import { requireOwn } from '../own-posts.ts';
import { toMedia } from '../records.ts';

type Insights = Pick<Required<SocialPlatform['operations']>, 'getPostAnalytics' | 'translatePost' | 'postEditHistory'>;

/** What can be known of a post beside itself. */
export function insightOperations(meeting: Meeting): Insights {
  const { moment } = meeting;
  return {
    getPostAnalytics: async ({ post }) => analyticsOf(requireOwn(meeting, post), moment),

    async translatePost({ post, language: targetLanguage }) {
      const { id: postId, text, language: sourceLanguage } = requirePost(meeting, post);
      const translated = targetLanguage === sourceLanguage ? text : `[${targetLanguage}] ${text}`;
      return { postId, text: translated, sourceLanguage, targetLanguage, provider: 'sandbox' };
    },

    async postEditHistory({ identifier }) {
      const { id, text, media, createdAtMs, editedAtMs, earlier } = requirePost(meeting, identifier);
      const versions = [...earlier, { text, media, atMs: editedAtMs ?? createdAtMs }];
      return {
        postId: id,
        versions: versions.map((version) => ({
          text: version.text,
          createdAt: new Date(version.atMs),
          media: version.media.map((one) => toMedia(one, moment)),
        })),
        complete: true,
      };
    },
  };
}
