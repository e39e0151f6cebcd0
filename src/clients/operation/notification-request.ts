/** A request of a platform to the public address, as it arrived. */
export interface NotificationRequest {
  readonly method: 'GET' | 'POST';
  /** The part of the path after the account, which names a subscription; empty if there is none. */
  readonly subscription: string;
  readonly query: URLSearchParams;
  /** A header by its name in small letters. */
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/** A request whose body is not read yet. */
export type NotificationHead = Omit<NotificationRequest, 'body'>;

/** Why a request is not a notification of the platform for this installation. */
export type NotificationRefusal = 'signature' | 'timestamp' | 'subscription' | 'malformed';

/** The meaning of a request. */
export type ReceivedNotification =
  | {
      readonly kind: 'notification';
      /** The id of the message: a repeated request has the same. */
      readonly id: string;
      /** The type of the event at the platform; `other` for types that Fanfare does not know. */
      readonly type: string;
      /** The queries that may have new answers, as `Change` has them. */
      readonly changes: readonly { readonly operation: string; readonly names: readonly string[] }[];
    }
  /** The platform asks whether Fanfare wants to be notified. */
  | { readonly kind: 'challenge'; readonly answer: string }
  /** The platform ended a subscription, or refuses one. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused'; readonly reason: NotificationRefusal };

/** A subscription of an account to notifications over the public address. */
export interface NotificationSubscription {
  /** The id at the platform, or the part of the callback that names the subscription. */
  readonly id: string;
  /** What it is about, for example the address of a feed. */
  readonly topic: string;
  /** The names that rules watch, whose answers change with the topic. */
  readonly names: readonly string[];
  /** The server that notifies, if it is not the platform. */
  readonly hub?: string | undefined;
  /** `none`: nobody notifies about the topic. `leaving`: it is no longer wanted. */
  readonly state: 'requested' | 'active' | 'denied' | 'leaving' | 'none';
  /** When it got this state. */
  readonly since: Date;
  /** When the hub stops to notify. */
  readonly until?: Date | undefined;
}

/** The subscriptions of one account, which all processes share. */
export interface NotificationSubscriptions {
  all(): Promise<readonly NotificationSubscription[]>;
  find(id: string): Promise<NotificationSubscription | undefined>;
  keep(subscription: NotificationSubscription): Promise<void>;
  drop(id: string): Promise<void>;
}

/** What an adapter needs to receive requests. */
export interface ReceiveOptions {
  /** The secret of the account; undefined: no process has asked for notifications yet. */
  readonly secret: () => Promise<string | undefined>;
  readonly subscriptions: NotificationSubscriptions;
  /** The text that the connection of the account stored. */
  readonly storedText: () => Promise<string | undefined>;
  readonly nowMs: number;
}

/** The part of an adapter that reads requests to the public address. It runs in every process with a page. */
export interface NotificationReceiver {
  /** The largest body in bytes. */
  readonly maxBytes: number;
  /** Whether the body of a request is read, if its path proves who sends it. Absent: each body is read. */
  readonly admits?: (head: NotificationHead, options: Pick<ReceiveOptions, 'secret'>) => Promise<boolean>;
  receive(request: NotificationRequest, options: ReceiveOptions): Promise<ReceivedNotification>;
}

/** The public address at which an account is notified. */
export interface NotificationEndpoint {
  /** The address without a slash at its end. The name of a subscription can follow. */
  readonly url: string;
  /** The secret of the account, which is created if there is none. */
  readonly secret: () => Promise<string>;
  readonly subscriptions: NotificationSubscriptions;
}
