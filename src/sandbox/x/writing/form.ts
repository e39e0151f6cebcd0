import { z } from 'zod';

const Id = z.string().regex(/^\d{1,19}$/, 'is not an id');
const Audience = z.enum(['following', 'mentionedUsers', 'subscribers', 'verified']);

/** What `POST /2/tweets` takes. */
export const PostForm = z.strictObject({
  text: z.string().optional(),
  media: z.strictObject({ media_ids: z.array(Id).min(1).max(4), tagged_user_ids: z.array(Id).max(10).optional() }).optional(),
  poll: z
    .strictObject({
      options: z.array(z.string().min(1).max(25)).min(2).max(4),
      duration_minutes: z.int().min(5).max(10_080),
      reply_settings: Audience.optional(),
    })
    .optional(),
  reply: z
    .strictObject({
      in_reply_to_tweet_id: Id,
      exclude_reply_user_ids: z.array(Id).optional(),
      auto_populate_reply_metadata: z.boolean().optional(),
    })
    .optional(),
  quote_tweet_id: Id.optional(),
  geo: z.strictObject({ place_id: z.string() }).optional(),
  reply_settings: Audience.optional(),
  community_id: Id.optional(),
  share_with_followers: z.boolean().optional(),
  edit_options: z.strictObject({ previous_post_id: Id }).optional(),
  for_super_followers_only: z.boolean().optional(),
  nullcast: z.boolean().optional(),
  made_with_ai: z.boolean().optional(),
  paid_partnership: z.boolean().optional(),
  direct_message_deep_link: z.string().optional(),
  card_uri: z.string().optional(),
});
export interface PostForm extends z.output<typeof PostForm> {}
