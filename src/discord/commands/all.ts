import type { Assistant } from '#src/clients/assistant/assistant.ts';
import type { Drafts } from '#src/clients/assistant/drafts.ts';
import type { Log } from '#src/log.ts';
import type { ConversationState } from '#src/clients/assistant/conversation-state.ts';
import type { SummarizeRule } from '#src/admin/queries/rule-summary.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { ListQueries } from '#src/admin/queries/lists.ts';
import type { NoticeStore, ServerStore } from '#src/admin/servers/server-store.ts';
import type { AuditLog } from '#src/admin/actions/audit-log.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { RenderCard } from '#src/discord/following/followed-card.ts';
import { nameLimit } from '#src/discord/following/name-limit.ts';
import { createLookups, type LookupsOptions } from '#src/discord/lookups/lookups.ts';
import type { PostActions } from '#src/admin/actions/post-actions.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import { clipsCommand } from './clips.ts';
import type { Command } from '#src/discord/command.ts';
import { memoryHandledEvents, type HandledEvents } from '#src/discord/handled-events.ts';
import { deliveriesCommand } from './deliveries.ts';
import { followCommand } from './follow.ts';
import { gameCommand } from './game.ts';
import { helpCommand } from './help.ts';
import { liveCommand } from './live.ts';
import { pingsCommand } from './pings.ts';
import { postCommand } from './post.ts';
import { resolveCommand } from './resolve.ts';
import { automationCommand } from './automation.ts';
import { searchCommand } from './search.ts';
import { setupCommand } from './setup.ts';
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
  /** Change posts that are not sent yet. `/post` needs them. */
  readonly postActions?: PostActions | undefined;
  readonly controls?: (Actions & OperatorQueries) | undefined;
  /** The servers of the bot; absent: nothing can be set up in Discord. */
  readonly storedServers?: ServerStore | undefined;
  /** The lists of streamers; absent: `/follow` does not exist. */
  readonly listQueries?: ListQueries | undefined;
  /** Renders the card of a followed streamer; absent: there are no tests and previews of it. */
  readonly renderCard?: RenderCard | undefined;
  /** The greetings and alerts that were sent. */
  readonly notices?: NoticeStore | undefined;
  /** Who changed what, for alerts; absent: they do not show it. */
  readonly auditLog?: Pick<AuditLog, 'list'> | undefined;
  /** The events of Discord that a process handled; absent: those of this process. */
  readonly handled?: HandledEvents | undefined;
  /** The address of the page; absent: it is not public. */
  readonly publicUrl?: string | undefined;
  readonly log: Log;
}

const LOOKUPS = [liveCommand, topCommand, gameCommand, userCommand, videosCommand, clipsCommand, searchCommand, socialCommand];

const CONTROLS = [deliveriesCommand, resolveCommand, statusCommand, whyCommand];

/** The commands whose parts are there. `others`: the commands of the assistant, which `/help` also lists. */
export function allCommands(parts: DiscordParts, others: readonly Command[] = []): readonly Command[] {
  const {
    controls,
    posting,
    postActions,
    storedServers,
    listQueries,
    streaming,
    renderCard,
    publicUrl,
    clock,
    handled = memoryHandledEvents(clock),
  } = parts;
  const lookups = createLookups(parts);
  const following = controls &&
    storedServers &&
    listQueries && {
      controls,
      lists: listQueries,
      storedServers,
      streaming,
      references: lookups.references,
      limitNames: nameLimit(clock),
      clock,
    };
  const commands = [
    ...LOOKUPS.flatMap((command) => command(lookups)),
    ...(posting && postActions ? [postCommand({ posting, actions: postActions, clock })] : []),
    ...(controls && storedServers
      ? [setupCommand({ controls, storedServers, canFollow: listQueries !== undefined, renderCard, clock })]
      : []),
    ...(controls && storedServers ? [pingsCommand({ controls, storedServers, clock })] : []),
    ...(following ? [followCommand({ ...following, suggest: lookups.suggest.channels, renderCard })] : []),
    ...(controls ? [automationCommand({ controls, following, handled, clock })] : []),
    ...(controls ? CONTROLS.map((command) => command({ controls, clock })) : []),
  ];
  return [...commands, helpCommand({ commands: [...commands, ...others], publicUrl, clock })];
}
