import { capabilities as bluesky } from '#adapters/bluesky/capabilities.ts';
import { capabilities as mastodon } from '#adapters/mastodon/capabilities.ts';
import { capabilities as sandbox } from '#adapters/sandbox/capabilities.ts';
import { capabilities as x } from '#adapters/x/capabilities.ts';
import { localSchedule } from '#src/social/fallbacks/schedule.ts';

/** What each social platform makes of each operation by itself, by the platform's name. */
export const socialTables = { bluesky, mastodon, sandbox, x } as const;

/** The same in Fanfare, which keeps posts for later itself. */
export const socialCapabilities = { ...socialTables, bluesky: { ...bluesky, ...localSchedule }, x: { ...x, ...localSchedule } } as const;
