/** What members with certain roles may do in their server. */
export const SERVER_ABILITIES = ['setup', 'follow', 'post', 'operate', 'answer'] as const;
export type ServerAbility = (typeof SERVER_ABILITIES)[number];

/** The most roles with one ability, and the most from which members choose: a menu of Discord shows no more. */
export const MOST_ROLES = 25;

/** A Discord server of the bot, and what its administrators chose. Ids are Discord's. */
export interface ServerSettings {
  readonly id: string;
  readonly name: string;
  /** The locale of messages that everyone sees; absent: the language of the server. */
  readonly language?: string | undefined;
  /** The language of the server in Discord, as the bot saw it last; absent: it was not seen. */
  readonly locale?: string | undefined;
  /** The IANA zone of times; absent: the zone in `fanfare.yaml`. */
  readonly zone?: string | undefined;
  /** The channel of announcements. */
  readonly channel?: string | undefined;
  /** The role that announcements ping, or `everyone`; absent: no one. */
  readonly ping?: string | undefined;
  /** The channel of alerts; absent: there are no alerts. */
  readonly problemsChannel?: string | undefined;
  /** The role of members who are live. */
  readonly liveRole?: string | undefined;
  /** `off`: the streamers that the server follows are not announced. */
  readonly announcements?: 'off' | undefined;
  /** The roles from which members choose in `/pings`. */
  readonly pings?: readonly string[] | undefined;
  /** The ids of the roles with each ability, in addition to members who can manage the server. */
  readonly roles: Readonly<Partial<Record<ServerAbility, readonly string[]>>>;
  readonly joinedAt: Date;
  /** When the bot was removed. Its lists stay for {@link LEFT_DAYS} days. */
  readonly leftAt?: Date | undefined;
}

/** How long the settings and the lists of a server stay after it removed the bot. */
export const LEFT_DAYS = 30;

/** What people change of a server. An empty text removes a value. */
interface ServerChange extends Partial<Omit<ServerSettings, 'id' | 'name' | 'joinedAt' | 'leftAt' | 'announcements' | 'roles'>> {
  readonly announcements?: '' | 'off' | undefined;
  /** The roles of other abilities stay. An empty list removes those of an ability. */
  readonly roles?: ServerSettings['roles'] | undefined;
}

/** The lists that a server must still have. */
export type ExpectedRoles = Pick<ServerChange, 'pings' | 'roles'>;

/** A server before and after a change. */
interface ChangedServer {
  readonly before: ServerSettings;
  readonly after: ServerSettings;
}

/** The servers of the bot. */
export interface ServerStore {
  /** Ordered by id. Servers that removed the bot are included. */
  list(): Promise<readonly ServerSettings[]>;
  find(id: string): Promise<ServerSettings | undefined>;
  /** Notes that the bot is in a server. A server that returns has its settings again. True: it was not there before. */
  join(server: Pick<ServerSettings, 'id' | 'name' | 'joinedAt'>): Promise<boolean>;
  /** Changes nothing if the server has other lists than the expected ones. Undefined: the bot was never in the server. */
  change(id: string, change: ServerChange, expected?: ExpectedRoles): Promise<ChangedServer | 'unexpected' | undefined>;
  /** Notes that a server removed the bot; false if that is known. */
  leave(id: string): Promise<boolean>;
  /** Removes the servers that removed the bot before an instant, and returns their ids. */
  removeLeft(before: Date): Promise<readonly string[]>;
}

/** A message that Fanfare sends once to a server and then edits: the greeting, or an alert. */
export interface Notice {
  readonly server: string;
  /** What it is about: one message for each. */
  readonly key: string;
  readonly channel: string;
  /** The id of the message; absent while it is being sent. */
  readonly message?: string | undefined;
  /** What the message shows, so that equal content is not sent again. */
  readonly shown: string;
  /** When a process began to send it. */
  readonly at: Date;
}

/** After this time, another process may send a notice whose sender ended. */
export const NOTICE_CLAIM_MS = 60_000;

export interface NoticeStore {
  list(server: string): Promise<readonly Notice[]>;
  /** The notices of all servers whose key starts with a text. */
  startingWith(key: string): Promise<readonly Notice[]>;
  /** Lets one process send a notice. False: it was sent, or another process is sending it. The time is that of the first attempt. */
  begin(notice: Pick<Notice, 'server' | 'key' | 'channel'>): Promise<boolean>;
  /** Notes what a message shows. */
  keep(notice: Pick<Notice, 'server' | 'key' | 'channel' | 'shown'> & { readonly message: string }): Promise<void>;
  remove(notice: Pick<Notice, 'server' | 'key'>): Promise<void>;
}
