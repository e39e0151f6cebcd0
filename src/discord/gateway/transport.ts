import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  SimpleShardingStrategy,
  type APIInteraction,
  type GatewayDispatchPayload,
  type IShardingStrategy,
  type WebSocketOptions,
} from 'discord.js';

/** That which discord.js connects by. */
export type GatewayManager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

type ManagerEvent = Parameters<GatewayManager['emit']>[0];

// The enum of these is exported by the package of the gateway alone, under a name that discord.js uses for something else.
const DISPATCH = 'dispatch' as ManagerEvent;
const READY = 'ready' as ManagerEvent;

/** How events come to a client: from the gateway or from elsewhere, they take the same way through discord.js. */
export class Transport {
  readonly #strategyOf: (transport: Transport) => IShardingStrategy | undefined;
  #manager: GatewayManager | undefined;
  #sequence = 0;

  /** Without a strategy of its own, it is that of discord.js: the gateway. */
  constructor(strategyOf: (transport: Transport) => IShardingStrategy | undefined = () => undefined) {
    this.#strategyOf = strategyOf;
  }

  /** For the client's options: what is asked for the way to connect. */
  readonly buildStrategy = (manager: GatewayManager): IShardingStrategy => {
    this.#manager = manager;
    return this.#strategyOf(this) ?? new SimpleShardingStrategy(manager);
  };

  get manager(): GatewayManager {
    if (!this.#manager) throw new Error('nothing can come before the client connects');
    return this.#manager;
  }

  /** Gives the client an interaction that came over HTTP. */
  deliver(interaction: APIInteraction): void {
    this.dispatch({ t: GatewayDispatchEvents.InteractionCreate, d: interaction });
  }

  /** Gives the client an event, as the first of its shards would. */
  dispatch({ t, d }: { readonly t: GatewayDispatchEvents; readonly d: object }): void {
    this.#sequence += 1;
    // The fields of each event are Discord's own; who calls has them from there.
    const data = { op: GatewayOpcodes.Dispatch, s: this.#sequence, t, d } as GatewayDispatchPayload;
    if (t === GatewayDispatchEvents.Ready) this.manager.emit(READY, { data: d, shardId: 0 });
    this.manager.emit(DISPATCH, { data, shardId: 0 });
  }
}
