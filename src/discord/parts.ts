import type { Assistant } from '#src/assistant/assistant.ts';
import type { Drafts } from '#src/assistant/drafts.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { SocialAsync } from '#src/social/social.ts';
import type { Store } from '#src/store/store.ts';
import type { KeptViews } from '#src/store/kept-views.ts';
import type { Bot } from '#src/streaming/bot.ts';
import type { SummarizeRule } from './assistant/rule-summary.ts';
import type { Controls } from './controls/controls.ts';
import type { Posting } from './posting/posting.ts';

/** What the commands work with; a command without what it needs is not offered. */
export interface DiscordParts {
  /** Whom look-ups of streams ask, by account. */
  readonly streaming: ReadonlyMap<string, Bot>;
  /** Whom look-ups of posts ask, by account. */
  readonly social: ReadonlyMap<string, SocialAsync>;
  /** Where stands what buttons have no room for. */
  readonly keptViews: KeptViews;
  /** Whom `/ask` asks. */
  readonly assistant?: Assistant | undefined;
  /** What the assistant wrote and somebody has to decide about. */
  readonly drafts?: Drafts | undefined;
  /** Says what a drafted rule does. */
  readonly summarizeRule?: SummarizeRule | undefined;
  /** Where conversations with the assistant stand; without it, nobody can talk with it. */
  readonly conversations?: Pick<Store, 'answerPlaces' | 'openAnswers' | 'questionCounts'> | undefined;
  /** Through what `/post` posts. */
  readonly posting?: Posting | undefined;
  /** What operators do with the running program. */
  readonly controls?: Controls | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}
