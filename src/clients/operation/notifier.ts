/** A platform that notifies about changes. A notification is a hint: it only brings a poll forward. */
export interface Notifier {
  /** The list operation whose answers it notifies about, for example `getStreams`. */
  readonly operation: string;
  /** The parameter of the operation that names what changed, for example `users`. */
  readonly parameter: string;
  /** Connects, and stays connected while rules watch names. Rejects when the connection is lost. */
  connect(options: ConnectOptions): Promise<void>;
}

/** What a connection needs from the process. */
export interface ConnectOptions {
  readonly names: WatchedNames;
  /** A text that the account keeps over restarts, for example the id of a record at the platform. */
  readonly stored: StoredText;
  readonly onStatus: (status: NotifierStatus) => void;
  /** Called with the kind of each notification. */
  readonly onNotification: (kind: string) => void;
  /** Called if queries with these names may have new answers; without names, every query of the operation. */
  readonly onChange: (names?: readonly string[]) => void;
  readonly signal: AbortSignal;
}

/** The names that running rules watch, in lower case. */
export interface WatchedNames {
  /** The names in the order of the rules. */
  current(): Promise<readonly string[]>;
  /** Resolves when the names may have changed, and after some minutes at the latest. */
  changed(signal: AbortSignal): Promise<void>;
}

/** A stored text of one account. */
interface StoredText {
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}

/** The state of a connection. */
export interface NotifierStatus {
  /** `stopped`: the process ended, or no rule watches a name. */
  readonly state: 'connecting' | 'connected' | 'failed' | 'stopped';
  /** Why the platform does not notify, or not about all names. */
  readonly problem?: string | undefined;
  /** Whether a limit of the credentials is why it does not notify. */
  readonly isLimited?: boolean | undefined;
  readonly subscriptions?: number | undefined;
  /** The cost of all subscriptions of the credentials, and the highest possible one. */
  readonly cost?: number | undefined;
  readonly maxCost?: number | undefined;
  /** The number of names that are only polled: the platform has no room for them, or refuses them. */
  readonly onlyPolled?: number | undefined;
}

/** The last known state of the connection of an account. */
export interface NotifierReport extends NotifierStatus {
  readonly notifiedAt?: Date | undefined;
}

/** What the connections of accounts keep over restarts. */
export interface NotifierStore {
  textOf(account: string): StoredText;
  report(account: string): Promise<NotifierReport | undefined>;
  /** The reports of all accounts that have one. */
  reports(): Promise<ReadonlyMap<string, NotifierReport>>;
  keepReport(account: string, report: NotifierReport): Promise<void>;
  /** Lets one process at a time be connected for an account. */
  claim(account: string, signal: AbortSignal): Promise<Disposable>;
}
