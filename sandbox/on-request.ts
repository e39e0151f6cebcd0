import { blueskyServer } from './bluesky/server.ts';
import type { PlatformFactory } from './context.ts';
import { mastodonServer } from './mastodon/server.ts';
import { xServer } from './x/server.ts';

/** The platforms that are there for whoever points something at them; loaded only where they are wanted. */
export const onRequestPlatforms: readonly PlatformFactory[] = [xServer, mastodonServer, blueskyServer];
