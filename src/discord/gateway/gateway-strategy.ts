import { type IShardingStrategy, SimpleShardingStrategy, type WebSocketOptions } from 'discord.js';

/** The WebSocket manager of discord.js. */
export type GatewayManager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

/** The default strategy of discord.js, without two of its defects: a destroyed shard can connect again, or wait forever for its end. */
export function gatewayStrategy(manager: GatewayManager, isClosed: () => boolean): IShardingStrategy {
  let current = new SimpleShardingStrategy(manager);
  let endCurrent = (): void => undefined;

  return {
    async spawn(ids) {
      let isOver = false;
      const cleared = new Set<number>();
      endCurrent = () => void (isOver = true);
      const options: GatewayManager['options'] = {
        ...manager.options,
        // discord.js does not stop a shard that waits between two connections, so the shard would connect after the end.
        retrieveSessionInfo: (shard) => (isOver || isClosed() ? new Promise(() => undefined) : manager.options.retrieveSessionInfo(shard)),
        // A shard that waits for an event destroys itself once more, after which the first call would wait forever for the close.
        updateSessionInfo(shard, info) {
          if (cleared.has(shard)) return new Promise(() => undefined);
          if (isOver || isClosed()) cleared.add(shard);
          return manager.options.updateSessionInfo(shard, info);
        },
      };
      const view = Object.create(manager, { options: { value: options } }) as GatewayManager; // the manager, except for its options
      current = new SimpleShardingStrategy(view);
      await current.spawn(ids);
    },

    connect: () => current.connect(),

    async destroy(options) {
      endCurrent();
      await current.destroy(options);
    },

    send: (shard, payload) => current.send(shard, payload),
    fetchStatus: () => current.fetchStatus(),
  };
}
