import type { Assistant } from '#src/assistant/assistant.ts';
import type { Drafts } from '#src/assistant/drafts.ts';
import type { Log } from '#src/log.ts';
import type { ConversationState } from '#src/assistant/conversation-state.ts';
import type { SummarizeRule } from '#src/queries/rule-summary.ts';
import type { Controls } from '#src/controls/controls.ts';
import type { OperatorQueries } from '#src/queries/operator-queries.ts';
import { createLookups, type LookupsOptions } from '../lookups/lookups.ts';
import type { Posting } from '#src/posting/posting.ts';
import { clipsCommand } from './clips.ts';
import type { Command } from '../command.ts';
import { deliveriesCommand } from './deliveries.ts';
import { gameCommand } from './game.ts';
import { liveCommand } from './live.ts';
import { postCommand } from './post.ts';
import { resolveCommand } from './resolve.ts';
import { rulesCommand } from './rules.ts';
import { searchCommand } from './search.ts';
import { socialCommand } from './social.ts';
import { statusCommand } from './status.ts';
import { topCommand } from './top.ts';
import { userCommand } from './user.ts';
import { videosCommand } from './videos.ts';
import { whyCommand } from './why.ts';

/** The parts of Fanfare that the commands use. Discord shows a command only if the parts of the command are there. */
export interface DiscordParts extends LookupsOptions {
  /** Answers `/ask`. */
  readonly assistant?: Assistant | undefined;
  /** Drafts by the assistant that a user approves. */
  readonly drafts?: Drafts | undefined;
  readonly summarizeRule?: SummarizeRule | undefined;
  /** Stores conversations with the assistant. `/ask` needs it. */
  readonly conversations?: ConversationState | undefined;
  /** Sends the posts of `/post`. */
  readonly posting?: Posting | undefined;
  readonly controls?: (Controls & OperatorQueries) | undefined;
  readonly log: Log;
}

const LOOKUPS = [liveCommand, topCommand, gameCommand, userCommand, videosCommand, clipsCommand, searchCommand, socialCommand];

const CONTROLS = [rulesCommand, deliveriesCommand, resolveCommand, statusCommand, whyCommand];

/** The commands whose parts are there, without those of the assistant. */
export function allCommands(parts: DiscordParts): readonly Command[] {
  const { controls, posting, clock } = parts;
  const lookups = createLookups(parts);
  return [
    ...LOOKUPS.flatMap((command) => command(lookups)),
    ...(posting ? [postCommand({ posting, clock })] : []),
    ...(controls ? CONTROLS.map((command) => command({ controls, clock })) : []),
  ];
}
