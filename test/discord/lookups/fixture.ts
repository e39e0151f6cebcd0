import { kick } from '#adapters/kick/index.ts';
import { sandbox } from '#adapters/sandbox/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { kickServer } from '#sandbox/kick/server.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { type DiscordBot, startDiscord } from '#src/discord/start.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openStore } from '#src/store/store.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { type DiscordSandbox, type InteractionView, startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { startOptions } from '../start-options.ts';

type Options = Readonly<Record<string, string>>;

interface Choice {
  readonly name: string;
  readonly value: string;
}

export interface LookupsFixture extends AsyncDisposable {
  readonly discord: DiscordSandbox;
  /** The simulated Twitch, Kick and social platform. Their clock stands still, so equal requests have equal answers. */
  readonly world: Sandbox;
  readonly nowMs: number;
  /** Clients of the same platforms. */
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
  /** Restarts the bot with the same store. */
  restart(): Promise<void>;
}

interface LookupFixtureOptions {
  readonly accounts?: readonly ('twitch' | 'kick' | 'sandbox')[];
  /** Whether the social platform bills reads; default false. */
  readonly billsReads?: boolean;
  /** Whether Twitch allows few searches a day; default false. */
  readonly limitsSearches?: boolean;
  /** The clock of the bot. The servers have the system clock. */
  readonly clock?: Clock;
}

/** At this time, the world has a German stream. */
const EVENING = '2026-11-19T18:00:00Z';

/** A bot on the simulated platforms with real adapters, discord.js and store. */
export async function openLookups({
  accounts = ['twitch', 'kick', 'sandbox'],
  billsReads = false,
  limitsSearches = false,
  clock = systemClock,
}: LookupFixtureOptions = {}): Promise<LookupsFixture> {
  await using stack = new AsyncDisposableStack();
  const nowMs = Date.parse(EVENING);
  const world = stack.use(
    await startSandbox({ platforms: [twitchServer, kickServer, socialServer], clock: { ...systemClock, nowMs: () => nowMs } }),
  );
  const discord = stack.use(await startDiscordSandbox());
  const store = stack.use(await openStore({ clock }));
  const lines: string[] = [];
  const clients = clientsOf(world, { billsReads, limitsSearches });
  const has = <T>(name: (typeof accounts)[number], client: T): readonly (readonly [string, T])[] =>
    accounts.includes(name) ? [[name, client]] : [];
  let running: DiscordBot | undefined;
  stack.defer(async () => running?.[Symbol.asyncDispose]());

  async function start(): Promise<void> {
    running = await startDiscord({
      ...startOptions(discord, lines),
      streaming: new Map([...has('twitch', clients.bot), ...has('kick', clients.kick)]),
      social: new Map(has('sandbox', clients.social)),
      savedViews: store.savedViews,
      clock,
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

function clientsOf(
  { environment }: Sandbox,
  { billsReads, limitsSearches }: Required<Pick<LookupFixtureOptions, 'billsReads' | 'limitsSearches'>>,
): Pick<LookupsFixture, 'bot' | 'kick' | 'social'> {
  const of = (name: string): string => environment[name] ?? '';
  const access = (name: string) => ({
    clientId: of(`${name}_CLIENT_ID`),
    clientSecret: of(`${name}_CLIENT_SECRET`),
    apiUrl: of(`${name}_API_URL`),
    authUrl: of(`${name}_AUTH_URL`),
  });
  return {
    bot: new Bot({ platform: { ...twitch(access('TWITCH')), limitsSearches } }),
    kick: new Bot({ platform: kick(access('KICK')) }),
    social: new SocialAsync({ platform: { ...sandbox({ url: of('SANDBOX_URL'), token: of('SANDBOX_TOKEN') }), billsReads } }),
  };
}
