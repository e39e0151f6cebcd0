import { discord } from '#adapters/discord/index.ts';
import { Chat, type StandingMessages } from '#src/clients/chat/chat.ts';
import { send } from '#src/clients/chat/messages.ts';
import type { SentMessage } from '#src/clients/chat/records.ts';
import type { DeclaredWrite } from '#src/clients/operation/declared.ts';
import { recoverWrite } from '#src/clients/operation/client.ts';
import type { Recovery } from '#src/clients/operation/platform.ts';
import { startDiscordSandbox, type DiscordSandbox, type DiscordSandboxOptions } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export interface ChatFixture extends AsyncDisposable {
  readonly chat: Chat;
  readonly clock: ManualClock;
  readonly discord: DiscordSandbox;
  /** The stored messages of a channel, oldest first. */
  standing(channel: string): ReturnType<DiscordSandbox['messages']>;
  /** Sends `message 0`, `message 1`, … to a channel as a person. */
  fill(channel: string, count: number): Promise<void>;
  /** Recovers a message to `#live` that was sent with `key`. */
  recover(
    params: object,
    options: { readonly key: string; readonly since: Date; readonly taken?: readonly string[]; readonly about?: readonly string[] },
  ): Promise<Recovery<SentMessage>>;
  /** Recovers any other write. */
  recoverOf<P, R>(
    declared: DeclaredWrite<P, R>,
    params: object,
    options: { readonly key: string; readonly since: Date; readonly taken?: readonly string[] },
  ): Promise<Recovery<R>>;
  /** Has the network take the next write away, before or after Discord got it. */
  lose(kind: 'resetBefore' | 'resetAfter', method?: string): void;
}

const roomy = { requests: 10_000, windowMs: 1000 };
export const NO_LIMITS = {
  global: roomy,
  createMessage: roomy,
  editMessage: roomy,
  editOldMessage: roomy,
  deleteMessage: roomy,
  readMessages: roomy,
  react: roomy,
  guild: roomy,
  roles: roomy,
  startThread: roomy,
};

/** The sandbox's Discord, met through our adapter. */
export async function openChat({
  limits = NO_LIMITS,
  standingMessages,
  ...options
}: Omit<DiscordSandboxOptions, 'clock'> & { readonly standingMessages?: StandingMessages } = {}): Promise<ChatFixture> {
  const clock = new ManualClock();
  const running = await startDiscordSandbox({ ...options, limits, clock });
  const { DISCORD_API_URL: apiUrl = '' } = running.sandbox.environment;
  const chat = new Chat({ platform: discord({ token: running.token, guildId: running.guildId, apiUrl, standingMessages, clock }), clock });

  return {
    chat,
    clock,
    discord: running,
    standing: async (channel) => (await running.messages(channel)).filter(({ deletedAt }) => deletedAt === undefined),
    async fill(channel, count) {
      const [user] = running.people;
      for (let number = 0; number < count; number++)
        await running.order('/discord/messages', { user, channel, content: `message ${number}` });
    },
    async recover(params, { taken = [], ...options }) {
      const recovery = await recoverWrite(chat, send.declared, { channel: 'live', ...params }, { ...options, taken: new Set(taken) });
      return recovery as Recovery<SentMessage>; // of send
    },
    async recoverOf<P, R>(
      declared: DeclaredWrite<P, R>,
      params: object,
      { taken = [], ...about }: { key: string; since: Date; taken?: readonly string[] },
    ) {
      return (await recoverWrite(chat, declared, params, { ...about, taken: new Set(taken) })) as Recovery<R>; // of that write
    },
    lose: (kind, method = 'POST') => running.sandbox.faults.add({ platform: 'discord', method, kind, times: 1 }),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
