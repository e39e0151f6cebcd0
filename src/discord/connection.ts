import { isDeepStrictEqual } from 'node:util';
import { type APIInteraction, type Client, Events, type GatewayIntentBits, type Guild, type Interaction, REST } from 'discord.js';
import { settlesWithin, type Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import { claimInteraction } from './claim-interaction.ts';
import type { Command } from './command.ts';
import { restOptions } from './rest-options.ts';
import { combineStates, type ConnectionState } from '#src/discord/gateway/connection-state.ts';
import { gatewayInfo } from '#src/discord/gateway/gateway-info.ts';
import { restOnlyStrategy } from '#src/discord/gateway/rest-only.ts';
import { retrying } from '#src/discord/gateway/retrying.ts';
import { runShards, type RunningShards } from '#src/discord/gateway/run-shards.ts';
import { openShardClient, type OptionalIntents, type ShardClient, type ShardClientOptions } from '#src/discord/gateway/shard-client.ts';
import { createShardLeases, memoryShardTable, type ShardTable } from '#src/discord/gateway/shard-leases.ts';
import type { Shard } from '#src/discord/gateway/shard-state.ts';
import { Transport } from '#src/discord/gateway/transport.ts';
import { type HandledEvents, memoryHandledEvents } from './handled-events.ts';
import { offerCommands, offerLater, type OfferOptions } from './offer-commands.ts';
import { type CommandsIn, removeCommands } from './register.ts';
import { offerRuleCommands } from './rule-commands/offer-rule-commands.ts';

/** The shards that several gateways share. */
interface SharedShards {
  readonly table: ShardTable;
  /** The id of this process. */
  readonly gateway: string;
}

export interface ConnectionOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  /** The servers in which the bot offers its commands. None: all servers, which takes Discord some minutes. */
  readonly servers: readonly DiscordServer[];
  /** The servers that had their own commands before the bot served all servers. */
  readonly earlierServers?: readonly DiscordServer[] | undefined;
  readonly settings: DiscordSettings;
  /** Absent: this process runs all shards. */
  readonly shards?: SharedShards | undefined;
  /** Whether interactions over HTTP may come from servers whose shards other processes run. */
  readonly http?: boolean | undefined;
  /** Lets one process handle each interaction. Absent: there is one process. */
  readonly handled?: HandledEvents | undefined;
  /** Gateway intents that the bot drops if Discord refuses them. */
  readonly optionalIntents?: readonly GatewayIntentBits[] | undefined;
  readonly commands: readonly Command[];
  /** The commands of rules; absent: there are none. */
  readonly ruleCommands?: { readonly in: CommandsIn; readonly onChange: (listener: () => void) => () => void } | undefined;
  /** Called once for each interaction, over the gateway or over HTTP. Never rejects. */
  readonly handle: (interaction: Interaction) => Promise<void>;
  /** Called with each client of the gateway before it connects; without a gateway, with the client for HTTP. */
  readonly prepare?: ((client: Client, setup: ClientSetup) => void) | undefined;
  /** Called once, when the bot is online. */
  readonly onOnline?: ((client: Client<true>, setup: Pick<ClientSetup, 'work'>) => void) | undefined;
  /** Called at each change of the connection. */
  readonly onConnection?: ((state: ConnectionState) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface ClientSetup {
  /** The optional intents that the client requests. */
  readonly optionalIntents: readonly GatewayIntentBits[];
  /** Registers a task that never rejects. The shutdown waits for it. */
  readonly work: (work: Promise<void>) => void;
}

/** A bot that is online or connects. Disposing of it takes the bot offline. */
export interface Connection extends AsyncDisposable {
  /** Resolves once the first shards are online and offer the commands. Rejects if a retry cannot help. */
  readonly client: Promise<Client<true>>;
  /** Handles an interaction from HTTP; false if the bot is not online. */
  deliver(interaction: APIInteraction): boolean;
  /** Lets other processes take over the shards. */
  handOver(): Promise<void>;
}

/** How long the shutdown waits for running tasks, which tell their users about the restart. */
const SHUTDOWN_MS = 3_000;
/** How often a process whose shards were all taken over looks for new ones. */
const TAKEOVER_CHECK_MS = 2_000;
const DEFAULT_API_URL = 'https://discord.com/api';
/** A client without a gateway connection counts as the only shard. */
const ONLY_SHARD: Shard = { id: 0, count: 1 };

/** Connects a bot, and retries until it is online. */
export function openConnection(options: ConnectionOptions): Connection {
  const { token, apiUrl = DEFAULT_API_URL, servers, settings, handle, onConnection, clock, log, signal } = options;
  const { handled = memoryHandledEvents(clock), shards: shared = { table: memoryShardTable(), gateway: 'only' } } = options;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const until = AbortSignal.any([signal, stopping.signal]);
  const intents: OptionalIntents = { current: options.optionalIntents ?? [] };
  const states = new Map<ShardClient, ConnectionState>();
  let shards: RunningShards | undefined;
  let restOnly: ShardClient | undefined;
  let [isOffered, isOver] = [false, false];
  /** Whether this process knows which shards it runs. */
  let isRenewed = false;
  let last: ConnectionState | undefined;
  /** The servers that refuse the commands. */
  let denied: readonly DiscordServer[] = [];
  /** Registers the commands of a server that the bot joined. Absent until the servers have the commands. */
  let offerAgain: ((guild: Guild) => void) | undefined;
  /** The attempts to register the commands in a server, by its id. New ones end the earlier ones. */
  const attempts = new Map<string, AbortController>();

  function work(task: Promise<void>): void {
    const ending = task.finally(() => running.delete(ending));
    running.add(ending);
  }

  async function handleOnce(interaction: Interaction): Promise<void> {
    if (await claimInteraction(interaction, { handled, clock, log, signal })) await handle(interaction);
  }

  /** Registers the commands in a server, until it accepts them. */
  function offerIn(client: Client<true>, server: DiscordServer, offer: Parameters<typeof offerLater>[2]): void {
    attempts.get(server.id)?.abort();
    const attempt = new AbortController();
    attempts.set(server.id, attempt);
    const onDenied = (from: readonly DiscordServer[]): void => {
      if (!attempt.signal.aborted) offer.onDenied([...denied.filter((one) => one !== server), ...from]);
    };
    work(offerLater(client, [server], { ...offer, onDenied, signal: AbortSignal.any([until, attempt.signal]) }));
  }

  function prepare(client: Client, { hasGateway }: { readonly hasGateway: boolean }): void {
    client.on(Events.InteractionCreate, (interaction) => work(handleOnce(interaction)));
    // Discord deletes the commands of a server that removes the bot. A new session reports a server as available that joined before it.
    client.on(Events.GuildCreate, (guild) => offerAgain?.(guild));
    client.on(Events.GuildAvailable, (guild) => offerAgain?.(guild));
    client.on(Events.Error, ({ message }) => log.warn({ reason: message }, 'the connection to Discord reported an error'));
    // The servers that a client for HTTP loads have no states of members.
    if (hasGateway || !settings.gateway) options.prepare?.(client, { optionalIntents: intents.current, work });
  }

  function open(shard: Shard, over: Pick<ShardClientOptions, 'newTransport' | 'identify'>): ShardClient {
    const client: ShardClient = openShardClient({
      token,
      apiUrl,
      shard,
      intents,
      ...over,
      prepare: (created) => prepare(created, { hasGateway: over.identify !== undefined }),
      onState(state) {
        // A closed shard still reports that it reconnects.
        if (states.has(client)) become(client, state);
      },
      clock,
      log,
      signal,
    });
    become(client, { kind: 'connecting' });
    client.online.catch((error: unknown) => {
      // An error at the start is the error of the connection.
      if (isOffered && states.has(client))
        become(client, { kind: 'failed', problem: error instanceof Error ? error.message : 'unknown error' });
    });
    return client;
  }

  function become(client: ShardClient, state: ConnectionState): void {
    states.set(client, state);
    settle();
  }

  /** Reports the state of all shards. */
  function settle(): void {
    const state = combineStates([...states.values()]);
    // Without shards, this process waits until another process leaves. The client for HTTP is no shard.
    const isSpare = isRenewed && [...states.keys()].every((client) => client === restOnly);
    if (isOffered || isSpare) report(state.kind === 'connecting' && state.problem === undefined ? { kind: 'connected' } : state);
    else if (state.kind === 'connecting' && state.problem !== undefined) report(state);
  }

  function report(known: ConnectionState): void {
    const names = denied.map(({ account, id }) => `${account} (${id})`).join(' and ');
    const problem = `the bot is not in the server of ${names}, or cannot register commands there: check its id, and invite the bot with the scope applications.commands.`;
    const state = known.kind === 'connected' && denied.length > 0 ? { ...known, problem } : known;
    if (signal.aborted || isDeepStrictEqual(state, last)) return;
    last = state;
    if (state.kind === 'failed') log.error({ reason: state.problem }, 'the bot was disconnected from Discord');
    onConnection?.(state);
  }

  const onFailure = (problem: string): void => report({ kind: 'connecting', problem });

  /** Starts to connect. Resolves with the first shards. */
  async function connect(): Promise<readonly ShardClient[]> {
    if (!settings.gateway || options.http) {
      const ids = servers.map(({ id }) => id);
      const newTransport = (): Transport => new Transport(clock, (created) => restOnlyStrategy(created, { servers: ids, clock, signal }));
      restOnly = open(ONLY_SHARD, { newTransport });
      if (!settings.gateway) return [restOnly];
    }
    const rest = new REST(restOptions(apiUrl)).setToken(token);
    const info = await retrying(() => gatewayInfo(rest, until), { onFailure, clock, log, signal: until });
    const count = settings.shards === 'auto' ? info.shards : settings.shards;
    shards = runShards({
      isShared: options.shards !== undefined,
      leases: createShardLeases({ ...shared, count, maxConcurrency: info.maxConcurrency, clock }),
      open: (shard, identify) => open(shard, { newTransport: () => new Transport(clock), identify }),
      onClosed: (client) => states.delete(client),
      onRenewed() {
        isRenewed = true;
        settle();
      },
      clock,
      log,
      signal: until,
    });
    return shards.first;
  }

  /** The client of a shard; undefined if another process took the shard over before it was online. */
  async function clientOf(shard: ShardClient): Promise<Client<true> | undefined> {
    try {
      return await shard.online;
    } catch (error) {
      if (states.has(shard)) throw error;
      return undefined;
    }
  }

  /** The first client, as soon as the shards of this process are online. */
  async function firstClient(): Promise<Client<true>> {
    for (let opened = await connect(); ; opened = [...states.keys()].filter((one) => one !== restOnly)) {
      const client = (await Promise.all(opened.map(clientOf))).find((one) => one !== undefined);
      if (client) return client;
      await clock.sleep(TAKEOVER_CHECK_MS, until);
    }
  }

  async function start(): Promise<Client<true>> {
    const client = await firstClient();
    options.onOnline?.(client, { work });
    const offer: OfferOptions = {
      ...options,
      commandsIn: options.ruleCommands?.in,
      onDenied(from) {
        denied = from;
        settle();
      },
      onProblem: onFailure,
      signal: until,
    };
    const changed = await retrying(() => offerCommands(client, offer), { onFailure, clock, log, signal: until });
    log.info({ as: client.user.tag, changed }, 'Discord is connected');
    isOffered = true;
    settle();
    for (const server of denied) offerIn(client, server, offer);
    const { ruleCommands, earlierServers = [] } = options;
    // Where the commands of Fanfare are global, a server has those of rules only.
    const isGlobal = servers.length === 0;
    const ofServers = isGlobal ? { commands: [], servers: ruleCommands ? earlierServers : [] } : { commands: options.commands, servers };
    if (ruleCommands) {
      const { in: commandsIn, onChange } = ruleCommands;
      work(offerRuleCommands(client, { ...options, ...ofServers, commandsIn, onChange, isOffered: !isGlobal, signal: until }));
    }
    offerAgain = (guild) => {
      const joined = ofServers.servers.find(({ id }) => id === guild.id);
      if (joined) offerIn(guild.client, joined, { ...offer, ...ofServers, firstPauseMs: 0 });
    };
    work(removeCommands(client, { servers, earlier: ruleCommands ? [] : earlierServers, log, signal }));
    return client;
  }

  const client = start();
  client.catch((error: unknown) => until.aborted || log.error({ error }, 'the bot cannot connect to Discord'));

  return {
    client,
    deliver: (interaction) =>
      !isOver && [shards?.clientOf(interaction.guild_id), restOnly].some((one) => one?.deliver(interaction) ?? false),
    handOver: async () => shards?.handOver(),
    async [Symbol.asyncDispose]() {
      isOver = true;
      stopping.abort();
      await client.catch(() => undefined);
      await settlesWithin(Promise.all(running), SHUTDOWN_MS, clock);
      await Promise.all([restOnly?.[Symbol.asyncDispose](), shards?.[Symbol.asyncDispose]()]);
    },
  };
}
