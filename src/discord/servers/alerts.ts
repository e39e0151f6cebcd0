import { type APIGuild, DiscordAPIError, type REST, Routes } from 'discord.js';
import type { AuditLog } from '#src/admin/actions/audit-log.ts';
import type { DeliveryReader, OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { AccountView, DeliveryList } from '#src/admin/queries/records.ts';
import type { Notice, NoticeStore, ServerSettings, ServerStore } from '#src/admin/servers/server-store.ts';
import type { Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import { hash } from '#src/rules/firing.ts';
import { scopeIn, serverOf, type Reader } from '#src/discord/caller.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import type { Layout } from '#src/discord/layout.ts';
import { isDeleted, lacksPermission, logFailedWrite, reasonOf } from '#src/discord/explain-error.ts';
import {
  CHANGES,
  endedLayout,
  EXPIRING,
  movedLayout,
  needsPerson,
  solvedLayout,
  UNDELIVERED,
  wantedAlerts,
  type AlertedServer,
  type Findings,
  type WantedAlert,
} from './wanted-alerts.ts';
import { sendOnce } from './send-once.ts';

const EVERY_MS = 20_000;
const FOUND = 200;
const MOST_ACTIONS = 100;
/** A request that Discord does not answer is repeated for a minute, in which the round of all servers waits. */
const RETRY_MS = 120_000;
/** If Discord does not answer for so many servers, it cannot be reached, and the round ends. */
const MOST_UNANSWERED = 3;
/** One slow server does not delay the next one. */
const SERVERS_TOGETHER = 4;
const LOCALE_FRESH_MS = 60 * 60_000;
const ALERT = 'alert:';

export interface AlertsOptions {
  readonly controls: Pick<OperatorQueries, 'deliveries' | 'rules' | 'status'>;
  readonly auditLog?: Pick<AuditLog, 'list'> | undefined;
  readonly stored: Pick<ServerStore, 'list'>;
  readonly notices: NoticeStore;
  readonly servers: readonly DiscordServer[];
  readonly settings: DiscordSettings;
  /** Whether no other process keeps the alerts; absent: there is none. */
  readonly isAlone?: (() => Promise<boolean>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Keeps the alerts of all servers up to date until the bot goes offline. Each round reads the problems again, so nothing depends on this process. */
export async function keepAlerting(rest: REST, options: AlertsOptions): Promise<void> {
  const { clock, log, signal } = options;
  const memory = alertsMemory(rest, options);
  while (!signal.aborted) {
    await updateAlerts(rest, options, memory).catch(
      (error: unknown) => signal.aborted || logFailedWrite(log, error, 'the alerts in Discord could not be updated'),
    );
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

/** What a process remembers between rounds. */
interface AlertsMemory {
  /** The preferred language of a server. */
  readonly localeOf: (server: string) => Promise<string>;
  /** When the servers for which Discord did not answer are updated again, in epoch milliseconds. */
  readonly retriedAtMs: Map<string, number>;
}

/** The memory of the first round. */
export function alertsMemory(rest: REST, options: Pick<AlertsOptions, 'clock'>): AlertsMemory {
  return { localeOf: preferredLocales(rest, options), retriedAtMs: new Map() };
}

/** Sends new alerts, edits changed ones, and closes those whose problem is solved, and those of servers without a channel for alerts. */
export async function updateAlerts(
  rest: REST,
  options: AlertsOptions,
  { localeOf, retriedAtMs }: AlertsMemory = alertsMemory(rest, options),
): Promise<void> {
  const { stored, notices, servers, settings, clock, log, signal } = options;
  const sent = Map.groupBy(await notices.startingWith(ALERT), ({ server }) => server);
  const all = await stored.list();
  const reporting = all.filter(({ id, problemsChannel, leftAt }) => !leftAt && (problemsChannel !== undefined || sent.has(id)));
  if (reporting.length === 0) return;
  const find = await readFindings(options, new Map(all.map(({ id, name }) => [id, name])));
  const retriedAt = ({ id }: ServerSettings): number => retriedAtMs.get(id) ?? 0;
  // Servers that were not answered for come last, so that they end the round of no other server.
  const pending = reporting.filter((one) => clock.nowMs() >= retriedAt(one)).toSorted((a, b) => retriedAt(a) - retriedAt(b));
  let unanswered = 0;

  async function update(server: ServerSettings): Promise<void> {
    const served = serverOf(server.id, servers, settings);
    if (!served) return;
    const of = { server: server.id, scope: scopeIn(served, servers, settings), zone: server.zone ?? served.zone };
    const found = server.problemsChannel === undefined ? undefined : await find(of);
    // All processes know the stored language, so that none of them takes back the edits of another one.
    const locale = server.language ?? server.locale ?? (await localeOf(server.id));
    const reader: Reader = { texts: textsFor(locale), locale };
    const closed = found ? solvedLayout(reader) : endedLayout(reader);
    const wanted = found ? wantedAlerts(found, of, reader) : [];
    const incomplete = found?.incomplete ?? [];
    await report(rest, server, wanted, { notices, log, reader, sent: sent.get(server.id) ?? [], incomplete, closed });
  }

  async function updatePending(): Promise<void> {
    for (let server = pending.shift(); server && !signal.aborted; server = pending.shift()) {
      const { id } = server;
      const error: unknown = await update(server).catch((reason: unknown) => reason);
      const reason = reasonOf(error);
      retriedAtMs.delete(id);
      if (error === undefined) continue;
      // The bot was removed from the server, or Discord has an outage, which can be of some servers only.
      if (reason !== undefined && !(error instanceof DiscordAPIError)) {
        retriedAtMs.set(id, clock.nowMs() + RETRY_MS);
        unanswered++;
      }
      if (reason === undefined || unanswered >= MOST_UNANSWERED) {
        pending.length = 0;
        throw error;
      }
      log.debug({ server: id, reason }, 'the alerts of a server could not be updated');
    }
  }

  const ended = await Promise.allSettled(Array.from({ length: SERVERS_TOGETHER }, updatePending));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** The languages of servers in Discord, each cached for an hour. */
export function preferredLocales(rest: REST, { clock }: Pick<AlertsOptions, 'clock'>): (server: string) => Promise<string> {
  const known = new Map<string, { readonly locale: string; readonly untilMs: number }>();
  return async (server) => {
    const cached = known.get(server);
    if (cached && clock.nowMs() < cached.untilMs) return cached.locale;
    const { preferred_locale: locale } = (await rest.get(Routes.guild(server))) as APIGuild; // as Discord documents it
    known.set(server, { locale, untilMs: clock.nowMs() + LOCALE_FRESH_MS });
    return locale;
  };
}

/** Reads the state once, and what is not complete again for each server: other servers must not hide its problems. */
async function readFindings(
  options: AlertsOptions,
  serverNames: Findings['serverNames'],
): Promise<(of: AlertedServer) => Promise<Findings>> {
  const { controls, auditLog, isAlone, clock } = options;
  const nowMs = clock.nowMs();
  const [failed, unknown, asked, rules, status, actions, alone] = await Promise.all([
    readDeliveries('failed', options),
    readDeliveries('unknown', options),
    readDeliveries('asked', options),
    controls.rules(),
    controls.status(),
    auditLog?.list({ limit: MOST_ACTIONS }),
    isAlone?.() ?? true,
  ]);
  // A failed connection of this process would be an alert that the other processes close. Failed requests have a fault, which all of them know.
  const isOfAll = ({ platform, fault }: AccountView): boolean => alone || platform !== 'discord' || fault !== undefined;
  return async (of) => {
    const [ofFailed, ofUnknown, ofAsked] = [await failed(of), await unknown(of), await asked(of)];
    const isPartial = actions?.cursor !== undefined && of.scope !== undefined;
    const ofActions = isPartial ? await auditLog?.list({ limit: MOST_ACTIONS, origin: of.server }) : actions;
    return {
      undelivered: [...ofUnknown.items, ...ofFailed.items.filter((one) => needsPerson(one, nowMs))],
      asked: ofAsked.items,
      paused: rules.filter(({ on, paused }) => on && paused).map(({ id }) => id),
      accounts: status.accounts.filter(isOfAll),
      lateWebhooks: status.lateWebhooks,
      actions: ofActions?.items ?? [],
      serverNames,
      nowMs,
      incomplete: [...(ofFailed.more || ofUnknown.more ? [UNDELIVERED] : []), ...(ofAsked.more ? [EXPIRING] : [])],
    };
  };
}

/** The deliveries in a state: those of the installation if they are few, otherwise those of each server. */
async function readDeliveries(
  state: 'failed' | 'unknown' | 'asked',
  { controls }: Pick<AlertsOptions, 'controls'>,
): Promise<(of: DeliveryReader) => Promise<DeliveryList>> {
  const page = { state, offset: 0, limit: FOUND };
  const all = await controls.deliveries({ server: undefined, ...page });
  return async ({ server, scope }) => (all.more ? controls.deliveries({ server, scope, ...page }) : all);
}

interface ReportOptions extends Pick<AlertsOptions, 'notices' | 'log'> {
  readonly reader: Reader;
  readonly sent: readonly Notice[];
  readonly incomplete: Findings['incomplete'];
  /** The last text of an alert that is no longer wanted. */
  readonly closed: Layout;
}

async function report(
  rest: REST,
  { id: server, problemsChannel: channel = '' }: ServerSettings,
  wanted: readonly WantedAlert[],
  { notices, log, reader, sent, incomplete, closed }: ReportOptions,
): Promise<void> {
  const known = new Map(sent.map((notice) => [notice.key, notice]));

  async function show({ key, message }: WantedAlert, notice: Notice | undefined): Promise<void> {
    const shown = hashOf(message);
    if (notice?.shown === shown && notice.channel === channel) return;
    if (notice?.message !== undefined) {
      const isHere = notice.channel === channel;
      // A deleted alert comes back only when there is something new. An alert that the bot may not edit is there when the bot may again.
      if (isHere && (await edit(rest, notice, message)) !== 'deleted') {
        await notices.keep({ server, key, channel, message: notice.message, shown });
        return;
      }
      if (!isHere && !key.startsWith(CHANGES)) await edit(rest, notice, movedLayout(channel, reader));
      await notices.remove({ server, key });
    }
    await sendOnce({ rest, notices, server, key, channel, message, marker: markerOf(message), shown });
  }

  async function close(notice: Notice): Promise<void> {
    if (!notice.key.startsWith(CHANGES)) await edit(rest, notice, closed);
    await notices.remove(notice);
  }

  /** An alert that Discord refuses must not keep the others from being updated: the channel was deleted, or the bot may not write there. */
  async function attempt(key: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DiscordAPIError)) throw error;
      log.debug({ server, alert: key, reason: error.message }, 'an alert could not be sent');
    }
  }

  for (const alert of wanted) {
    const notice = known.get(alert.key);
    known.delete(alert.key);
    await attempt(alert.key, () => show(alert, notice));
  }
  for (const notice of known.values()) {
    // The deliveries of this alert may be among those that were not read.
    if (!incomplete.some((kind) => notice.key.startsWith(kind))) await attempt(notice.key, () => close(notice));
  }
}

/** Edits the message of a notice. `deleted`: it or its channel is gone; `refused`: the bot lacks a permission. */
async function edit(rest: REST, { channel, message }: Notice, { components }: Layout): Promise<'edited' | 'deleted' | 'refused'> {
  if (message === undefined) return 'deleted';
  try {
    await rest.patch(Routes.channelMessage(channel, message), { body: { components, allowed_mentions: { parse: [] } } });
    return 'edited';
  } catch (error) {
    if (isDeleted(error)) return 'deleted';
    if (lacksPermission(error)) return 'refused';
    throw error;
  }
}

/** A custom id that only this alert has. */
function markerOf({ components }: Layout): string {
  return /"custom_id":"([^"]+)"/u.exec(JSON.stringify(components))?.[1] ?? hashOf({ components });
}

function hashOf({ components }: Pick<Layout, 'components'>): string {
  return hash(JSON.stringify(components));
}
