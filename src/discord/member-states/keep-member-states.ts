import { type Client, Events, GatewayDispatchEvents, GatewayIntentBits } from 'discord.js';
import { z } from 'zod';
import type { MemberState, MemberStateKind, MemberStates } from '#src/clients/chat/chat.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { ClientSetup } from '#src/discord/connection.ts';

/** How often changes are stored. */
const WRITE_EVERY_MS = 1_000;
/** How often unchanged states are confirmed, and how long a confirmation is valid: a process that ends confirms nothing. */
const CONFIRM_EVERY_MS = 20_000;
const VALID_FOR_MS = 60_000;
/** In larger servers, Discord does not send the presences of all members. */
const MOST_MEMBERS = 75_000;

/** The states that rules read. */
export interface AskedStates {
  /** Whether something reads the states of a server. */
  has(server: string, kind: MemberStateKind): boolean;
  readonly kinds: ReadonlySet<MemberStateKind>;
}

export interface KeepMemberStatesOptions {
  readonly states: Pick<MemberStates, 'keep' | 'forget' | 'known'>;
  readonly asked: () => Promise<AskedStates>;
  /** Called after changed states of a server are stored. */
  readonly onChange?: ((server: string, kind: MemberStateKind) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const INTENTS: Readonly<Record<MemberStateKind, GatewayIntentBits>> = {
  presence: GatewayIntentBits.GuildPresences,
  voice: GatewayIntentBits.GuildVoiceStates,
};

/** The intents for the states that rules read. */
export function intentsFor({ kinds }: Pick<AskedStates, 'kinds'>): readonly GatewayIntentBits[] {
  return [...kinds].map((kind) => INTENTS[kind]);
}

const Presence = z.object({ user: z.object({ id: z.string() }), status: z.string() });
const Voice = z.object({ user_id: z.string(), channel_id: z.string().nullish(), self_stream: z.boolean().nullish() });
const GuildCreate = z.object({
  id: z.string(),
  member_count: z.int().nullish(),
  presences: z.array(Presence).nullish(),
  voice_states: z.array(Voice).nullish(),
});
const PresenceUpdate = Presence.extend({ guild_id: z.string() });
const VoiceUpdate = Voice.extend({ guild_id: z.string() });
const Id = z.object({ id: z.string() });

type States = Map<string, MemberState>;

/** The states of a kind in a server. */
interface Kept {
  readonly server: string;
  readonly kind: MemberStateKind;
  readonly states: States;
  /** The time of the last write, in milliseconds since 1970. Undefined if the states have changed since then. */
  storedMs: number | undefined;
  isStored: boolean;
  /** Until when the stored states are valid. Those of a process that took over the shard have another value. */
  untilMs: number;
}

/**
 * Stores the states of members of a client, and returns the listener to attach before the client connects.
 *
 * A state is stored as long as it is complete: from the first event of its server on, until the connection is lost. A resumed connection
 * gets the missed events, and a new one gets all states again.
 */
export function keepMemberStates(options: KeepMemberStatesOptions): (client: Client, setup: ClientSetup) => void {
  return (client, { optionalIntents, work }) => {
    const kinds = (Object.keys(INTENTS) as MemberStateKind[]).filter((kind) => optionalIntents.includes(INTENTS[kind])); // its keys are kinds
    if (kinds.length > 0) attach(client, { ...options, kinds, work });
  };
}

function attach(
  client: Client,
  {
    kinds,
    states,
    asked,
    onChange,
    clock,
    log,
    signal,
    work,
  }: KeepMemberStatesOptions & { readonly kinds: readonly MemberStateKind[] } & Pick<ClientSetup, 'work'>,
): void {
  const kept = new Map<string, Kept>();
  let isLost = true;

  function begin(server: string, kind: MemberStateKind, all: readonly (readonly [string, MemberState | undefined])[]): void {
    if (!kinds.includes(kind)) return;
    const known = all.flatMap(([id, state]) => (state ? [[id, state] as const] : []));
    kept.set(`${server} ${kind}`, { server, kind, states: new Map(known), storedMs: undefined, isStored: false, untilMs: 0 });
  }

  function change(server: string, kind: MemberStateKind, [id, state]: readonly [string, MemberState | undefined]): void {
    const one = kept.get(`${server} ${kind}`);
    if (!one) return;
    if (state) one.states.set(id, state);
    else one.states.delete(id);
    one.storedMs = undefined;
  }

  async function forget(which: (one: Kept) => boolean): Promise<void> {
    for (const one of kept.values()) {
      if (!one.isStored || !which(one)) continue;
      one.isStored = false;
      one.storedMs = undefined;
      await states.forget(one.server, one.kind, one.untilMs);
    }
  }

  async function leave(server: string): Promise<void> {
    await forget((one) => one.server === server);
    for (const [key, one] of kept) if (one.server === server) kept.delete(key);
  }

  async function attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, 'the states of members could not be stored; Fanfare retries');
    }
  }

  /** Deletes the states, because changes are missed until the connection is back. */
  function lose(): void {
    isLost = true;
    work(attempt(() => forget(() => true)));
  }

  function resume(): void {
    isLost = false;
    for (const one of kept.values()) one.storedMs = undefined;
  }

  async function write(): Promise<void> {
    const wanted = await asked();
    await forget(({ server, kind }) => !wanted.has(server, kind));
    if (kept.size === 0) return;
    const known = await states.known();
    const nowMs = clock.nowMs();
    for (const one of kept.values()) {
      // The process that ran the shard before deletes its states when it ends.
      const isGone = !known.has(`${one.server} ${one.kind}`);
      const isDue = one.storedMs === undefined || isGone || nowMs - one.storedMs >= CONFIRM_EVERY_MS;
      if (isLost || !isDue || !wanted.has(one.server, one.kind)) continue;
      const isChanged = one.storedMs === undefined;
      one.isStored = true;
      one.storedMs = nowMs;
      one.untilMs = nowMs + VALID_FOR_MS;
      try {
        await states.keep(one.server, one.kind, Object.fromEntries(one.states), one.untilMs);
      } catch (error) {
        one.storedMs = undefined;
        throw error;
      }
      // The connection may have been lost meanwhile.
      if (isLost || !one.isStored) await states.forget(one.server, one.kind, one.untilMs);
      else if (isChanged) onChange?.(one.server, one.kind);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted && client.token !== null) {
      await attempt(write);
      await clock.sleep(WRITE_EVERY_MS, signal).catch(() => undefined);
    }
    await attempt(() => forget(() => true));
  }

  const { ws } = client;
  ws.on(GatewayDispatchEvents.Ready, () => {
    kept.clear();
    isLost = false;
  });
  ws.on(GatewayDispatchEvents.GuildCreate, (data: unknown) => {
    const { data: guild } = GuildCreate.safeParse(data);
    if (!guild) return;
    if ((guild.member_count ?? 0) <= MOST_MEMBERS) begin(guild.id, 'presence', (guild.presences ?? []).map(presenceOf));
    begin(guild.id, 'voice', (guild.voice_states ?? []).map(voiceOf));
  });
  ws.on(GatewayDispatchEvents.PresenceUpdate, (data: unknown) => {
    const { data: update } = PresenceUpdate.safeParse(data);
    if (update) change(update.guild_id, 'presence', presenceOf(update));
  });
  ws.on(GatewayDispatchEvents.VoiceStateUpdate, (data: unknown) => {
    const { data: update } = VoiceUpdate.safeParse(data);
    if (update) change(update.guild_id, 'voice', voiceOf(update));
  });
  ws.on(GatewayDispatchEvents.GuildDelete, (data: unknown) => {
    const { data: gone } = Id.safeParse(data);
    if (gone) work(attempt(() => leave(gone.id)));
  });
  client.on(Events.ShardReconnecting, lose);
  client.on(Events.ShardDisconnect, lose);
  client.on(Events.ShardResume, resume);
  client.once(Events.ClientReady, () => work(run()));
}

function presenceOf({ user, status }: z.output<typeof Presence>): readonly [string, MemberState | undefined] {
  return [user.id, status === 'online' || status === 'idle' || status === 'dnd' ? { status } : undefined];
}

function voiceOf({
  user_id: id,
  channel_id: channel,
  self_stream: streaming,
}: z.output<typeof Voice>): readonly [string, MemberState | undefined] {
  return [id, channel ? { channel, ...(streaming && { streaming }) } : undefined];
}
