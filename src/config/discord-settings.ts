/** What somebody may do with the bot. */
export type Ability = 'look' | 'ask' | 'post' | 'operate';

/** A server that the bot is at home in. */
export interface DiscordServer {
  /** The account of rules that speaks there: `discord`, or its name in `fanfare.yaml`. */
  readonly account: string;
  /** Its id. */
  readonly id: string;
  /** The IANA zone in which times are typed and shown there. */
  readonly zone: string;
}

/** So many within so long. */
export interface Quota {
  readonly most: number;
  readonly withinMs: number;
}

/** How the bot in Discord behaves: what `fanfare.yaml` says, else the usual. */
export interface DiscordSettings {
  /** Names or ids of the roles that may; an ability without any goes by Discord's own permissions. */
  readonly roles: Readonly<Partial<Record<Ability, readonly string[]>>>;
  /** How much may be asked of the assistant. */
  readonly questions: { readonly person: Quota; readonly server: Quota };
  /** The times of the day, as `09:30` in the zone of the server, at which queued posts go out. */
  readonly queueTimes: readonly string[];
  /** How the gateway is split; 1 where it is not. */
  readonly shards: number | 'auto';
  /** Whether commands come over the gateway, or over HTTP alone. */
  readonly gateway: boolean;
  /** The application's public key, by which interactions over HTTP are known to be Discord's; absent: none is taken over HTTP. */
  readonly publicKey?: string | undefined;
}

const HOUR_MS = 3_600_000;

/** The usual. */
export const USUAL_DISCORD_SETTINGS: DiscordSettings = {
  roles: {},
  questions: { person: { most: 20, withinMs: HOUR_MS }, server: { most: 200, withinMs: HOUR_MS } },
  queueTimes: ['09:00', '13:00', '18:00'],
  shards: 1,
  gateway: true,
};
