import type { FanfareFile } from './fanfare-file.ts';

/** The permissions of the bot. */
export type Ability = 'look' | 'ask' | 'post' | 'operate' | 'setup' | 'follow' | 'answer';

/** A server of the bot. */
export interface DiscordServer {
  /** The account that posts there: `discord`, or its name in `fanfare.yaml`. */
  readonly account: string;
  /** The id of the server. */
  readonly id: string;
  /** The IANA time zone for times in this server. */
  readonly zone: string;
}

/** A number of uses within a period. */
interface Quota {
  readonly most: number;
  readonly withinMs: number;
}

/** The settings of the Discord bot. */
export interface DiscordSettings {
  /** `any`: the bot serves each server that it is in. `listed`: it serves the servers that have an account. */
  readonly servers: 'any' | 'listed';
  /** The default IANA time zone of servers. */
  readonly zone: string;
  /** The roles with each permission, by name or id, or `@everyone`. Without an entry, the permissions of Discord apply. */
  readonly roles: Readonly<Partial<Record<Ability, readonly string[]>>>;
  /** The quotas for questions to the assistant. `all` limits all servers together; absent: no limit. */
  readonly questions: { readonly person: Quota; readonly server: Quota; readonly all?: Quota | undefined };
  /** The times of the day for queued posts, for example `09:30` in the zone of the server. */
  readonly queueTimes: readonly string[];
  /** The number of gateway shards; `auto`: the number that Discord recommends. */
  readonly shards: number | 'auto';
  /** Whether commands come over the gateway; otherwise only over HTTP. */
  readonly gateway: boolean;
  /** The application's public key, which verifies interactions over HTTP; absent if HTTP is off. */
  readonly publicKey?: string | undefined;
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const HOUR_MS = 3_600_000;

export const DEFAULT_DISCORD_SETTINGS: DiscordSettings = {
  servers: 'listed',
  zone: 'UTC',
  roles: {},
  questions: { person: { most: 20, withinMs: HOUR_MS }, server: { most: 200, withinMs: HOUR_MS } },
  queueTimes: ['09:00', '13:00', '18:00'],
  shards: 'auto',
  gateway: true,
};

/** The quota of all servers together if everyone can invite the bot: each new server has the quota of a server. */
const ALL_QUESTIONS: Quota = { most: 500, withinMs: HOUR_MS };

/** Merges the section `discord` of the file with the default settings. */
export function toDiscordSettings({ roles, questions, queue, ...settings }: NonNullable<FanfareFile['discord']> = {}): DiscordSettings {
  const defaults = DEFAULT_DISCORD_SETTINGS;
  return {
    servers: settings.servers ?? defaults.servers,
    zone: settings.zone ?? defaults.zone,
    roles: Object.fromEntries(Object.entries(roles ?? {}).map(([ability, named]) => [ability, [named].flat()])),
    questions: {
      person: questions?.person === undefined ? defaults.questions.person : toQuota(questions.person),
      server: questions?.server === undefined ? defaults.questions.server : toQuota(questions.server),
      all: questions?.all === undefined ? (settings.servers === 'any' ? ALL_QUESTIONS : undefined) : toQuota(questions.all),
    },
    queueTimes: queue?.toSorted() ?? defaults.queueTimes,
    shards: settings.shards ?? defaults.shards,
    gateway: settings.gateway ?? defaults.gateway,
    publicKey: settings.publicKey,
  };
}

/** Parses a valid quota as `20 per 1h`. */
function toQuota(text: string): Quota {
  const [most = '', , every = ''] = text.split(' ');
  return { most: Number(most), withinMs: Number.parseInt(every, 10) * (UNITS_MS[every.at(-1) ?? ''] ?? HOUR_MS) };
}
