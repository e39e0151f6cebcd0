import type { Fault } from '#src/errors.ts';
import type { NotificationEndpoint, NotificationReceiver } from './notification-request.ts';

/** A platform that notifies about changes. A notification is a hint: it only brings polls forward. */
export interface Notifier {
  /** The list operations whose answers it notifies about. */
  readonly operations: readonly NotifiedOperation[];
  /** Reads the requests of a platform that notifies over the public address only. Without such an address, it is not connected. */
  readonly receiver?: NotificationReceiver | undefined;
  /** Whether a second process can be connected for the account, so that notifications arrive while the first one is replaced. */
  readonly takesSubstitute?: boolean | undefined;
  /** Connects, and stays connected while rules watch names. Rejects when the connection is lost. */
  connect(options: ConnectOptions): Promise<void>;
}

/** A list operation whose answers a platform notifies about. */
export interface NotifiedOperation {
  /** The name, for example `getStreams`. */
  readonly operation: string;
  /** The parameter that names what changed, for example `users`; absent: the operation needs no name, for example `getMentions`. */
  readonly parameter?: string | undefined;
  /** Whether queries without the parameter are about the account itself, as in `getUserPosts`. Their name is `OWN`. */
  readonly hasOwn?: boolean | undefined;
  /** The fields of its items that change only with a notification, or never. Absent: only new and missing items are notified. */
  readonly fields?: readonly string[] | undefined;
  /** Those of `fields` that never change while an item lasts. Notifications about new and missing items are enough for them. */
  readonly lastingFields?: readonly string[] | undefined;
}

/** The name of a query without a name: one about the account itself. */
export const OWN = '';

/** Names by operation. An operation without names is absent. */
export type NamesByOperation = ReadonlyMap<string, readonly string[]>;

/** Queries that may have new answers. */
export interface Change {
  readonly operation: string;
  /** The names of the queries, in any letter case; absent: every query of the operation. */
  readonly names?: readonly string[] | undefined;
}

/** What a connection needs from the process. */
export interface ConnectOptions {
  /** Whether another process is connected for the account, and keeps its subscriptions. */
  readonly isSubstitute: boolean;
  readonly names: WatchedNames;
  /** A text that the account keeps over restarts, for example the id of a record at the platform. */
  readonly stored: StoredText;
  /** Where the platform sends its requests; present if the notifier has a receiver. */
  readonly endpoint?: NotificationEndpoint | undefined;
  readonly onStatus: (status: NotifierStatus) => void;
  /**
   * Called with all names that the platform notifies about now. They end with the connection. `presenceOnly`: further names, about whose new and
   * missing items it notifies, but not about changed ones.
   */
  readonly onCovered: (names: NamesByOperation, presenceOnly?: NamesByOperation) => void;
  /** Called with the kind of each notification: `malformed` if it has another form than the platform documents. */
  readonly onNotification: (kind: string) => void;
  /** Called if queries may have new answers; without a change, every query of all operations of the notifier. */
  readonly onChange: (change?: Change) => void;
  readonly signal: AbortSignal;
}

/** The names that running rules watch, by operation. */
export interface WatchedNames {
  /** The names as the rules write them, without `@`, in the order of the priorities of the rules. */
  current(): Promise<NamesByOperation>;
  /** The names of rules that need notifications about changed items, because they read more than the lasting fields. */
  readingChanges(): Promise<NamesByOperation>;
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
  /** `stopped`: the process ended, or no rule watches a name. `off`: there is no public address. */
  readonly state: 'connecting' | 'connected' | 'failed' | 'stopped' | 'off';
  /** Why the platform does not notify, or not about all names. */
  readonly problem?: string | undefined;
  /** The fault of the request that failed, if the platform answered it or Fanfare did not send it. */
  readonly fault?: Fault | undefined;
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
  /** The names about which the platform notifies now, by operation, for the other processes on the same state. */
  readonly covered?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The names about whose new and missing items only it notifies. Processes of earlier versions do not read them, so they poll. */
  readonly coveredPresence?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What the connections of accounts keep over restarts. */
export interface NotifierStore {
  textOf(account: string): StoredText;
  report(account: string): Promise<NotifierReport | undefined>;
  /** The reports of all accounts that have one. */
  reports(): Promise<ReadonlyMap<string, NotifierReport>>;
  keepReport(account: string, report: NotifierReport): Promise<void>;
  /** Stores when the platform of a connection last notified. */
  noteNotified(account: string, at: Date): Promise<void>;
  /** Lets one process at a time be connected for an account, and one as its substitute. */
  claim(options: ClaimOptions): Promise<Claim>;
}

interface ClaimOptions {
  readonly account: string;
  readonly isSubstitute: boolean;
  /** Called if another process is connected. */
  readonly onWait?: (() => void) | undefined;
  readonly signal: AbortSignal;
}

/** The right to be connected. */
interface Claim extends Disposable {
  /** Aborts when another process may be connected; absent: that is impossible before the release. */
  readonly lost?: AbortSignal | undefined;
}
