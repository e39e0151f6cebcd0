import { once } from 'node:events';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { ShardTable } from './gateway/shard-leases.ts';
import type { HandledEvents } from './handled-events.ts';
import { createClosers, type Closers, type ClosersOptions } from './closers.ts';
import type { Questions } from './questions.ts';
import type { ConnectionState } from './gateway/connection-state.ts';
import { interactionsEndpoint } from './http/endpoint.ts';
import type { DiscordParts } from './commands/all.ts';
import type { DiscordBot, StartDiscordOptions } from './start.ts';
import type { SavedViews } from '#src/admin/queries/saved-views.ts';
import type { ConversationState } from '#src/clients/assistant/conversation-state.ts';
import type { DiscordStatus } from '#src/admin/queries/records.ts';
import type { CurrentStatus } from './connection-status.ts';
import type { Clients } from '#src/clients/clients.ts';

/** Options that reach the bot unchanged. */
type Passed =
  | 'posting'
  | 'postActions'
  | 'controls'
  | 'storedServers'
  | 'auditLog'
  | 'listQueries'
  | 'renderCard'
  | 'notices'
  | 'botStatus'
  | 'ruleButtons'
  | 'memberStates'
  | 'messages'
  | 'ruleCommands'
  | 'clock'
  | 'log';

export interface ConnectDiscordOptions extends Pick<StartDiscordOptions, Passed>, Pick<ClosersOptions, 'store'> {
  /** Resolves when discord.js may load: it is the largest dependency, so the first polls run without it. */
  readonly after?: (() => Promise<unknown>) | undefined;
  readonly config: Pick<Config, 'accounts' | 'discord' | 'servers' | 'publicUrl'>;
  /** The clients for look-ups. Without an account, a look-up uses the first one, which is the default. */
  readonly clients: Pick<Clients, 'streaming' | 'social'>;
  readonly savedViews: SavedViews;
  /** The stored state of conversations with the assistant. */
  readonly conversations: ConversationState;
  /** Answers `/ask`; absent: the command does not exist. */
  readonly conversation: Pick<DiscordParts, 'assistant' | 'drafts'> | undefined;
  /** Receives the answers to questions. */
  readonly questions: Questions;
  /** Lets one process at a time answer in Discord. */
  readonly gatewayLock: { claim(options: { readonly signal: AbortSignal; readonly onWait: () => void }): Promise<Disposable> };
  /** Absent: this process is the only one. */
  readonly cluster?: DiscordCluster | undefined;
  /** Receives the state of the connection. */
  readonly status: CurrentStatus;
  readonly signal: AbortSignal;
}

/** How several processes share the bot. */
interface DiscordCluster {
  /** The id of this process. */
  readonly process: string;
  /** Whether no other process answers in Discord. */
  readonly isAlone: () => Promise<boolean>;
  /** The shards, of which this process runs its share; absent: it runs none. */
  readonly shards?: ShardTable | undefined;
  /** Whether this process receives interactions over HTTP. */
  readonly http: boolean;
  readonly handled: HandledEvents;
}

/** The connection of the bot to Discord. */
export interface DiscordConnection extends Closers {
  readonly status: DiscordStatus;
  /** Handles interactions that Discord sends over HTTP; absent: no public key is configured. */
  readonly takeInteraction?: ReturnType<typeof interactionsEndpoint> | undefined;
  /** Resolves when the bot is offline, after `signal`. */
  readonly closed: Promise<void>;
}

/** Connects the bot in the background. Rules do not wait for it. */
export function connectDiscord({
  after = () => Promise.resolve(),
  config,
  clients,
  savedViews,
  conversations,
  conversation: talk,
  posting,
  postActions,
  controls,
  storedServers,
  listQueries,
  renderCard,
  auditLog,
  notices,
  botStatus,
  questions,
  ruleButtons,
  memberStates,
  messages,
  ruleCommands,
  store,
  gatewayLock,
  cluster,
  status,
  clock,
  log,
  signal,
}: ConnectDiscordOptions): DiscordConnection {
  const { discord: settings, servers, publicUrl } = config;
  const { streaming, social } = clients;
  // One bot serves all servers.
  const [discord] = accountsOn('discord', config.accounts);
  const absent = { status, closed: Promise.resolve() };
  if (!discord) return { ...absent, questionClosed: () => undefined, delivered: () => undefined };
  const { token, apiUrl } = discord;
  const closers = createClosers({ token, apiUrl, storedServers, store, log });
  const { publicKey } = settings;
  const http = publicKey !== undefined && (cluster?.http ?? true);
  const gateway = settings.gateway && (!cluster || cluster.shards !== undefined);
  if (cluster && !gateway && !http) return { ...absent, ...closers };
  const { become } = status;
  become({ state: 'connecting' });
  const ending = new AbortController();
  let bot: DiscordBot | undefined;

  async function stay(): Promise<void> {
    const onWait = (): void => {
      const problem = 'another Fanfare with the same data answers in Discord; this one waits for it to end';
      log.warn({}, problem);
      become({ state: 'connecting', problem });
    };
    using _claim = cluster ? undefined : await gatewayLock.claim({ signal, onWait });
    become({ state: 'connecting' });
    await after();
    signal.throwIfAborted();
    const { startDiscord } = await import('./start.ts');
    // In a cluster, the bot works until other processes run its shards.
    const until = cluster ? ending.signal : signal;
    const parts = {
      streaming,
      social,
      savedViews,
      conversations,
      ...talk,
      posting,
      postActions,
      controls,
      storedServers,
      listQueries,
      renderCard,
      auditLog,
      notices,
      botStatus,
      publicUrl,
      questions,
      ruleButtons,
      memberStates,
      messages,
      ruleCommands,
      clock,
      log,
      signal: until,
    };
    const onConnection = (state: ConnectionState): void =>
      become({
        state: state.kind,
        problem: 'problem' in state ? state.problem : undefined,
        lostAtMs: state.kind === 'restoring' ? clock.nowMs() : undefined,
      });
    const shared = cluster && {
      shards: cluster.shards && { table: cluster.shards, gateway: cluster.process },
      http: gateway && http,
      handled: cluster.handled,
      process: cluster.process,
      isAlone: cluster.isAlone,
    };
    await using client = await startDiscord({
      token,
      apiUrl,
      servers,
      settings: { ...settings, gateway },
      ...shared,
      onConnection,
      ...parts,
    });
    bot = client;
    client.ready.catch((error: unknown) =>
      become({ state: 'failed', problem: error instanceof Error ? error.message : 'it failed for an unknown reason' }),
    );
    if (!signal.aborted) await once(signal, 'abort');
    await client.handOver();
    ending.abort(signal.reason);
  }

  const closed = stay()
    .catch((error: unknown) => signal.aborted || log.error({ error }, 'the bot in Discord failed'))
    .then(() => undefined);
  const deliver = (interaction: Parameters<DiscordBot['deliver']>[0]): boolean => bot?.deliver(interaction) ?? false;
  return {
    closed,
    // In a cluster, the store knows which interactions were handled before the start.
    takeInteraction: http ? interactionsEndpoint({ publicKey, deliver, sinceMs: cluster && 0, clock, log }) : undefined,
    ...closers,
    status,
  };
}
