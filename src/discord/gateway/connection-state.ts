import { Events, GatewayCloseCodes, type Client } from 'discord.js';

/** How it stands with the connection to Discord. */
export type ConnectionState =
  /** With the reason why some servers cannot use the bot. */
  | { readonly kind: 'connected'; readonly problem?: string | undefined }
  /** It was there before. */
  | { readonly kind: 'restoring' }
  /** With the reason why the last attempt failed. */
  | { readonly kind: 'connecting'; readonly problem?: string | undefined }
  | { readonly kind: 'failed'; readonly problem: string };

const CURES: Readonly<Partial<Record<number, string>>> = {
  [GatewayCloseCodes.AuthenticationFailed]: 'does not accept the token any more: set the new one as DISCORD_TOKEN, and restart',
  [GatewayCloseCodes.InvalidShard]: 'has no such shard: set shards in fanfare.yaml to auto, and restart',
  [GatewayCloseCodes.ShardingRequired]: 'wants the bot to be split: set shards in fanfare.yaml to auto, and restart',
  [GatewayCloseCodes.InvalidIntents]: 'does not know what the bot wants to hear of: update Fanfare',
  [GatewayCloseCodes.DisallowedIntents]:
    'does not let the bot read messages: switch on Message Content Intent, on the page Bot of the application, and restart',
};

/** Why Discord closed a connection for good, and what would cure it. */
export function closeProblem(code: number): string {
  return `Discord ${CURES[code] ?? 'closed the connection for good: restart once its cause is gone'} (close code ${code}).`;
}

/** Tells of each change of the connection of a client that is online, and at once how it stands. */
export function watchConnection(client: Client<true>, onChange: (state: ConnectionState) => void): void {
  const lost = new Set<number>();
  let last: ConnectionState | undefined;

  function become(state: ConnectionState): void {
    // What failed once stays so: what the other shards do does not make the bot whole.
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
