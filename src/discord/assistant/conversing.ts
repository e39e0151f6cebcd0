import { Events, GatewayDispatchEvents, GatewayIntentBits, type Client } from 'discord.js';
import type { Assistant } from '#src/assistant/assistant.ts';
import type { Drafts } from '#src/assistant/drafts.ts';
import type { Store } from '#src/store/store.ts';
import type { AskerOptions } from '../asker.ts';
import { askCommand } from '../commands/ask.ts';
import type { Command } from '../commands/command.ts';
import { conversationCommand } from '../commands/conversation.ts';
import type { Preparing } from '../online.ts';
import { draftButtons, type DraftButtonsOptions } from './draft-buttons.ts';
import { tellInterrupted } from './interrupted.ts';
import { listen } from './listen.ts';
import { createTalk, type TalkOptions } from './talk.ts';
import { joinThread } from './thread.ts';

export interface ConversingOptions
  extends AskerOptions, Pick<TalkOptions, 'clock' | 'log'>, Pick<DraftButtonsOptions, 'posting' | 'summarizeRule'> {
  readonly assistant: Assistant;
  readonly drafts?: Drafts | undefined;
  /** Where conversations stand, over restarts. */
  readonly conversations: Pick<Store, 'answerPlaces' | 'openAnswers' | 'questionCounts'>;
}

/** Which messages Discord tells of: those in servers, those of them that concern the bot, or none. */
type Hearing = 'all' | 'mentions' | 'nothing';

/** The assistant in Discord. */
export interface Conversing {
  readonly commands: readonly Command[];
  /** What it wants to hear of. */
  readonly wishes: readonly GatewayIntentBits[];
  /** Listens to a client from before it is online, and tells those who waited when the bot went offline the last time. */
  readonly attach: (client: Client, preparing: Preparing) => void;
}

/** People talk with the assistant by commands, by replies and in threads. */
export function createConversing(options: ConversingOptions): Conversing {
  const { assistant, drafts, conversations, settings, clock, log } = options;
  const { answerPlaces: places, openAnswers: open, questionCounts: counts } = conversations;
  const since = new Date(clock.nowMs());
  const buttons = drafts && draftButtons({ ...options, drafts });
  const talk = createTalk({ ...options, places, open, counts, draftButtons: buttons });
  const onMessage = listen({ ...options, places, talk });
  let hears: Hearing = 'nothing';

  async function begin({ rest, application }: Client<true>): Promise<void> {
    await tellInterrupted({ open, rest, application: application.id, since, clock, log });
  }

  return {
    commands: [
      askCommand({ talk, places, assistant, clock, draftButtons: buttons, hears: () => hears }),
      conversationCommand({ assistant, places, talk, clock }),
    ],

    wishes: settings.gateway ? [GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent] : [],

    attach(client, { wishes, work }) {
      const hasContent = wishes.includes(GatewayIntentBits.MessageContent);
      hears = hasContent ? 'all' : wishes.includes(GatewayIntentBits.GuildMessages) ? 'mentions' : 'nothing';
      client.once(Events.ClientReady, (ready) => work(begin(ready)));
      // From the gateway itself: what discord.js makes of it would want caches that only grow.
      client.ws.on(GatewayDispatchEvents.MessageCreate, (data: unknown) => {
        if (client.isReady()) work(onMessage(data, client));
      });
      client.ws.on(GatewayDispatchEvents.ThreadCreate, (data: unknown) => {
        if (client.isReady()) work(joinThread(data, client, { places, clock, log }));
      });
    },
  };
}
