import { capabilities as bluesky } from '#adapters/bluesky/capabilities/capabilities.ts';
import { capabilities as mastodon } from '#adapters/mastodon/capabilities.ts';
import { capabilities as sandbox } from '#adapters/sandbox/capabilities.ts';
import { capabilities as x } from '#adapters/x/capabilities.ts';
import { keptSchedule } from '#src/social/own/schedule.ts';

/** What each social platform makes of each operation by itself, by the platform's name. */
export const socialTables = { bluesky, mastodon, sandbox, x } as const;

/** The same in Fanfare, which keeps posts for later itself. */
export const socialCapabilities = { ...socialTables, bluesky: { ...bluesky, ...keptSchedule }, x: { ...x, ...keptSchedule } } as const;
