import { credentials } from '../access/credentials.ts';
import type { XRoute } from '../request.ts';

/** What the app has used of its month. */
export const usageRoutes: readonly XRoute[] = [
  {
    method: 'GET',
    path: '/usage/tweets',
    access: { scopes: [], app: true, appOnly: true },
    limits: { app: 50 },
    answer: ({ settings: { usageCap, postsRead } }) => ({
      data: {
        project_id: credentials.appNumber,
        project_cap: String(usageCap ?? 2_000_000),
        project_usage: String(postsRead),
        cap_reset_day: 1,
      },
    }),
  },
];
