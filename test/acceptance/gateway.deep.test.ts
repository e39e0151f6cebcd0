import { describe, test } from 'vitest';
import { z } from 'zod';
import { openai as openaiAdapter } from '#adapters/openai/index.ts';
import { twitch as twitchAdapter } from '#adapters/twitch/index.ts';
import { createAssistant } from '#src/clients/assistant/assistant.ts';
import { createConnectionStatus } from '#src/discord/connection-status.ts';
import { connectDiscord } from '#src/discord/connect-discord.ts';
import { systemClock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { assistantServer } from '#sandbox/assistant/server.ts';
import { discordServer, type DiscordOptions } from '#sandbox/discord/discord.ts';
import { startSandbox } from '#sandbox/index.ts';
import { openStore } from '#src/store/store.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { truthOf, type SandboxTruth } from './sandbox-truth.ts';
import { memorySavedViews } from '../support/memory-saved-views.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';

const Guild = z.object({
  commands: z.array(z.object({ name: z.string() })),
  connections: z.number(),
  members: z.array(z.object({ username: z.string(), bot: z.boolean() })),
});
const Interaction = z.object({ id: z.string(), outcome: z.string(), followUps: z.array(z.unknown()) });
const Answers = z.object({ items: z.array(z.object({ interaction: z.string().optional() })) });

interface Fixture extends SandboxTruth, AsyncDisposable {
  readonly lines: readonly string[];
  /** The names of the registered commands. */
  commands(): Promise<readonly string[]>;
  connections(): Promise<number>;
  /** Uses a command. Returns the id of the interaction and the first answer. */
  use(): Promise<z.output<typeof Interaction>>;
  /** The number of messages that answer an interaction. */
  answersTo(id: string): Promise<number>;
}

/** On a busy machine, a response after a disturbance takes longer than Discord waits. */
const ANSWER_MS = 15_000;

/** The connected bot. */
async function connected(options: DiscordOptions = {}): Promise<Fixture> {
  await using stack = new AsyncDisposableStack();
  const platforms = [
    twitchServer,
    assistantServer,
    (context: Parameters<typeof discordServer>[0]) => discordServer(context, { answerMs: ANSWER_MS, ...options }),
  ];
  const sandbox = stack.use(await startSandbox({ platforms }));
  const truth = truthOf(sandbox);
  const config = configOfEnvironment(sandbox.environment);
  const [twitch] = accountsOn('twitch', config.accounts);
  const [model] = accountsOn('assistant', config.accounts);
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const stopping = new AbortController();
  let changed = Promise.withResolvers<void>();
  const store = stack.use(await openStore());
  const discord = connectDiscord({
    config,
    clients: {
      streaming: new Map(twitch ? [['twitch', new Bot({ platform: twitchAdapter({ ...twitch, clock: systemClock, log }) })]] : []),
      social: new Map(),
    },
    savedViews: memorySavedViews(),
    conversation: model && {
      assistant: createAssistant({
        platform: openaiAdapter({ ...model, clock: systemClock }),
        transcripts: memoryTranscripts(),
        clock: systemClock,
      }),
    },
    questions: { read: () => undefined, find: async () => undefined, onAnswer: async () => undefined },
    conversations: store,
    gatewayLock: store.gatewayLock,
    status: createConnectionStatus(() => changed.resolve()),
    clock: systemClock,
    log,
    signal: stopping.signal,
  });
  stack.defer(async () => {
    stopping.abort();
    await discord.closed;
  });
  const guild = async (): Promise<z.output<typeof Guild>> => Guild.parse(await truth.control('/discord'));
  while (discord.status.state === 'connecting' || discord.status.state === 'restoring') {
    await changed.promise;
    changed = Promise.withResolvers();
  }
  if (discord.status.state !== 'connected') throw new Error(discord.status.problem);
  const { members } = await guild();
  const user = members.find(({ bot }) => !bot)?.username ?? '';

  const opened = stack.move();
  return {
    ...truth,
    lines,
    commands: async () => (await guild()).commands.map(({ name }) => name).toSorted(),
    connections: async () => (await guild()).connections,
    use: async () =>
      Interaction.parse(
        await truth.control('/discord/interactions', { user, channel: 'general', command: 'live', options: { streamer: 'ada' } }),
      ),
    async answersTo(id) {
      const { items } = Answers.parse(await truth.control('/messages?limit=1000'));
      return items.filter(({ interaction }) => interaction === id).length;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

// Fanfare polls Twitch without subscriptions. Its only WebSocket is the Discord gateway, with its commands.
// The tests run concurrently because discord.js waits for five seconds after an invalid session.
describe.concurrent('15. websocket reconnect → subscriptions re-verified by count', () => {
  test.for(['drop', 'reconnect', 'zombie'] as const)(
    '15. websocket reconnect → subscriptions re-verified by count: %s, which is resumed',
    async (disturbance, { expect }) => {
      // The second heartbeat detects the missing answer.
      await using fixture = await connected(disturbance === 'zombie' ? { heartbeatMs: 500 } : {});
      const before = await fixture.commands();

      const used = [await fixture.use()];
      for (let time = 0; time < 3; time++) {
        await fixture.control('/discord/gateway', { do: disturbance });
        // The gateway sends this event after the resumption.
        used.push(await fixture.use());
      }

      expect(before).toEqual(expect.arrayContaining(['ask', 'game', 'live']));
      expect(used.map(({ outcome, followUps }) => [outcome, followUps.length])).toEqual(used.map(() => ['message', 0]));
      for (const { id } of used) expect(await fixture.answersTo(id)).toBe(1);
      expect(await fixture.commands()).toEqual(before);
      expect(await fixture.requests('discord', 'PUT', '/commands')).toBe(1);
      await expect.poll(() => fixture.connections()).toBe(1);
      expect(fixture.lines.filter((line) => / error /.test(line))).toEqual([]);
    },
  );

  test('15. websocket reconnect → subscriptions re-verified by count: invalidSession, which is another session', async ({ expect }) => {
    await using fixture = await connected();
    const before = await fixture.commands();

    const first = await fixture.use();
    await fixture.control('/discord/gateway', { do: 'invalidSession' });
    await expect.poll(async () => (await fixture.use()).outcome).toBe('message');
    const last = await fixture.use();

    expect([first.outcome, last.outcome]).toEqual(['message', 'message']);
    for (const { id } of [first, last]) expect(await fixture.answersTo(id)).toBe(1);
    expect(await fixture.commands()).toEqual(before);
    expect(await fixture.requests('discord', 'PUT', '/commands')).toBe(1);
    await expect.poll(() => fixture.connections()).toBe(1);
    expect(fixture.lines.filter((line) => / error /.test(line))).toEqual([]);
  });
});
