import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Listing, ListingOptions } from '#src/clients/operation/listing.ts';
import type { Actor } from './actor.ts';

/** How an action ended: `started` if the process or its database ended before it did, `unchanged` if there was nothing to do. */
export type AuditOutcome = 'started' | 'done' | 'unchanged' | 'refused' | 'failed';

/** An action of a person. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** The name of the action, for example `pauseRule`. */
  readonly action: string;
  readonly by: Pick<Actor, 'name' | 'via' | 'id' | 'origin'>;
  /** The id of the rule, the delivery, the account or the version. */
  readonly target: string;
  readonly outcome: AuditOutcome;
  /** What the action changed: the values before and after it. */
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
}

interface AuditFilter extends ListingOptions {
  readonly target?: string | undefined;
  readonly action?: string | undefined;
  /** The address of the request, or the server in Discord. */
  readonly origin?: string | undefined;
}

/** The log of all actions. An entry is stored before its action runs, so no action is without one. */
export interface AuditLog {
  start(entry: Pick<AuditEntry, 'id' | 'action' | 'by' | 'target'>): Promise<void>;
  end(entry: Pick<AuditEntry, 'id' | 'outcome' | 'before' | 'after'>): Promise<void>;
  /** Newest first. */
  list(filter?: AuditFilter): Promise<Listing<AuditEntry>>;
}
