// Generated from the OpenAPI document by npm run docs. Do not edit.

/** A record of the HTTP API. */
export interface Decision {
  readonly rule: string;
  readonly at: string;
  readonly outcome: 'fired' | 'suppressed' | 'deferred' | 'waiting' | 'closed' | 'unchanged' | 'failed';
  readonly item?: string | undefined;
  readonly episode?: string | undefined;
  readonly message: string;
  readonly reason?: Readonly<Record<string, unknown>> | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly stop?: { readonly message: string; readonly reason?: Readonly<Record<string, unknown>> | undefined; } | undefined;
  readonly unsent?: { readonly state: 'failed' | 'unknown' | 'asked' | 'pending' | 'skipped'; readonly count: number; readonly message?: string | undefined; readonly reason?: Readonly<Record<string, unknown>> | undefined; readonly fault?: string | undefined; } | undefined;
}

/** A record of the HTTP API. */
export interface Delivery {
  readonly id: string;
  readonly rule: string;
  readonly textVersion?: string | undefined;
  readonly by?: string | undefined;
  readonly episode: string;
  readonly step: string;
  readonly do: string;
  readonly item?: { readonly key: string; readonly name: string; readonly picture?: string | undefined; } | undefined;
  readonly text?: string | undefined;
  readonly texts?: readonly ({ readonly parameter: string; readonly text: string; })[] | undefined;
  readonly account: string;
  readonly channel?: string | undefined;
  readonly state: 'pending' | 'sending' | 'asked' | 'sent' | 'failed' | 'unknown' | 'skipped';
  readonly isRead?: boolean | undefined;
  readonly choices?: readonly (string)[] | undefined;
  readonly isOver?: boolean | undefined;
  readonly attempts: number;
  readonly createdAt: string;
  readonly dueAt?: string | undefined;
  readonly sentAt?: string | undefined;
  readonly settledAt?: string | undefined;
  readonly result?: Readonly<Record<string, unknown>> | undefined;
  readonly message?: string | undefined;
  readonly fault?: string | undefined;
  readonly reason?: Readonly<Record<string, unknown>> | undefined;
  readonly omitted?: readonly ({ readonly parameter: string; readonly index?: number | undefined; readonly message: string; })[] | undefined;
}

/** A record of the HTTP API. */
export interface Rule {
  readonly id: string;
  readonly about?: string | undefined;
  readonly file: string;
  readonly enabled: boolean | 'sandbox';
  readonly on: boolean;
  readonly paused?: { readonly at: string; readonly by?: string | undefined; readonly fuse?: { readonly firings: number; readonly perMs: number; } | undefined; readonly until?: string | undefined; readonly plannedAt?: string | undefined; } | undefined;
  readonly plannedPauses?: readonly ({ readonly by: string; readonly at: string; readonly from: string; readonly until?: string | undefined; })[] | undefined;
  readonly schedule?: string | undefined;
  readonly timing?: Readonly<Record<string, unknown>> | undefined;
  readonly nextRunAt?: string | undefined;
  readonly lastDecision?: Decision | undefined;
  readonly lastUndelivered?: number | undefined;
  readonly undelivered?: { readonly failed: number; readonly unknown: number; } | undefined;
  readonly lastFailure?: Delivery | undefined;
  readonly announcements?: readonly (number)[] | undefined;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  readonly diagnostics: readonly (Diagnostic)[];
}

/** A record of the HTTP API. */
export interface RulesVersion {
  readonly number: number;
  readonly publishedAt: string;
  readonly by: string;
  readonly note?: string | undefined;
  readonly repeats?: number | undefined;
}

/** A record of the HTTP API. */
export interface RuleDetails {
  readonly rule: string;
  readonly source?: string | undefined;
  readonly timezone: string;
  readonly nextRuns: readonly (string)[];
  readonly watches?: { readonly operation: string; readonly accounts: readonly (string)[]; readonly changes: readonly (string)[]; } | undefined;
  readonly polling?: { readonly notifications: 'all' | 'some' | 'none' | 'hints' | 'unknown'; readonly everyMs?: number | undefined; readonly pollsEveryMs?: number | undefined; readonly why: 'every' | 'within' | 'rest' | 'waits' | 'fields' | 'budget' | 'calendar'; readonly restsEveryMs?: number | undefined; readonly waitsMs: number; readonly longestDelayMs?: number | undefined; readonly requestsPerHour: number; readonly accounts: readonly ({ readonly account: string; readonly names?: number | undefined; readonly notified?: number | undefined; readonly problem?: string | undefined; readonly unit: 'requests' | 'points'; readonly requestsPerHour: number; readonly allPerHour: number; readonly allowedPerHour?: number | undefined; readonly monthUsd?: number | undefined; })[]; readonly waiting?: { readonly account: string; readonly since: string; readonly waitedMs: number; readonly moreMs: number; readonly before: readonly (string)[]; readonly beforeCount: number; } | undefined; } | undefined;
  readonly steps: readonly ({ readonly section: 'then' | 'while' | 'finally' | 'quiet' | 'limit' | 'gather'; readonly do: string; readonly accounts: readonly (string)[]; readonly channel?: string | undefined; readonly everyMs?: number | undefined; })[];
}

/** A record of the HTTP API. */
export interface Episode {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly phase: 'pending' | 'open' | 'closing' | 'closed';
  readonly startedAt: string;
  readonly firstSeenAt: string;
  readonly openedAt?: string | undefined;
  readonly lastSeenAt: string;
  readonly missingSince?: string | undefined;
  readonly closedAt?: string | undefined;
  readonly announced: boolean;
  readonly suppression?: { readonly message: string; readonly reason?: Readonly<Record<string, unknown>> | undefined; } | undefined;
}

/** A record of the HTTP API. */
export interface DeliveryDetails extends Delivery {
  readonly position: { readonly id?: string | undefined; readonly section: 'then' | 'while' | 'finally' | 'quiet' | 'limit' | 'gather'; readonly number: number; };
  readonly firstAttemptAt?: string | undefined;
  readonly lastAttemptAt?: string | undefined;
  readonly nextAttemptAt?: string | undefined;
  readonly lostAt?: string | undefined;
  readonly failures: readonly ({ readonly at: string; readonly fault: string; readonly message: string; })[];
  readonly resends: readonly ({ readonly by: string; readonly at: string; readonly failure?: string | undefined; })[];
}

/** A record of the HTTP API. */
export interface ItemExplanation {
  readonly name: string;
  readonly keys: readonly (string)[];
  readonly rules: readonly ({ readonly id: string; readonly verb: string; readonly on: boolean; readonly isPaused: boolean; readonly isNamed: boolean; readonly isOpen: boolean; readonly belowTake?: { readonly at: string; readonly place: number; readonly take: number; } | undefined; readonly episodes: readonly ({ readonly id: string; readonly key: string; readonly name: string; readonly startedAt: string; readonly closedAt?: string | undefined; readonly announced: boolean; })[]; readonly decisions: readonly (Decision)[]; })[];
  readonly gone: readonly ({ readonly id: string; readonly goneAt?: string | undefined; readonly lastRunAt: string; readonly episodes: readonly ({ readonly id: string; readonly key: string; readonly name: string; readonly startedAt: string; readonly closedAt?: string | undefined; readonly announced: boolean; })[]; readonly decisions: readonly (Decision)[]; })[];
  readonly others: readonly ({ readonly id: string; readonly verb: string; readonly on: boolean; readonly isPaused: boolean; })[];
}

/** A record of the HTTP API. */
interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly excerpt: string;
}

/** A record of the HTTP API. */
export interface Stream {
  readonly platform: string;
  readonly id: string;
  readonly url?: string | undefined;
  readonly owner: { readonly platform: string; readonly id: string; readonly url?: string | undefined; readonly handle: string; readonly displayName: string; readonly avatarUrl?: string | undefined; readonly bannerUrl?: string | undefined; };
  readonly game?: { readonly platform: string; readonly id: string; readonly url?: string | undefined; readonly name: string; readonly boxArtUrl?: string | undefined; } | undefined;
  readonly title: string;
  readonly viewerCount: number;
  readonly startedAt: string;
  readonly language?: string | undefined;
  readonly tags: readonly (string)[];
  readonly mature?: boolean | undefined;
  readonly thumbnailUrl?: string | undefined;
  readonly thumbnailTemplate?: string | undefined;
  readonly fetchedAt: string;
}

/** A record of the HTTP API. */
export interface Post {
  readonly platform: string;
  readonly id: string;
  readonly url?: string | undefined;
  readonly firstVersionId?: string | undefined;
  readonly author: { readonly platform: string; readonly id: string; readonly url?: string | undefined; readonly handle: string; readonly displayName: string; readonly bot?: boolean | undefined; readonly self?: boolean | undefined; };
  readonly text: string;
  readonly warning?: string | undefined;
  readonly entities: readonly ({ readonly type: 'url' | 'mention' | 'hashtag' | 'cashtag' | 'emoji'; readonly start: number; readonly end: number; readonly url?: string | undefined; readonly userId?: string | undefined; })[];
  readonly language?: string | undefined;
  readonly createdAt: string;
  readonly editedAt?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly replyTo?: { readonly postId: string; readonly userId?: string | undefined; } | undefined;
  readonly quoted?: { readonly postId: string; readonly state: 'accepted' | 'pending' | 'unavailable' | 'blocked'; readonly text?: string | undefined; readonly warning?: string | undefined; } | undefined;
  readonly repostOf?: string | undefined;
  readonly media: readonly ({ readonly id: string; readonly kind: 'image' | 'video' | 'gif' | 'audio'; readonly url?: string | undefined; readonly previewUrl?: string | undefined; readonly altText?: string | undefined; readonly width?: number | undefined; readonly height?: number | undefined; readonly durationMs?: number | undefined; readonly sizeBytes?: number | undefined; readonly state: 'ready' | 'processing' | 'failed'; })[];
  readonly sensitive?: boolean | undefined;
  readonly poll?: { readonly id?: string | undefined; readonly options: readonly ({ readonly index: number; readonly label: string; readonly votes?: number | undefined; })[]; readonly totalVotes?: number | undefined; readonly voters?: number | undefined; readonly endsAt: string; readonly closed: boolean; readonly multiple: boolean; } | undefined;
  readonly place?: { readonly id: string; readonly name: string; readonly fullName?: string | undefined; readonly country?: string | undefined; readonly countryCode?: string | undefined; } | undefined;
  readonly communityId?: string | undefined;
  readonly card?: { readonly url: string; readonly title: string; readonly description?: string | undefined; readonly imageUrl?: string | undefined; } | undefined;
  readonly visibility: 'public' | 'unlisted' | 'followers' | 'direct';
  readonly replyAudience: 'everyone' | 'following' | 'followers' | 'mentioned' | 'subscribers' | 'verified' | 'nobody';
  readonly quotable?: 'everyone' | 'followers' | 'nobody' | undefined;
  readonly counts: { readonly likes: number; readonly reposts: number; readonly replies: number; readonly quotes: number; readonly bookmarks?: number | undefined; readonly impressions?: number | undefined; };
  readonly viewer?: { readonly liked: boolean; readonly reposted: boolean; readonly bookmarked: boolean; readonly pinned: boolean; } | undefined;
  readonly hidden?: boolean | undefined;
  readonly fetchedAt: string;
}

/** A record of the HTTP API. */
export interface Message {
  readonly platform: string;
  readonly id: string;
  readonly url?: string | undefined;
  readonly channel: { readonly id: string; readonly name: string; };
  readonly author: { readonly platform: string; readonly id: string; readonly url?: string | undefined; readonly handle: string; readonly displayName: string; readonly bot?: boolean | undefined; readonly self?: boolean | undefined; };
  readonly content: string;
  readonly embeds: readonly ({ readonly author?: { readonly name: string; readonly url?: string | undefined; readonly icon?: string | undefined; } | undefined; readonly title?: string | undefined; readonly url?: string | undefined; readonly description?: string | undefined; readonly image?: string | undefined; readonly altText?: string | undefined; readonly thumbnail?: string | undefined; readonly timestamp?: string | undefined; readonly footer?: string | undefined; readonly color?: number | undefined; readonly fields?: readonly ({ readonly name: string; readonly value: string; readonly inline?: boolean | undefined; })[] | undefined; })[];
  readonly files: readonly ({ readonly name: string; readonly url: string; })[];
  readonly buttons: readonly (string)[];
  readonly reactions: readonly ({ readonly emoji: string; readonly count: number; })[];
  readonly thread?: { readonly platform: string; readonly id: string; readonly url?: string | undefined; readonly name: string; } | undefined;
  readonly title?: string | undefined;
  readonly tags?: readonly (string)[] | undefined;
  readonly createdAt: string;
  readonly editedAt?: string | undefined;
  readonly fetchedAt: string;
}

/** A record of the HTTP API. */
export interface Readiness {
  readonly ready: boolean;
  readonly message?: string | undefined;
  readonly reason?: Readonly<Record<string, unknown>> | undefined;
}

/** A record of the HTTP API. */
export interface Health {
  readonly ok: true;
}

/** A record of the HTTP API. */
export interface Status {
  readonly at: string;
  readonly readiness: Readiness;
  readonly accounts: readonly ({ readonly account: string; readonly platform: string; readonly sandbox: boolean; readonly state: 'connected' | 'connecting' | 'failed'; readonly problem?: string | undefined; readonly fault?: string | undefined; readonly isRefused: boolean; readonly since?: string | undefined; readonly notifications?: { readonly state: 'connecting' | 'connected' | 'failed' | 'stopped' | 'off'; readonly problem?: string | undefined; readonly subscriptions?: number | undefined; readonly cost?: number | undefined; readonly maxCost?: number | undefined; readonly onlyPolled?: number | undefined; readonly lastAt?: string | undefined; } | undefined; })[];
  readonly rules: { readonly on: number; readonly paused: number; readonly broken: number; readonly version?: RulesVersion | undefined; };
  readonly brokenFiles: readonly ({ readonly file: string; readonly isRunning: boolean; readonly diagnostics: readonly (Diagnostic)[]; })[];
  readonly channelProblems: readonly (Diagnostic)[];
  readonly lateWebhooks?: readonly ({ readonly webhook: string; readonly since: string; readonly isGone: boolean; })[] | undefined;
  readonly nextRuns?: readonly ({ readonly rule: string; readonly at: string; })[] | undefined;
  readonly rateLimits: readonly ({ readonly account: string; readonly leftRatio: number; })[];
  readonly pausedRules?: readonly ({ readonly rule: string; readonly about?: string | undefined; readonly paused: { readonly at: string; readonly by?: string | undefined; readonly fuse?: { readonly firings: number; readonly perMs: number; } | undefined; readonly until?: string | undefined; readonly plannedAt?: string | undefined; }; })[] | undefined;
  readonly questions?: readonly ({ readonly delivery: string; readonly rule: string; readonly account: string; readonly name?: string | undefined; readonly text?: string | undefined; readonly url?: string | undefined; readonly choices: readonly (string)[]; readonly at: string; readonly isOver?: boolean | undefined; })[] | undefined;
  readonly live?: readonly ({ readonly key: string; readonly name: string; readonly picture?: string | undefined; readonly url?: string | undefined; readonly title?: string | undefined; readonly game?: string | undefined; readonly viewers?: number | undefined; readonly startedAt: string; readonly announcements: readonly ({ readonly delivery: string; readonly rule: string; readonly do: string; readonly account: string; readonly url?: string | undefined; readonly at: string; readonly changes: number; })[]; })[] | undefined;
  readonly deliveries?: { readonly open: number; readonly asked: number; readonly sent: number; readonly failed: number; readonly lastFailedAt?: string | undefined; readonly unknown: number; } | undefined;
  readonly delays?: { readonly count: number; readonly medianMs: number; readonly longestMs: number; } | undefined;
  readonly budgets?: readonly ({ readonly account: string; readonly spentUsd: number; readonly monthUsd?: number | undefined; })[] | undefined;
  readonly process: { readonly version: string; readonly startedAt: string; readonly memoryBytes: number; };
}

/** A record of the HTTP API. */
export interface Action {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly by: { readonly name: string; readonly via: 'discord' | 'cli' | 'api' | 'page'; readonly id?: string | undefined; readonly origin?: string | undefined; };
  readonly target: string;
  readonly outcome: 'started' | 'done' | 'unchanged' | 'refused' | 'failed';
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

/** A record of the HTTP API. */
export interface ChangedRules {
  readonly rules: readonly (string)[];
  readonly changed: readonly (string)[];
}

/** A record of the HTTP API. */
export interface RuleRun {
  readonly decisions: readonly (Decision)[];
  readonly firings: number;
}

/** A record of the HTTP API. */
export interface RequestedAnnouncement {
  readonly outcome: 'announced' | 'alreadyAnnounced' | 'notLive' | 'suppressed' | 'deferred' | 'failed';
  readonly decision?: Decision | undefined;
}

/** A record of the HTTP API. */
export interface RuleValue {
  readonly rule: string;
  readonly name: string;
  readonly value: number | boolean | string | readonly (string)[];
  readonly before: number | boolean | string | readonly (string)[];
}

/** A record of the HTTP API. */
export interface RuleTest {
  readonly passed: boolean;
  readonly cases: readonly ({ readonly rule: string; readonly passed: boolean; readonly text: string; })[];
  readonly untested: readonly (string)[];
  readonly simulatedAccounts: readonly (string)[];
  readonly diagnostics: readonly (Diagnostic)[];
}

/** A record of the HTTP API. */
export interface Preview {
  readonly rule: string;
  readonly sample?: { readonly of: 'item' | 'payload'; readonly ignoresIf: boolean; } | undefined;
  readonly ignores: readonly (string)[];
  readonly answersFirst: boolean;
  readonly read?: { readonly failure?: string | undefined; readonly fault?: string | undefined; readonly partlyFailed?: string | undefined; readonly partlyFailedReason?: Readonly<Record<string, unknown>> | undefined; readonly count: number; readonly counted: number; readonly isSample: boolean; readonly unknownUsers: readonly ({ readonly account: string; readonly user: string; })[]; readonly excluded: readonly ({ readonly name: string; readonly message: string; readonly reason?: Readonly<Record<string, unknown>> | undefined; })[]; } | undefined;
  readonly scenarios: readonly ({ readonly kind: string; readonly name?: string | undefined; readonly suppression?: string | undefined; readonly suppressionReason?: Readonly<Record<string, unknown>> | undefined; readonly steps: readonly ({ readonly name: string; readonly position: { readonly id?: string | undefined; readonly section: 'then' | 'while' | 'finally' | 'quiet' | 'limit' | 'gather'; readonly number: number; }; readonly do: string; readonly account: string; readonly afterMs?: number | undefined; readonly notRun?: string | undefined; readonly notRunReason?: Readonly<Record<string, unknown>> | undefined; readonly reads: boolean; readonly remarks: readonly (string)[]; readonly remarkReasons: readonly (Readonly<Record<string, unknown>>)[]; readonly messages: readonly ({ readonly text?: string | undefined; readonly channel?: string | undefined; readonly message?: string | undefined; readonly embed?: Readonly<Record<string, unknown>> | undefined; readonly embeds: readonly (Readonly<Record<string, unknown>>)[]; readonly buttons: readonly (string)[]; readonly lines: readonly (string)[]; readonly lengths: readonly ({ readonly path: string; readonly length: number; readonly most?: number | undefined; })[]; readonly pings?: readonly (string)[] | undefined; readonly onlyText?: readonly (string)[] | undefined; })[]; })[]; })[];
}

/** A record of the HTTP API. */
export interface Replay {
  readonly replays: readonly ({ readonly rule: string; readonly timezone: string; readonly since: string; readonly slots?: { readonly count: number; readonly first: string; readonly last: string; readonly isWarm: boolean; } | undefined; readonly endedAt?: string | undefined; readonly blown?: { readonly at: string; readonly most: string; } | undefined; readonly knownSince?: string | undefined; readonly startsEmpty: readonly (string)[]; readonly missingNames: readonly (string)[]; readonly changedLists: readonly (string)[]; readonly answersFirst: boolean; readonly paused: number; readonly pausedIsMinimum: boolean; readonly failed: number; readonly counts: { readonly same: number; readonly other: number; readonly more: number; readonly fewer: number; readonly early: number; }; readonly events: readonly ({ readonly kind: 'same' | 'other' | 'more' | 'fewer' | 'early'; readonly at: string; readonly actualAt?: string | undefined; readonly about: string; readonly step: string; readonly position: { readonly id?: string | undefined; readonly section: 'then' | 'while' | 'finally' | 'quiet' | 'limit' | 'gather'; readonly number: number; }; readonly do: string; readonly account: string; readonly expected?: readonly (string)[] | undefined; readonly actual?: readonly (string)[] | undefined; readonly failure?: string | undefined; })[]; readonly edits: { readonly expected: number; readonly actual: number; }; })[];
  readonly diagnostics: readonly (Diagnostic)[];
}

/** A record of the HTTP API. */
export interface Publication {
  readonly version: RulesVersion;
  readonly isNew: boolean;
  readonly changes: readonly ({ readonly kind: 'new' | 'changed' | 'deleted' | 'problem'; readonly text: string; readonly rule?: string | undefined; })[];
}

/** A record of the HTTP API. */
export interface List {
  readonly list: string;
  readonly server?: string | undefined;
  readonly kind: 'file' | 'living';
  readonly file?: string | undefined;
  readonly source?: { readonly watch: string; readonly account: string; readonly with: Readonly<Record<string, unknown>>; readonly readAt?: string | undefined; readonly problem?: string | undefined; } | undefined;
  readonly diagnostics: readonly (Diagnostic)[];
  readonly rules?: readonly ({ readonly id: string; readonly on: boolean; readonly watches: boolean; })[] | undefined;
  readonly ruleCount?: number | undefined;
  readonly entries: readonly (ListEntry)[];
}

/** A record of the HTTP API. */
export interface ListSummary {
  readonly list: string;
  readonly server?: string | undefined;
  readonly kind: 'file' | 'living';
  readonly file?: string | undefined;
  readonly source?: { readonly watch: string; readonly account: string; readonly with: Readonly<Record<string, unknown>>; readonly readAt?: string | undefined; readonly problem?: string | undefined; } | undefined;
  readonly diagnostics: readonly (Diagnostic)[];
  readonly rules?: readonly ({ readonly id: string; readonly on: boolean; readonly watches: boolean; })[] | undefined;
  readonly ruleCount?: number | undefined;
  readonly entries: number;
}

/** A record of the HTTP API. */
interface ListEntry {
  readonly id: string;
  readonly list: string;
  readonly server?: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isFromSource?: true | undefined;
}

/** A record of the HTTP API. */
export interface ListChange {
  readonly id: string;
  readonly at: string;
  readonly by: { readonly name: string; readonly via: 'discord' | 'cli' | 'api' | 'page'; readonly id?: string | undefined; };
  readonly list: string;
  readonly server?: string | undefined;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly undoes?: string | undefined;
  readonly undoneBy?: string | undefined;
}

/** A record of the HTTP API. */
export interface ListEdit {
  readonly list: string;
  readonly server?: string | undefined;
  readonly change?: ListChange | undefined;
  readonly entries: readonly (ListEntry)[];
  readonly created?: true | undefined;
}

/** A record of the HTTP API. */
export interface StreamerSearch {
  readonly streamers: readonly ({ readonly name: string; readonly platform: string; readonly id: string; readonly handle: string; readonly displayName: string; readonly url?: string | undefined; readonly picture?: string | undefined; readonly isLive?: boolean | undefined; })[];
  readonly unknown: readonly ({ readonly name: string; readonly similar: readonly (string)[]; })[];
  readonly unreachable: readonly ({ readonly name: string; readonly platform: string; })[];
}

/** A record of the HTTP API. */
export interface Server {
  readonly id: string;
  readonly name: string;
  readonly language?: string | undefined;
  readonly zone?: string | undefined;
  readonly channel?: string | undefined;
  readonly ping?: string | undefined;
  readonly problemsChannel?: string | undefined;
  readonly liveRole?: string | undefined;
  readonly announcements?: 'off' | undefined;
  readonly pings?: readonly (string)[] | undefined;
  readonly roles: Readonly<Record<string, readonly (string)[]>>;
  readonly joinedAt: string;
  readonly leftAt?: string | undefined;
}

/** A record of the HTTP API. */
export interface WaitingPost {
  readonly id: string;
  readonly server?: string | undefined;
  readonly by: string;
  readonly text: string;
  readonly warning?: string | undefined;
  readonly hasPicture: boolean;
  readonly altText?: string | undefined;
  readonly at: string;
  readonly isQueued: boolean;
  readonly edits: number;
  readonly editedBy?: string | undefined;
  readonly cancelledBy?: string | undefined;
  readonly targets: readonly ({ readonly account: string; readonly state: 'pending' | 'sending' | 'asked' | 'sent' | 'failed' | 'unknown' | 'skipped'; readonly url?: string | undefined; })[];
}

/** A record of the HTTP API. */
export interface Account {
  readonly account: string;
  readonly platform: string;
  readonly method: 'credentials' | 'password' | 'browser';
  readonly channel?: boolean | undefined;
  readonly signingIn?: boolean | undefined;
}

/** A record of the HTTP API. */
export interface UsageDay {
  readonly day: string;
  readonly spentUsd?: number | undefined;
  readonly leastLeftRatio?: number | undefined;
}

/** A record of the HTTP API. */
export interface SignIn {
  readonly who?: string | undefined;
  readonly url?: string | undefined;
  readonly code?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly redirectUri?: string | undefined;
  readonly scopes?: readonly ({ readonly name: string; readonly why: string; })[] | undefined;
}

/** A record of the HTTP API. */
export interface ConfirmedSignIn {
  readonly who?: string | undefined;
  readonly problem?: string | undefined;
  readonly missing: readonly ({ readonly name: string; readonly why: string; })[];
}

/** A record of the HTTP API. */
export interface ChannelSignIn {
  readonly state: 'waiting' | 'expired' | 'done' | 'failed';
  readonly url: string;
  readonly code: string;
  readonly expiresAt: string;
  readonly scopes: readonly ({ readonly name: string; readonly why: string; })[];
  readonly who?: string | undefined;
  readonly missing?: readonly ({ readonly name: string; readonly why: string; })[] | undefined;
  readonly problem?: string | undefined;
}

/** A record of the HTTP API. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly kind: 'discord' | 'password';
  readonly role: 'viewer' | 'editor' | 'admin';
}

/** A record of the HTTP API. */
export interface Token {
  readonly id: string;
  readonly name: string;
  readonly scope: 'metrics' | 'read' | 'write' | 'admin';
  readonly by: string;
  readonly createdAt: string;
  readonly expiresAt?: string | undefined;
  readonly lastUsedAt?: string | undefined;
  readonly revokedAt?: string | undefined;
}

/** A record of the HTTP API. */
export interface NewToken {
  readonly token: Token;
  readonly text: string;
}

/** A record of the HTTP API. */
export interface Session {
  readonly name: string;
  readonly id?: string | undefined;
  readonly role: 'viewer' | 'editor' | 'admin';
  readonly signedInWith: 'loopback' | 'password' | 'discord' | 'token';
  readonly csrfToken?: string | undefined;
}

/** A record of the HTTP API. */
export interface About {
  readonly version: string;
  readonly license: string;
  readonly node: string;
  readonly database: 'SQLite' | 'PostgreSQL';
  readonly schema: number;
}

/** A record of the HTTP API. */
export interface Check {
  readonly about: string;
  readonly state: 'good' | 'warning' | 'bad';
  readonly message: string;
  readonly remedy?: string | undefined;
  readonly reason?: Readonly<Record<string, unknown>> | undefined;
}

/** A record of the HTTP API. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly parameter?: string | undefined;
  readonly errors?: readonly ({ readonly pointer: string; readonly detail: string; })[] | undefined;
  readonly state?: 'pending' | 'sending' | 'asked' | 'sent' | 'failed' | 'unknown' | 'skipped' | undefined;
  readonly by?: string | undefined;
  readonly goneAt?: string | undefined;
  readonly lastRunAt?: string | undefined;
}

/** A record of the HTTP API. */
export interface Sandbox extends SandboxClock {
  readonly platforms: readonly (string)[];
  readonly games: readonly (string)[];
  readonly faults: readonly (SandboxFault)[];
}

/** A record of the HTTP API. */
export interface SandboxClock {
  readonly now: string;
  readonly speed: number;
  readonly movable: boolean;
}

/** A record of the HTTP API. */
interface SandboxFault {
  readonly platform: string;
  readonly kind: 'status' | 'page' | 'pageAfter' | 'brokenJson' | 'rateLimit' | 'resetBefore' | 'resetAfter' | 'delay' | 'endlessCursor' | 'emptyList' | 'shortList' | 'repeatedItem' | 'delayedVisibility' | 'ignoreKey' | 'duplicateEffects' | 'lostNotification' | 'lateNotification' | 'repeatedNotification' | 'swappedNotification' | 'forgedNotification' | 'foreignNotification' | 'silentSocket';
  readonly method?: string | undefined;
  readonly route?: string | undefined;
  readonly except?: string | undefined;
  readonly status?: number | undefined;
  readonly ms?: number | undefined;
  readonly times?: number | undefined;
}

/** A record of the HTTP API. */
export interface SandboxFaults {
  readonly items: readonly (SandboxFault)[];
}

/** A record of the HTTP API. */
export interface SandboxStreamer {
  readonly user: { readonly id: string; readonly handle: string; readonly displayName: string; };
  readonly live?: { readonly broadcastId: string; readonly game: { readonly id: string; readonly name: string; }; readonly title: string; readonly viewers: number; readonly startedAt: string; } | undefined;
}

/** A record of the HTTP API. */
export interface SandboxChange {
  readonly at: string;
  readonly broadcastId?: string | undefined;
}

/** A record of the HTTP API. */
export interface SandboxArticle {
  readonly article: string;
}

/** A record of the HTTP API. */
interface SandboxMember {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly bot: boolean;
  readonly owner: boolean;
  readonly roles: readonly (string)[];
}

/** A record of the HTTP API. */
interface SandboxCommand {
  readonly command: string;
  readonly description: string;
  readonly options: readonly ({ readonly name: string; readonly description: string; readonly kind: 'text' | 'integer' | 'boolean' | 'user' | 'channel' | 'role' | 'file'; readonly required: boolean; readonly autocomplete: boolean; readonly choices: readonly ({ readonly name: string; readonly value: string | number; })[]; })[];
}

/** A record of the HTTP API. */
interface SandboxComponent {
  readonly type: number;
  readonly customId?: string | undefined;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly style?: number | undefined;
  readonly url?: string | undefined;
  readonly emoji?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly disabled: boolean;
  readonly required: boolean;
  readonly value?: string | undefined;
  readonly minValues: number;
  readonly maxValues: number;
  readonly choices: readonly ({ readonly value: string; readonly label: string; readonly description?: string | undefined; readonly emoji?: string | undefined; readonly chosen: boolean; })[];
  readonly channelTypes: readonly (number)[];
  readonly defaults: readonly ({ readonly id: string; })[];
  readonly content?: string | undefined;
  readonly media: readonly ({ readonly url: string; readonly description?: string | undefined; readonly spoiler: boolean; })[];
  readonly color?: number | undefined;
  readonly divider: boolean;
  readonly inner: readonly (SandboxComponent)[];
  readonly accessory?: SandboxComponent | undefined;
}

/** A record of the HTTP API. */
interface SandboxMessage {
  readonly id: string;
  readonly at: string;
  readonly author: { readonly id: string; readonly name: string; readonly bot: boolean; };
  readonly content: string;
  readonly edited: boolean;
  readonly ephemeral: boolean;
  readonly loading: boolean;
  readonly embeds: readonly ({ readonly author?: { readonly name: string; readonly url?: string | undefined; readonly icon?: string | undefined; } | undefined; readonly title?: string | undefined; readonly url?: string | undefined; readonly description?: string | undefined; readonly image?: string | undefined; readonly altText?: string | undefined; readonly thumbnail?: string | undefined; readonly timestamp?: string | undefined; readonly footer?: string | undefined; readonly color?: number | undefined; readonly fields?: readonly ({ readonly name: string; readonly value: string; readonly inline?: boolean | undefined; })[] | undefined; })[];
  readonly components: readonly (SandboxComponent)[];
  readonly files: readonly ({ readonly name: string; readonly url: string; })[];
  readonly reactions: readonly ({ readonly emoji: string; readonly count: number; })[];
  readonly reply?: { readonly author?: string | undefined; readonly text?: string | undefined; } | undefined;
  readonly command?: { readonly name: string; readonly by: string; } | undefined;
  readonly thread?: { readonly id: string; readonly name: string; } | undefined;
}

/** A record of the HTTP API. */
export interface SandboxDiscord {
  readonly guild: { readonly id: string; readonly name: string; };
  readonly guilds: readonly ({ readonly id: string; readonly name: string; })[];
  readonly member: SandboxMember;
  readonly members: readonly (SandboxMember)[];
  readonly roles: readonly ({ readonly id: string; readonly name: string; })[];
  readonly channel: { readonly id: string; readonly name: string; readonly kind: 'text' | 'news' | 'forum' | 'media' | 'voice'; readonly parent?: string | undefined; readonly topic?: string | undefined; readonly mayWrite: boolean; };
  readonly channels: readonly ({ readonly id: string; readonly name: string; readonly kind: 'text' | 'news' | 'forum' | 'media' | 'voice'; readonly parent?: string | undefined; })[];
  readonly commands: readonly (SandboxCommand)[];
  readonly menus: readonly (string)[];
  readonly messages: readonly (SandboxMessage)[];
}

/** A record of the HTTP API. */
export interface SandboxInteraction {
  readonly id: string;
  readonly outcome: 'message' | 'update' | 'choices' | 'modal' | 'failed';
  readonly choices?: readonly ({ readonly name: string; readonly value: string | number; })[] | undefined;
  readonly modal?: { readonly title: string; readonly components: readonly (SandboxComponent)[]; } | undefined;
}

/** A record of the HTTP API. */
export interface SandboxWritten {
  readonly message: string;
}
