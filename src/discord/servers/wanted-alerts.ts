import type { ActorScope } from '#src/admin/actions/actor.ts';
import type { AuditEntry } from '#src/admin/actions/audit-log.ts';
import type { AccountView, LateWebhook, ShownDelivery } from '#src/admin/queries/records.ts';
import { isOfServer } from '#src/engine/delivery/server-deliveries.ts';
import { hash } from '#src/rules/firing.ts';
import { FOLLOWED } from '#src/rules/lists.ts';
import type { Reader } from '#src/discord/caller.ts';
import { button } from '#src/discord/components.ts';
import { byCause, causeLine } from '#src/discord/controls/lines.ts';
import { en } from '#src/discord/language/en/index.ts';
import { localeOfTexts } from '#src/discord/language/languages.ts';
import { layout, row, textBlock, type Layout } from '#src/discord/layout.ts';
import { instant, numeral } from '#src/discord/text/format.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { objectOf } from './action-object.ts';

/** A question that ends within this time is about to expire. */
const EXPIRES_SOON_MS = 30 * 60_000;
/** A failed delivery is a problem for this time. */
const RECENT_MS = 24 * 60 * 60_000;
/** An id or an address, and not a name that never existed. */
const ENDS_WITH_ID = /\d{15,20}$/u;
const MOST_CHANGES = 10;
const MOST_OBJECT = 160;

/** Causes are the same in all languages. */
const ANY_READER: Reader = { texts: en, locale: 'en-US' };

/** What is wrong in the installation, and what people changed. */
export interface Findings {
  readonly undelivered: readonly ShownDelivery[];
  readonly asked: readonly ShownDelivery[];
  /** The ids of the paused rules. */
  readonly paused: readonly string[];
  readonly accounts: readonly AccountView[];
  readonly lateWebhooks: readonly LateWebhook[];
  readonly actions: readonly AuditEntry[];
  /** The names of the servers of the bot by id. */
  readonly serverNames: ReadonlyMap<string, string>;
  readonly nowMs: number;
  /** The starts of the keys of alerts whose deliveries were not all read. */
  readonly incomplete: readonly string[];
}

/** One message for one cause. */
export interface WantedAlert {
  readonly key: string;
  readonly message: Layout;
}

/** A server with a channel for alerts. */
export interface AlertedServer {
  readonly server: string;
  /** Undefined: the home server, which operates the whole installation. */
  readonly scope: ActorScope | undefined;
  readonly zone: string;
}

/** The start of the keys of alerts about failed and unknown deliveries. */
export const UNDELIVERED = 'alert:failed:';

/** The start of the keys of alerts about questions. */
export const EXPIRING = 'alert:question:';

/** The key of the changes of a day, which is not a problem. */
export const CHANGES = 'alert:changes:';

/** The alerts that a server should show. Other servers than the home server only see what is theirs. */
export function wantedAlerts(found: Findings, of: AlertedServer, reader: Reader): readonly WantedAlert[] {
  return [
    ...undelivered(found, of, reader),
    ...expiring(found, of, reader),
    ...paused(found, of, reader),
    ...accounts(found, of, reader),
    ...webhooks(found, of, reader),
    ...changes(found, of, reader),
  ];
}

/** Whether an alert shows a failed delivery. Older ones are history. */
export function needsPerson(delivery: ShownDelivery, nowMs: number): boolean {
  // A delivery can fail a day or later after its slot: after its last attempt, or after the wait of its step.
  const { createdAt, settledAt = createdAt } = delivery;
  return settledAt.getTime() >= nowMs - RECENT_MS && !isOfDeleted(delivery);
}

/** Whether a change failed because its message, its thread or its event is gone. A person deleted it, so that no one needs to act. */
function isOfDeleted({ creates, params, error }: ShownDelivery): boolean {
  const targets = [params?.['thread'], params?.['event']].filter((one) => typeof one === 'string' && ENDS_WITH_ID.test(one));
  return !creates && error?.fault === 'missing' && (typeof params?.['message'] === 'string' || targets.length > 0);
}

/** The failed deliveries in the alert of a server about one cause. */
export function deliveriesOfCause(
  failed: readonly ShownDelivery[],
  cause: string,
  { scope, nowMs }: { readonly scope: ActorScope | undefined; readonly nowMs: number },
): readonly ShownDelivery[] {
  const shown = failed.filter((one) => needsPerson(one, nowMs));
  return groups(shown, scope).find((group) => causeOf(group) === cause) ?? [];
}

function groups(deliveries: readonly ShownDelivery[], scope: ActorScope | undefined): readonly (readonly ShownDelivery[])[] {
  return byCause(
    deliveries.filter((delivery) => !scope || isOfServer(delivery, scope)),
    ANY_READER,
  );
}

/** Names a cause in custom ids. Readers of all languages press the button. */
function causeOf([first]: readonly ShownDelivery[]): string {
  return hash(first ? `${first.state} ${ANY_READER.texts.reasons.delivered(first) ?? first.id}` : '');
}

function undelivered({ undelivered: all }: Findings, { scope }: AlertedServer, reader: Reader): readonly WantedAlert[] {
  const { alerts } = reader.texts;
  return groups(all, scope).map((group) => {
    const cause = causeOf(group);
    const line = causeLine(group, reader);
    const text = group.length === 1 ? alerts.oneUndelivered(line) : alerts.undelivered(numeral(group.length, reader), line);
    // A person looks whether it was sent, before it is sent again.
    if (group[0]?.state === 'unknown') return { key: `${UNDELIVERED}${cause}`, message: layout([textBlock(text, alerts.unknown)]) };
    const buttons = row(
      button(`deliveries:fix:${cause}`, alerts.buttons.fix),
      button(`deliveries:retry:${cause}`, alerts.buttons.retry, { style: 'primary' }),
    );
    return { key: `${UNDELIVERED}${cause}`, message: layout([textBlock(text), buttons]) };
  });
}

function expiring({ asked, nowMs }: Findings, { scope }: AlertedServer, { texts: { alerts } }: Reader): readonly WantedAlert[] {
  return asked.flatMap((delivery) => {
    const { id, item, rule, expiresAt } = delivery;
    if (
      (scope && !isOfServer(delivery, scope)) ||
      !expiresAt ||
      expiresAt.getTime() > nowMs + EXPIRES_SOON_MS ||
      expiresAt.getTime() <= nowMs
    )
      return [];
    const text = alerts.expiring(escaped(item?.name ?? rule, 60), instant(expiresAt));
    return [{ key: `${EXPIRING}${id}`, message: layout([textBlock(text)]) }];
  });
}

function paused({ paused: rules }: Findings, { scope }: AlertedServer, { texts: { alerts, following } }: Reader): readonly WantedAlert[] {
  // Only the home server can resume a rule.
  const textOf = (rule: string): string => (scope ? following.noRule : alerts.paused(escaped(rule, 100)));
  return rules
    .filter((rule) => !scope || rule === FOLLOWED)
    .map((rule) => ({ key: `alert:paused:${rule}`, message: layout([textBlock(textOf(rule))]) }));
}

/** Accounts that must sign in, and platforms with an outage. */
function accounts({ accounts: all }: Findings, { scope }: AlertedServer, { texts: { alerts, reasons } }: Reader): readonly WantedAlert[] {
  if (scope) return [];
  return all.flatMap(({ name, state, problem, fault }) => {
    if (state !== 'failed' || problem === undefined) return [];
    const text = alerts.account(escaped(name, 60), escaped(reasons.account({ problem, fault }), 300));
    return [{ key: `alert:account:${name}`, message: layout([textBlock(text)]) }];
  });
}

/** Webhooks whose receivers have not accepted an event. */
function webhooks({ lateWebhooks }: Findings, { scope }: AlertedServer, { texts: { alerts } }: Reader): readonly WantedAlert[] {
  if (scope) return [];
  return lateWebhooks.map(({ webhook, since, isGone }) => {
    const name = escaped(webhook, 60);
    return {
      key: `alert:webhook:${webhook}`,
      message: layout([textBlock(isGone ? alerts.webhookGone(name) : alerts.webhook(name, instant(since)))]),
    };
  });
}

/** Who changed what today, in one message a day. */
function changes(
  { actions, nowMs, serverNames }: Findings,
  { server, scope, zone }: AlertedServer,
  { texts, locale }: Reader,
): readonly WantedAlert[] {
  const { actions: names, alerts } = texts;
  const dayOf = (date: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
  const today = dayOf(new Date(nowMs));
  const own = actions.filter(({ at, by, outcome }) => outcome === 'done' && dayOf(at) === today && (by.origin === server || !scope));
  if (own.length === 0) return [];
  const day = new Intl.DateTimeFormat(localeOfTexts(locale), { timeZone: zone, dateStyle: 'long' }).format(nowMs);
  const lines = own
    .slice(0, MOST_CHANGES)
    .toReversed()
    .map((entry) => {
      const { at, by, action } = entry;
      const name = Object.hasOwn(names, action) ? names[action as keyof typeof names] : action; // it has this key
      const what = objectOf(entry, serverNames, { texts });
      return alerts.change(instant(at), escaped(by.name, 60), `${name} (${escaped(what, MOST_OBJECT)})`);
    });
  const rest = own.length > MOST_CHANGES ? [`-# … (${numeral(own.length, { locale })})`] : [];
  return [{ key: `${CHANGES}${today}`, message: layout([textBlock(alerts.changes(day), ...rest, ...lines)]) }];
}

/** The text of an alert whose problem is solved. */
export function solvedLayout({ texts: { alerts } }: Reader): Layout {
  return layout([textBlock(alerts.solved)]);
}

/** The text of an alert that continues in another channel. */
export function movedLayout(channel: string, { texts: { alerts } }: Reader): Layout {
  return layout([textBlock(alerts.moved(`<#${channel}>`))]);
}

/** The text of an alert in a server that no longer has a channel for alerts. */
export function endedLayout({ texts: { alerts, setup } }: Reader): Layout {
  return layout([textBlock(alerts.ended(`\`/${setup.command.name}\``))]);
}
