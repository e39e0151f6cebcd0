import { blueskyServer } from './bluesky/server.ts';
import type { PlatformFactory } from './context.ts';
import { mastodonServer } from './mastodon/server.ts';
import { xServer } from './x/server.ts';
import { youtubeServer } from './youtube/server.ts';

/** The platforms that run only on request. They load on demand. */
export const onRequestPlatforms: readonly PlatformFactory[] = [xServer, mastodonServer, blueskyServer, youtubeServer];
