import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { createAssistant } from '#src/clients/assistant/assistant.ts';
import type { Drafts, StoredDrafts } from '#src/clients/assistant/drafts.ts';
import type { AssistantPlatform, Prompt } from '#src/clients/assistant/port.ts';
import type { AssistantConversation } from '#src/clients/assistant/records.ts';
import type { Tool } from '#src/clients/assistant/tools.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { type DiscordSettings, DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import type { SummarizeRule } from '#src/admin/queries/rule-summary.ts';
import { startDiscord } from '#src/discord/start.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { type DiscordSandbox, type InteractionView, startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startOptions } from '../start-options.ts';

/** The answer of a model to the messages of a conversation. */
export type Script = (messages: readonly Prompt[], signal: AbortSignal | undefined) => ReturnType<AssistantPlatform['answer']>;

type Messages = readonly [MessageView, ...MessageView[]];

export interface AssistantFixture extends AsyncDisposable {
  readonly discord: DiscordSandbox;
  readonly people: DiscordSandbox['people'];
  readonly lines: readonly string[];
  readonly store: Store;
  /** All rows of all tables, as one text. */
  kept(): string;
  /** Stops the bot in order or with a crash, and starts it again. */
  restart(how?: 'orderly' | 'crash'): Promise<void>;
  /** Runs `/ask`, and returns the complete answer. */
  ask(text: string, options?: AskOptions): Promise<Messages>;
  command(command: string, options?: Record<string, string | boolean>, where?: AskOptions): Promise<InteractionView>;
  sendMessage(content: string, options?: MessageOptions): Promise<MessageView>;
  /** Clicks a button. */
  click(message: string, label: string, user?: string): Promise<InteractionView>;
  /** The complete answer of the bot to a message. */
  answerTo(message: string): Promise<Messages>;
  /** The messages of a channel without deleted ones. */
  messages(channel?: string): Promise<readonly MessageView[]>;
  reload(id: string): Promise<InteractionView>;
  /** The conversation up to a message of the bot. */
  conversationAt(message: string): Promise<AssistantConversation | undefined>;
}

interface AskOptions {
  readonly user?: string;
  readonly channel?: string;
  readonly isPrivate?: boolean;
  readonly isNew?: boolean;
  readonly waitMs?: number;
  readonly locale?: string;
}

interface MessageOptions {
  readonly user?: string;
  readonly channel?: string;
  readonly replyTo?: string;
  readonly ping?: boolean;
}

export interface FixtureOptions {
  readonly script?: Script;
  readonly clock?: Clock;
  readonly settings?: Partial<DiscordSettings>;
  readonly servers?: readonly { readonly account: string; readonly id: string; readonly zone: string }[];
  readonly tools?: (drafts: StoredDrafts) => readonly Tool[];
  readonly drafts?: (drafts: StoredDrafts) => Drafts;
  readonly posting?: Posting;
  readonly summarizeRule?: SummarizeRule;
  /** Called before the bot starts. */
  readonly prepare?: (discord: DiscordSandbox) => Promise<unknown>;
}

/** A clock with short sleeps. */
export const quick: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

/** Answers with all questions of the conversation. */
const repeatQuestions: Script = async function* (messages) {
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  yield `Heard: ${asked.join(' > ')}.`;
  yield { usage: { inputTokens: 10 * asked.length, outputTokens: 5 } };
};

/** A bot with a scripted model, a real store and the simulated Discord. */
export async function openAssistant(options: FixtureOptions = {}): Promise<AssistantFixture> {
  const { script = repeatQuestions, clock = quick, settings } = options;
  const folder = temporaryFolder({ inMemory: true });
  const discord = await startDiscordSandbox();
  await options.prepare?.(discord);
  const lines: string[] = [];
  const platform: AssistantPlatform = {
    name: 'openai',
    account: 'assistant',
    model: 'scripted',
    answer: ({ messages, signal }) => script(messages, signal),
  };
  let end: (how: 'orderly' | 'crash') => Promise<void> = async () => undefined;
  let running: Store | undefined;

  async function start(): Promise<void> {
    const opened = await openStore({ file: join(folder.path, 'fanfare.sqlite'), clock });
    const stopping = new AbortController();
    const tools = options.tools?.(opened.assistantDrafts) ?? [];
    const begun = await startDiscord({
      ...startOptions(discord, lines),
      ...(options.servers && { servers: options.servers }),
      settings: { ...DEFAULT_DISCORD_SETTINGS, ...settings },
      conversations: opened,
      storedServers: opened.servers,
      assistant: createAssistant({ platform, transcripts: opened.transcripts, drafts: opened.assistantDrafts, tools, clock }),
      drafts: options.drafts?.(opened.assistantDrafts),
      posting: options.posting,
      summarizeRule: options.summarizeRule,
      clock,
      signal: stopping.signal,
    });
    await begun.ready;
    running = opened;
    end = async (how) => {
      // After a crash, the process sends nothing.
      if (how === 'crash') {
        discord.sandbox.faults.add({ platform: 'discord', kind: 'status', status: 403 });
        await opened[Symbol.asyncDispose]();
      }
      stopping.abort();
      await begun[Symbol.asyncDispose]();
      if (how === 'orderly') await opened[Symbol.asyncDispose]();
      discord.sandbox.faults.clear('discord');
    };
  }
  await start();
  const [usual] = discord.people;
  const isAnswered = async (id: string): Promise<boolean> => !(await fixture.store.openAnswers.list()).some((open) => open.id === id);

  const fixture: AssistantFixture = {
    discord,
    people: discord.people,
    lines,
    get store() {
      if (!running) throw new Error('it does not run');
      return running;
    },
    kept() {
      using database = new DatabaseSync(join(folder.path, 'fanfare.sqlite'), { readOnly: true });
      const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
      const rowsOf = (table: string): unknown => [table, database.prepare(`select * from "${table}"`).all()];
      return JSON.stringify(tables.map(({ name }) => rowsOf(String(name))));
    },
    async restart(how = 'orderly') {
      await end(how);
      await start();
    },
    async ask(text, { isPrivate, isNew, ...where } = {}) {
      const typed = { text, ...(isPrivate && { private: true }), ...(isNew && { new: true }) };
      const { id } = await fixture.command('ask', typed, { ...where, waitMs: 0 });
      const shown = async (): Promise<readonly MessageView[]> => {
        const { outcome, message, followUps } = await fixture.reload(id);
        const left = [message, ...followUps].flatMap((each) => (each && each.deletedAt === undefined ? [each] : []));
        return outcome === 'failed' || left.some(({ loading }) => loading) ? [] : left;
      };
      // An answer that is not open is over only if its first text is shown: before, it may not have begun.
      // An error comes after the thinking indicator is deleted.
      while ((await shown()).length === 0 || !(await isAnswered(id))) await systemClock.sleep(20);
      return someOf(await shown());
    },
    command: (command, typed = {}, { user = usual, channel = 'general', waitMs = 60_000, locale } = {}) =>
      discord.interact({ user, channel, command, options: typed, waitMs, ...(locale && { locale }) }),
    sendMessage: (content, { user = usual, channel = 'general', replyTo, ping } = {}) =>
      discord.order('/discord/messages', { user, channel, content, ...(replyTo && { replyTo }), ...(ping !== undefined && { ping }) }),
    click: (message, label, user = usual) => discord.interact({ user, message, click: label }),
    async answerTo(message) {
      const endMs = systemClock.nowMs() + 20_000;
      while (systemClock.nowMs() < endMs) {
        const first = (await fixture.messages()).find(({ replyTo, author }) => replyTo === message && author === 'Fanfare');
        if (first && (await isAnswered(message))) {
          const answered = (await fixture.messages(first.channel.id)).filter(({ author }) => author === 'Fanfare');
          return someOf(answered.slice(answered.findIndex(({ id }) => id === first.id)));
        }
        await systemClock.sleep(20);
      }
      throw new Error('no one answered');
    },
    messages: async (channel) => (await discord.messages(channel)).filter(({ deletedAt }) => deletedAt === undefined),
    reload: (id) => discord.order(`/discord/interactions/${id}`, undefined),
    async conversationAt(message) {
      const point = await fixture.store.conversationPoints.findMessage(message);
      if (!point) return undefined;
      const assistant = createAssistant({ platform, transcripts: fixture.store.transcripts, clock });
      return assistant.getConversation(point.conversation, { upTo: point.messageId });
    },
    async [Symbol.asyncDispose]() {
      await end('orderly').catch(() => undefined);
      await discord[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
  return fixture;
}

function someOf([first, ...rest]: readonly MessageView[]): Messages {
  if (!first) throw new Error('no one answered');
  return [first, ...rest];
}

/** The texts of a conversation. */
export function textsOf(conversation: AssistantConversation | undefined): readonly string[] {
  return (conversation?.messages ?? []).map(({ text }) => text);
}
