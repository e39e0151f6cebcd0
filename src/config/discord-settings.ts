import type { FanfareFile } from './file-form.ts';

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
interface Quota {
  readonly most: number;
  readonly withinMs: number;
}

/** How the bot in Discord behaves: what `fanfare.yaml` says, else the usual. */
export interface DiscordSettings {
  /** The IANA zone of servers that say none of their own. */
  readonly zone: string;
  /** Names or ids of the roles that may, or `@everyone`; an ability that is not there goes by Discord's own permissions. */
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

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const HOUR_MS = 3_600_000;

/** The usual. */
export const USUAL_DISCORD_SETTINGS: DiscordSettings = {
  zone: 'UTC',
  roles: {},
  questions: { person: { most: 20, withinMs: HOUR_MS }, server: { most: 200, withinMs: HOUR_MS } },
  queueTimes: ['09:00', '13:00', '18:00'],
  shards: 1,
  gateway: true,
};

/** The settings that the section `discord` of the file gives, and the usual where it says nothing. */
export function toDiscordSettings({ roles, questions, queue, ...said }: NonNullable<FanfareFile['discord']> = {}): DiscordSettings {
  const usual = USUAL_DISCORD_SETTINGS;
  return {
    zone: said.zone ?? usual.zone,
    roles: Object.fromEntries(Object.entries(roles ?? {}).map(([ability, named]) => [ability, [named].flat()])),
    questions: {
      person: questions?.person === undefined ? usual.questions.person : toQuota(questions.person),
      server: questions?.server === undefined ? usual.questions.server : toQuota(questions.server),
    },
    queueTimes: queue?.toSorted() ?? usual.queueTimes,
    shards: said.shards ?? usual.shards,
    gateway: said.gateway ?? usual.gateway,
    publicKey: said.publicKey,
  };
}

/** `20 per 1h`, which the form has let through. */
function toQuota(text: string): Quota {
  const [most = '', , every = ''] = text.split(' ');
  return { most: Number(most), withinMs: Number.parseInt(every, 10) * (UNITS_MS[every.at(-1) ?? ''] ?? HOUR_MS) };
}
