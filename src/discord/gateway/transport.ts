import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  type APIInteraction,
  type Client,
  type GatewayDispatchPayload,
  type IShardingStrategy,
} from 'discord.js';
import { settlesWithin, type Clock } from '#src/clock.ts';
import { type GatewayManager, gatewayStrategy } from './gateway-strategy.ts';

type ManagerEvent = Parameters<GatewayManager['emit']>[0];

// Only the package of the gateway exports this enum, under a name that discord.js uses for another type.
const DISPATCH = 'dispatch' as ManagerEvent;
const READY = 'ready' as ManagerEvent;

const LONGEST_CLOSE_MS = 3_000;

/** Passes events to a client. Events from the gateway and from HTTP take the same path through discord.js. */
export class Transport {
  readonly #clock: Clock;
  readonly #strategyOf: (transport: Transport) => IShardingStrategy | undefined;
  #manager: GatewayManager | undefined;
  #sequence = 0;
  #isClosed = false;
  /** Loads what the client needs for an interaction from HTTP. Never rejects. */
  beforeInteraction: (interaction: APIInteraction) => Promise<void> | undefined = () => undefined;

  /** The default strategy is the gateway. */
  constructor(clock: Clock, strategyOf: (transport: Transport) => IShardingStrategy | undefined = () => undefined) {
    this.#clock = clock;
    this.#strategyOf = strategyOf;
  }

  /** For the options of the client. */
  readonly buildStrategy = (manager: GatewayManager): IShardingStrategy => {
    this.#manager = manager;
    return this.#strategyOf(this) ?? gatewayStrategy(manager, () => this.#isClosed);
  };

  get manager(): GatewayManager {
    if (!this.#manager) throw new Error('the client has no manager before it connects');
    return this.#manager;
  }

  /** Takes the client offline. It does not connect again, but still sends requests: its process can run other shards, and unfinished answers. */
  async close(client: Client): Promise<void> {
    this.#isClosed = true;
    const { token, rest } = client;
    const ending = client.destroy().then(() => void (token !== null && rest.setToken(token)));
    // discord.js waits half a minute for a close that Discord does not answer.
    await settlesWithin(ending, LONGEST_CLOSE_MS, this.#clock);
  }

  /** Passes an interaction from HTTP to the client. Throws or rejects if discord.js cannot read it. */
  deliver(interaction: APIInteraction): Promise<void> | undefined {
    const give = (): void => this.dispatch({ t: GatewayDispatchEvents.InteractionCreate, d: interaction });
    const loading = this.beforeInteraction(interaction);
    if (!loading) {
      give();
      return undefined;
    }
    return loading.then(() => void (this.#isClosed || give()));
  }

  /** Passes an event to the client in the name of its first shard. */
  dispatch({ t, d }: { readonly t: GatewayDispatchEvents; readonly d: object }): void {
    this.#sequence += 1;
    // The caller has the fields of the event from Discord.
    const data = { op: GatewayOpcodes.Dispatch, s: this.#sequence, t, d } as GatewayDispatchPayload;
    if (t === GatewayDispatchEvents.Ready) this.manager.emit(READY, { data: d, shardId: 0 });
    this.manager.emit(DISPATCH, { data, shardId: 0 });
  }
}
