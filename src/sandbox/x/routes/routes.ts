import type { XRoute } from '../request.ts';
import { analyticsRoutes } from './analytics.ts';
import { bookmarksRoutes } from './bookmarks.ts';
import { communitiesRoutes } from './communities.ts';
import { dmEventsRoutes } from './dm-events.ts';
import { dmMessagesRoutes } from './dm-messages.ts';
import { listsRoutes } from './lists.ts';
import { mediaRoutes } from './media.ts';
import { postsRoutes } from './posts.ts';
import { relationsRoutes } from './relations.ts';
import { responsesRoutes } from './responses.ts';
import { searchRoutes } from './search.ts';
import { timelinesRoutes } from './timelines.ts';
import { trendsRoutes } from './trends.ts';
import { usageRoutes } from './usage.ts';
import { usersRoutes } from './users.ts';

/** Every endpoint; of two that match a path the first one answers. */
export const routes: readonly XRoute[] = [
  ...trendsRoutes,
  ...analyticsRoutes,
  ...searchRoutes,
  ...usersRoutes,
  ...relationsRoutes,
  ...timelinesRoutes,
  ...responsesRoutes,
  ...bookmarksRoutes,
  ...listsRoutes,
  ...communitiesRoutes,
  ...dmEventsRoutes,
  ...dmMessagesRoutes,
  ...mediaRoutes,
  ...usageRoutes,
  ...postsRoutes,
];
