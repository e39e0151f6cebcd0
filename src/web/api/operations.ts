import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import type { StoredSchema } from '#src/admin/queries/about-answer.ts';
import type { ApiToken, Person } from '#src/admin/actions/people.ts';
import type { ChannelSignIn, SignInAccount } from '#src/admin/actions/account-actions.ts';
import type { usageOf } from '#src/admin/queries/usage-answer.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { AuditLog } from '#src/admin/actions/audit-log.ts';
import type { RepeatedRequests } from '#src/admin/actions/repeated-requests.ts';
import type { LoadedRules } from '#src/admin/queries/list-readers.ts';
import type { ListQueries } from '#src/admin/queries/lists.ts';
import type { LookupClients } from '#src/admin/queries/lookup-clients.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';
import type { Clock } from '#src/clock.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { RuleVersion } from '#src/engine/rule-sets/rule-versions.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import type { Log } from '#src/log.ts';

/** What the API reads and does, beside `apiQueries`. */
export interface Operations {
  readonly findDelivery: (id: string) => Promise<Delivery | undefined>;
  readonly failedAttempts: DeliveryLog['failedAttempts'];
  readonly actions: Actions;
  readonly queries: Pick<OperatorQueries, 'rules' | 'views' | 'revision' | 'details' | 'explainItem' | 'gone' | 'broken'>;
  readonly lists: ListQueries;
  readonly loadedRules: LoadedRules;
  /** The clients of the streaming accounts. */
  readonly streaming: LookupClients['streaming'];
  readonly auditLog: Pick<AuditLog, 'list'>;
  /** The stored versions of the rules, newest first. */
  readonly versions: () => Promise<readonly RuleVersion[]>;
  /** The Discord servers of the bot. */
  readonly servers: () => Promise<readonly ServerSettings[]>;
  /** The posts of people that are not sent yet, the next one first. */
  readonly waitingPosts: Posting['allWaiting'];
  /** The checks of `fanfare doctor`. */
  readonly checks: (signal: AbortSignal) => Promise<readonly CheckResult[]>;
  readonly storedSchema: () => Promise<StoredSchema>;
  readonly accounts: () => Promise<readonly SignInAccount[]>;
  readonly accountUsage: (account: string) => ReturnType<typeof usageOf>;
  /** The last sign-in to the channel of an account that a page began. */
  readonly channelSignIn: (account: string) => Promise<ChannelSignIn | undefined>;
  readonly people: () => Promise<readonly Person[]>;
  readonly tokens: () => Promise<readonly ApiToken[]>;
  readonly repeatedRequests: RepeatedRequests;
}

export interface ApiOptions extends Operations {
  /** The origin of the sandbox; absent with real accounts. */
  readonly sandboxOrigin?: string | undefined;
  readonly apiQueries: ApiQueries;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends all event streams. */
  readonly closing: AbortSignal;
}

/** What the server gives to the API with a request. */
export interface ApiEnv {
  readonly Bindings: {
    /** Who acts. */
    readonly actor: Actor;
    /** What writes of a session send as `X-CSRF-Token`; absent without a session. */
    readonly formToken: string | undefined;
  };
}
