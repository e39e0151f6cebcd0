import { kick } from '#adapters/kick/index.ts';
import { sandbox } from '#adapters/sandbox/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { kickServer } from '#sandbox/kick/server.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { USUAL_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { type DiscordBot, startDiscord } from '#src/discord/start.ts';
import { createLog } from '#src/log.ts';
import { SocialAsync } from '#src/social/social.ts';
import { openStore } from '#src/store/store.ts';
import { Bot } from '#src/streaming/bot.ts';
import { type DiscordSandbox, type InteractionView, startDiscordSandbox } from '../../support/discord-sandbox.ts';

type Options = Readonly<Record<string, string>>;

/** A choice that is offered while somebody types. */
interface Choice {
  readonly name: string;
  readonly value: string;
}

export interface LookupsFixture extends AsyncDisposable {
  readonly discord: DiscordSandbox;
  /** Where Twitch, Kick and the social platform are; it stands still, so that the same question has the same answer. */
  readonly world: Sandbox;
  readonly nowMs: number;
  /** The clients that the bot asks, to ask the same. */
  readonly bot: Bot;
  readonly kick: Bot;
  readonly social: SocialAsync;
  readonly lines: readonly string[];
  command(command: string, options?: Options, who?: { readonly user?: string; readonly locale?: string }): Promise<InteractionView>;
  /** Clicks the button with this label. */
  click(
    message: MessageView | undefined,
    label: string,
    who?: { readonly user?: string; readonly locale?: string },
  ): Promise<InteractionView>;
  type(command: string, options: Options, focused: string, locale?: string): Promise<readonly Choice[]>;
  /** Ends the bot, and starts it anew with the same store. */
  restart(): Promise<void>;
}

interface LookupGroundOptions {
  /** Which of the platforms have accounts. */
  readonly accounts?: readonly ('twitch' | 'kick' | 'sandbox')[];
  /** The clock of the bot; the servers have the machine's. */
  readonly clock?: Clock;
}

/** Somebody streams in German then, which is not so at every hour. */
const EVENING = '2026-11-19T18:00:00Z';

/** The bot on the sandbox's platforms: real adapters, real discord.js, a real store. */
export async function openLookups({
  accounts = ['twitch', 'kick', 'sandbox'],
  clock = systemClock,
}: LookupGroundOptions = {}): Promise<LookupsFixture> {
  await using stack = new AsyncDisposableStack();
  const nowMs = Date.parse(EVENING);
  const world = stack.use(
    await startSandbox({ platforms: [twitchServer, kickServer, socialServer], clock: { ...systemClock, nowMs: () => nowMs } }),
  );
  const discord = stack.use(await startDiscordSandbox());
  const store = stack.use(await openStore({ clock }));
  const lines: string[] = [];
  const clients = clientsOf(world);
  const has = <T>(name: (typeof accounts)[number], client: T): readonly (readonly [string, T])[] =>
    accounts.includes(name) ? [[name, client]] : [];
  let running: DiscordBot | undefined;
  stack.defer(async () => running?.[Symbol.asyncDispose]());

  async function start(): Promise<void> {
    running = await startDiscord({
      token: discord.token,
      servers: [{ account: 'discord', id: discord.guildId, zone: 'UTC' }],
      settings: USUAL_DISCORD_SETTINGS,
      apiUrl: discord.sandbox.environment['DISCORD_API_URL'],
      streaming: new Map([...has('twitch', clients.bot), ...has('kick', clients.kick)]),
      social: new Map(has('sandbox', clients.social)),
      savedViews: store.savedViews,
      clock,
      log: createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false }),
      signal: new AbortController().signal,
    });
    await running.ready;
  }
  await start();
  const [person] = discord.people;
  const opened = stack.move();

  return {
    discord,
    world,
    nowMs,
    ...clients,
    lines,
    command: (command, options = {}, { user = person, locale } = {}) =>
      discord.interact({ user, channel: 'general', command, options, ...(locale && { locale }) }),
    click: (message, label, { user = person, locale } = {}) =>
      discord.interact({ user, message: message?.id, click: label, ...(locale && { locale }) }),
    async type(command, options, focused, locale) {
      const order = { user: person, channel: 'general', command, options, focused, autocomplete: true, ...(locale && { locale }) };
      const { choices = [] } = await discord.interact(order);
      return choices as unknown as readonly Choice[]; // Discord took them, so they are such
    },
    async restart() {
      await running?.[Symbol.asyncDispose]();
      await start();
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function clientsOf({ environment }: Sandbox): Pick<LookupsFixture, 'bot' | 'kick' | 'social'> {
  const of = (name: string): string => environment[name] ?? '';
  const access = (name: string) => ({
    clientId: of(`${name}_CLIENT_ID`),
    clientSecret: of(`${name}_CLIENT_SECRET`),
    apiUrl: of(`${name}_API_URL`),
    authUrl: of(`${name}_AUTH_URL`),
  });
  return {
    bot: new Bot({ platform: twitch(access('TWITCH')) }),
    kick: new Bot({ platform: kick(access('KICK')) }),
    social: new SocialAsync({ platform: sandbox({ url: of('SANDBOX_URL'), token: of('SANDBOX_TOKEN') }) }),
  };
}
