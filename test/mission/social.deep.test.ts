import { SocialAsync } from '#src/social/social.ts';
import { socialOperations } from './document.ts';
import { additions } from './social/additions.ts';
import { assistantRows } from './social/assistant.ts';
import { communityRows } from './social/communities.ts';
import { createPost } from './social/create-post.ts';
import { followRows } from './social/follows.ts';
import { openSocial } from './social/ground.ts';
import { listRows } from './social/lists.ts';
import { messageRows } from './social/messages.ts';
import { insightRows, postReads } from './social/posts.ts';
import { reactionRows } from './social/reactions.ts';
import { scheduleRows } from './social/schedule.ts';
import { timelineRows } from './social/timelines.ts';
import { topicRows } from './social/topics.ts';
import { userRows } from './social/users.ts';
import { proves } from './table.ts';

const posts = [...postReads(), createPost(), ...reactionRows(), ...insightRows(), ...scheduleRows()];

proves({
  document: Object.values(socialOperations).flat(),
  client: SocialAsync,
  rows: [
    ...userRows(),
    ...followRows(),
    ...timelineRows(),
    ...posts,
    ...messageRows(),
    ...communityRows(),
    ...listRows(),
    ...topicRows(),
    ...assistantRows(),
  ],
  additions: additions(),
  open: openSocial,
  groundPer: 'table',
});
