import { once } from 'node:events';
import type { Clock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import type { ShardTable } from '#src/discord/gateway/shard-leases.ts';
import type { HandledEvents } from '#src/discord/handled-events.ts';
import type { Questions } from '#src/discord/questions.ts';
import type { ConnectionState } from '#src/discord/gateway/connection-state.ts';
import { interactionsEndpoint } from '#src/discord/http/endpoint.ts';
import type { DiscordParts } from '#src/discord/commands/all.ts';
import type { DiscordBot } from '#src/discord/start.ts';
import type { SavedViews } from '#src/queries/saved-views.ts';
import type { ConversationState } from '#src/assistant/conversation-state.ts';
import type { Store } from '#src/store/store.ts';
import type { TakeInteraction } from '#src/web/api/interactions.ts';
import type { Clients } from './clients.ts';

export interface ConnectDiscordOptions {
  /** Resolves when discord.js may load: it is the largest dependency, so the first polls run without it. */
  readonly after?: (() => Promise<unknown>) | undefined;
  readonly config: Pick<Config, 'accounts' | 'discord' | 'servers'>;
  /** The clients for look-ups. Without an account, a look-up uses the first one, which is the default. */
  readonly clients: Pick<Clients, 'streaming' | 'social'>;
  readonly savedViews: SavedViews;
  /** The stored state of conversations with the assistant. */
  readonly conversations: ConversationState;
  /** Answers `/ask`; absent: the command does not exist. */
  readonly conversation: Pick<DiscordParts, 'assistant' | 'drafts'> | undefined;
  /** Sends posts of `/post`. */
  readonly posting?: DiscordParts['posting'];
  /** The controls of operators; absent: their commands do not exist. */
  readonly controls?: DiscordParts['controls'];
  /** Receives the answers to questions. */
  readonly questions: Questions;
  /** Lets one process at a time answer in Discord. */
  readonly gatewayLock: Store['gatewayLock'];
  /** Absent: this process is the only one. */
  readonly cluster?: DiscordCluster | undefined;
  /** Called when `state` changes. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** How several processes share the bot. */
interface DiscordCluster {
  /** The id of this process. */
  readonly process: string;
  /** The shards, of which this process runs its share; absent: it runs none. */
  readonly shards?: ShardTable | undefined;
  /** Whether this process receives interactions over HTTP. */
  readonly http: boolean;
  readonly handled: HandledEvents;
}

/** The connection of the bot to Discord. */
export interface DiscordConnection {
  readonly state: 'absent' | ConnectionState['kind'];
  /** What is wrong, and how to fix it. */
  readonly problem?: string | undefined;
  /** When the connection was lost; absent unless it is being restored. */
  readonly lostAtMs?: number | undefined;
  /** Handles interactions that Discord sends over HTTP; absent: no public key is configured. */
  readonly takeInteraction?: TakeInteraction | undefined;
  /** Resolves when the bot is offline, after `signal`. */
  readonly closed: Promise<void>;
  /** Ends the question with the address `channel/message` as unanswered. This needs no connection. */
  endQuestion(message: string): void;
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
  controls,
  questions,
  gatewayLock,
  cluster,
  onChange,
  clock,
  log,
  signal,
}: ConnectDiscordOptions): DiscordConnection {
  const { discord: settings, servers } = config;
  const { streaming, social } = clients;
  // One bot serves all servers.
  const [discord] = accountsOn('discord', config.accounts);
  const absent = { state: 'absent', closed: Promise.resolve() } as const;
  if (!discord) return { ...absent, endQuestion: () => undefined };
  const { token, apiUrl } = discord;
  let closer: Promise<(message: string) => Promise<void>> | undefined;
  const endQuestion = (message: string): void => {
    closer ??= import('#src/discord/question-closer.ts').then(({ createQuestionCloser }) => createQuestionCloser({ token, apiUrl, log }));
    void closer.then((close) => close(message));
  };
  const { publicKey } = settings;
  const http = publicKey !== undefined && (cluster?.http ?? true);
  const gateway = settings.gateway && (!cluster || cluster.shards !== undefined);
  if (cluster && !gateway && !http) return { ...absent, endQuestion };
  let connection: Pick<DiscordConnection, 'state' | 'problem' | 'lostAtMs'> = { state: 'connecting' };
  const ending = new AbortController();
  let bot: DiscordBot | undefined;

  function become(now: typeof connection): void {
    connection = now;
    onChange();
  }

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
    const { startDiscord } = await import('#src/discord/start.ts');
    // In a cluster, the bot works until other processes run its shards.
    const until = cluster ? ending.signal : signal;
    const parts = { streaming, social, savedViews, conversations, ...talk, posting, controls, questions, clock, log, signal: until };
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
    endQuestion,
    get state() {
      return connection.state;
    },
    get lostAtMs() {
      return connection.lostAtMs;
    },
    get problem() {
      return connection.problem;
    },
  };
}
