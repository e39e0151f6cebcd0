import { GatewayDispatchEvents, GatewayIntentBits, type Client } from 'discord.js';
import type { Assistant } from '#src/clients/assistant/assistant.ts';
import type { ConversationState } from '#src/clients/assistant/conversation-state.ts';
import type { Drafts } from '#src/clients/assistant/drafts.ts';
import type { CallerOptions } from './caller.ts';
import { askCommand } from '#src/discord/commands/ask.ts';
import type { Command } from './command.ts';
import { conversationCommand } from '#src/discord/commands/conversation.ts';
import type { ClientSetup } from './connection.ts';
import { createDraftButtons, type DraftButtonsOptions } from '#src/discord/assistant/draft-buttons.ts';
import { reportInterrupted } from '#src/discord/assistant/interrupted.ts';
import { listen, type ListenOptions } from '#src/discord/assistant/listen.ts';
import { createResponder, type ResponderOptions } from '#src/discord/assistant/responder.ts';
import { joinThread } from '#src/discord/assistant/thread.ts';

/** How often to look for answers of processes that ended. */
const INTERRUPTED_CHECK_MS = 10_000;

export interface AssistantFeatureOptions
  extends
    CallerOptions,
    Pick<ResponderOptions, 'process' | 'clock' | 'log'>,
    Pick<ListenOptions, 'handled' | 'storedServer'>,
    Pick<DraftButtonsOptions, 'posting' | 'summarizeRule'> {
  readonly assistant: Assistant;
  readonly drafts?: Drafts | undefined;
  readonly conversations: ConversationState;
}

/** The messages in servers that Discord sends to the bot. */
type MessageAccess = 'all' | 'mentions' | 'nothing';

/** The assistant in Discord. */
export interface AssistantFeature {
  readonly commands: readonly Command[];
  /** The gateway intents for messages. */
  readonly optionalIntents: readonly GatewayIntentBits[];
  /** Listens to a client before it connects. */
  readonly attach: (client: Client, setup: ClientSetup) => void;
  /** Called once, when the bot is online. */
  readonly onOnline: (client: Client<true>, setup: Pick<ClientSetup, 'work'>) => void;
}

/** Users talk to the assistant with commands, with replies and in threads. */
export function createAssistantFeature(options: AssistantFeatureOptions): AssistantFeature {
  const { assistant, drafts, conversations, settings, handled, process, clock, log, signal } = options;
  const { conversationPoints: points, openAnswers: open, questionCounts: counts } = conversations;
  const started = new Date(clock.nowMs());
  const draftButtons = drafts && createDraftButtons({ ...options, drafts });
  const responder = createResponder({ ...options, points, open, counts, draftButtons });
  const onMessage = listen({ ...options, points, responder });
  let messageAccess: MessageAccess = 'nothing';

  /** Other processes may end at any time. */
  async function repeat(report: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await report();
      await clock.sleep(INTERRUPTED_CHECK_MS, signal).catch(() => undefined);
    }
  }

  return {
    commands: [
      askCommand({ responder, points, assistant, clock, draftButtons, messageAccess: () => messageAccess }),
      conversationCommand({ assistant, points, responder, clock }),
    ],

    optionalIntents: settings.gateway ? [GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent] : [],

    onOnline({ rest, application }, { work }) {
      const report = (since: Date): Promise<void> =>
        reportInterrupted({ open, rest, application: application.id, since, handled, clock, log });
      work(process === undefined ? report(started) : repeat(() => report(new Date(clock.nowMs()))));
    },

    attach(client, { optionalIntents, work }) {
      const hasContent = optionalIntents.includes(GatewayIntentBits.MessageContent);
      messageAccess = hasContent ? 'all' : optionalIntents.includes(GatewayIntentBits.GuildMessages) ? 'mentions' : 'nothing';
      // The events of discord.js for messages need caches that only grow.
      client.ws.on(GatewayDispatchEvents.MessageCreate, (data: unknown) => {
        if (client.isReady()) work(onMessage(data, client));
      });
      client.ws.on(GatewayDispatchEvents.ThreadCreate, (data: unknown) => {
        if (client.isReady()) work(joinThread(data, client, { points, clock, log }));
      });
    },
  };
}
