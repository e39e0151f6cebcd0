import { restrictionOf, RESTRICTIONS, type Restriction } from '#src/clients/operation/audience.ts';
import { isReading, type Catalogue, type DeclaredWrite } from '#src/clients/operation/declared.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Delivery } from './records.ts';

/** A stored delivery. */
export interface LoggedDelivery {
  readonly id: string;
  readonly rule: string;
  readonly item?: { readonly key: string } | undefined;
  readonly step: string;
  readonly do: string;
  readonly account: string;
  readonly state: Delivery['state'];
  readonly createdAt: Date;
  readonly sentAt?: Date | undefined;
  readonly error?: { readonly message: string } | undefined;
  readonly message?: string | undefined;
  readonly params?: JsonObject | undefined;
  readonly result?: Json | undefined;
  /** The restricted records that it is made from. */
  readonly origins?: readonly { readonly restriction: Restriction }[] | undefined;
  /** The text that people read. */
  readonly text?: string | undefined;
  /** The operation that its rule watched. */
  readonly watches?: string | undefined;
}

/** Which deliveries are read. */
export interface DeliverySelection {
  /** The id of a rule, which includes all its instances, or of one instance. */
  readonly rule?: string | undefined;
  readonly key?: string | undefined;
  readonly step?: string | undefined;
  readonly account?: string | undefined;
  readonly state?: Delivery['state'] | undefined;
  readonly sinceMs?: number | undefined;
  /** Further conditions. */
  readonly accepts: (delivery: Pick<LoggedDelivery, 'do' | 'state'>) => boolean;
  readonly limit: number;
}

/** The stored deliveries. */
export interface SentLog {
  /** The oldest delivery about an item that another delivery follows, and that is not finished: when it was decided. Deliveries behind a wait do not count. */
  unfinishedSince(
    selection: { readonly rule: string; readonly key: string },
    options: { readonly before: string; readonly nowMs: number },
  ): Promise<number | undefined>;
  /** Newest first. */
  select(selection: DeliverySelection): Promise<readonly LoggedDelivery[]>;
}

/** Whether a delivery wrote something, or failed to read: results of look-ups are no messages. */
export function isShown({ do: verb, state }: Pick<LoggedDelivery, 'do' | 'state'>, catalogue: Catalogue): boolean {
  return state === 'failed' || state === 'unknown' || !isReading(catalogue.get(verb));
}

export function toDelivery(logged: LoggedDelivery, catalogue: Catalogue): Delivery {
  const { id, rule, item, step, do: verb, account, state, createdAt, sentAt, error, message, result, text, watches } = logged;
  const record = isJsonObject(result) ? result : {};
  return {
    delivery: id,
    rule,
    key: item?.key,
    step,
    do: verb,
    account,
    state,
    reason: error?.message ?? message,
    platform: textOf(record['platform']),
    id: textOf(record['id']),
    url: textOf(record['url']),
    text,
    visibility: audienceOf(logged, catalogue),
    watches,
    decidedAt: createdAt,
    sentAt,
  };
}

/** The smallest audience of what was sent, of its parameters, and of the records that it is made from. */
function audienceOf({ do: verb, params = {}, result, origins = [] }: LoggedDelivery, catalogue: Catalogue): Delivery['visibility'] {
  const declared = catalogue.get(verb);
  const isMessage = declared?.kind === 'write' && isForOne(declared, params);
  const found = [
    ...origins.map(({ restriction }) => restriction),
    restrictionOf(params),
    isJsonObject(result) ? restrictionOf(result) : undefined,
    isMessage || params['isPrivate'] === true ? 'direct' : undefined,
  ];
  return RESTRICTIONS.findLast((restriction) => found.includes(restriction)) ?? 'public';
}

/** Whether a write has one reader, as a direct message. The answer to a command may be public, but usually only its member sees it. */
function isForOne({ publishes, repliesTo }: DeclaredWrite, { user }: JsonObject): boolean {
  return publishes === 'message' || repliesTo === 'command' || (publishes === 'everyone' && user !== undefined);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
