import { Events, GatewayCloseCodes, type Client } from 'discord.js';

/** The state of the connection to Discord. */
export type ConnectionState =
  /** `problem`: the reason why some servers cannot use the bot. */
  | { readonly kind: 'connected'; readonly problem?: string | undefined }
  /** The bot was online before. */
  | { readonly kind: 'restoring' }
  /** `problem`: the reason why the last attempt failed. */
  | { readonly kind: 'connecting'; readonly problem?: string | undefined }
  | { readonly kind: 'failed'; readonly problem: string };

const REMEDIES: Readonly<Partial<Record<number, string>>> = {
  [GatewayCloseCodes.AuthenticationFailed]: 'rejects the token: set DISCORD_TOKEN to the current token, and restart',
  [GatewayCloseCodes.InvalidShard]: 'rejects the number of shards: set shards in fanfare.yaml to auto, and restart',
  [GatewayCloseCodes.ShardingRequired]: 'requires sharding: set shards in fanfare.yaml to auto, and restart',
  [GatewayCloseCodes.InvalidIntents]: 'rejects the gateway intents of the bot: update Fanfare',
  [GatewayCloseCodes.DisallowedIntents]:
    'does not allow the bot to read messages: enable Message Content Intent on the page Bot of the application, and restart',
};

/** The reason and the remedy for a close code that forbids a reconnect. */
export function closeProblem(code: number): string {
  return `Discord ${REMEDIES[code] ?? 'closed the connection and does not allow a reconnect: look up the close code in its documentation, and restart'} (close code ${code}).`;
}

/** The state of several shards: the worst one. */
export function combineStates(states: readonly ConnectionState[]): ConnectionState {
  const find = (kind: ConnectionState['kind']): ConnectionState | undefined => states.find((state) => state.kind === kind);
  const problem = states.find((state) => state.kind === 'connecting' && state.problem !== undefined);
  return find('failed') ?? find('restoring') ?? problem ?? find('connecting') ?? { kind: 'connected' };
}

/** Reports the state of an online client at once and at each change. */
export function watchConnection(client: Client<true>, onChange: (state: ConnectionState) => void): void {
  const lost = new Set<number>();
  let last: ConnectionState | undefined;

  function become(state: ConnectionState): void {
    // After a failed shard, the state of the other shards does not matter.
    if (last?.kind === 'failed' || last?.kind === state.kind) return;
    last = state;
    onChange(state);
  }

  function settle(shard: number): void {
    lost.delete(shard);
    if (lost.size === 0) become({ kind: 'connected' });
  }

  client.on(Events.ShardReconnecting, (shard) => {
    lost.add(shard);
    become({ kind: 'restoring' });
  });
  client.on(Events.ShardResume, settle);
  client.on(Events.ShardReady, settle);
  client.on(Events.ShardDisconnect, ({ code }) => become({ kind: 'failed', problem: closeProblem(code) }));
  become({ kind: 'connected' });
}
