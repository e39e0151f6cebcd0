/** A privileged intent, by its name on the page of the application. */
export type MemberIntent = 'Server Members Intent' | 'Presence Intent';

/** The application of a Discord bot. */
export interface DiscordApplication {
  readonly id: string;
  /** The name of the bot. */
  readonly name: string;
  /** Whether the owner turned on the Message Content Intent. */
  readonly readsContent: boolean;
  /** The privileged intents for members that the owner turned on. */
  readonly intents: readonly MemberIntent[];
  /** Whether an invitation needs a second sign-in, which fails for Fanfare. */
  readonly needsCodeGrant: boolean;
}

/** A Discord server, by its id and name. */
export interface BotServer {
  readonly id: string;
  readonly name: string;
}

/** A permission that the bot needs, with what needs it. */
interface PermissionNeed {
  readonly permission: string;
  readonly for: readonly string[];
}

/** What the running rules and the configuration need from a bot. */
export interface BotNeeds {
  readonly permissions: readonly PermissionNeed[];
  /** Whether an assistant is configured, which uses the Message Content Intent. */
  readonly hasAssistant: boolean;
  /** The privileged intents that rules need. */
  readonly intents: readonly MemberIntent[];
  /** The ids of the configured servers. */
  readonly serverIds: readonly string[];
}

/** The requests and files behind `fanfare auth discord`. */
export interface DiscordSetup {
  /** The token in the environment. */
  readonly token: string | undefined;
  needs(token: string): Promise<BotNeeds>;
  /** Throws a `PlatformError` with the fault `unauthorized` for a wrong token. */
  application(token: string, signal?: AbortSignal): Promise<DiscordApplication>;
  servers(token: string, signal?: AbortSignal): Promise<readonly BotServer[]>;
  /** The permissions among `needed` that no role of the bot grants in the server. */
  missing(
    token: string,
    server: BotServer,
    options: { readonly needed: readonly string[]; readonly signal?: AbortSignal },
  ): Promise<readonly string[]>;
  /** The address that invites the bot with these permissions, or adds them to its role. */
  invitation(applicationId: string, permissions: readonly string[], serverId?: string): string;
}
