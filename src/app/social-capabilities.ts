import { capabilities as bluesky } from '#adapters/bluesky/capabilities.ts';
import { capabilities as mastodon } from '#adapters/mastodon/capabilities.ts';
import { capabilities as sandbox } from '#adapters/sandbox/capabilities.ts';
import { capabilities as x } from '#adapters/x/capabilities.ts';
import { localSchedule } from '#src/social/fallbacks/schedule.ts';

/** The capabilities of each social platform, by name. */
export const socialTables = { bluesky, mastodon, sandbox, x } as const;

/** The same with the fallback of Fanfare for scheduled posts. */
export const socialCapabilities = { ...socialTables, bluesky: { ...bluesky, ...localSchedule }, x: { ...x, ...localSchedule } } as const;
