import type { Assistant } from '#src/assistant/assistant.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Bot } from '#src/streaming/bot.ts';

/** What the commands work with; a command without what it needs is not offered. */
export interface DiscordParts {
  /** Whom look-ups ask. */
  readonly bot?: Bot | undefined;
  /** Whom `/ask` asks. */
  readonly assistant?: Assistant | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}
