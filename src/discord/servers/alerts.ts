import { DiscordAPIError, type REST, Routes } from 'discord.js';
import type { AuditLog } from '#src/admin/actions/audit-log.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { ShownDelivery } from '#src/admin/queries/records.ts';
import type { Notice, NoticeStore, ServerSettings, ServerStore } from '#src/admin/servers/server-store.ts';
import type { Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import { hash } from '#src/rules/firing.ts';
import { scopeIn, serverOf, type Reader } from '#src/discord/caller.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import type { Layout } from '#src/discord/layout.ts';
import { isDeleted } from '#src/discord/explain-error.ts';
import { CHANGES, solvedLayout, wantedAlerts, type Findings, type WantedAlert } from './wanted-alerts.ts';
import { sendOnce } from './send-once.ts';

const EVERY_MS = 20_000;
const FOUND = 200;
const MOST_ACTIONS = 100;
const RECENT_MS = 24 * 60 * 60_000;
const ALERT = 'alert:';

export interface AlertsOptions {
  readonly controls: Pick<OperatorQueries, 'deliveries' | 'rules' | 'status'>;
  readonly auditLog?: Pick<AuditLog, 'list'> | undefined;
  readonly stored: Pick<ServerStore, 'list'>;
  readonly notices: NoticeStore;
  readonly servers: readonly DiscordServer[];
  readonly settings: DiscordSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Keeps the alerts of all servers up to date until the bot goes offline. Each round reads the problems again, so nothing depends on this process. */
export async function keepAlerting(rest: REST, options: AlertsOptions): Promise<void> {
  const { clock, log, signal } = options;
  while (!signal.aborted) {
    await updateAlerts(rest, options).catch(
      (error: unknown) => signal.aborted || log.warn({ error }, 'the alerts in Discord could not be updated'),
    );
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

/** Sends new alerts, edits changed ones, and closes those whose problem is solved. */
export async function updateAlerts(rest: REST, options: AlertsOptions): Promise<void> {
  const { stored, notices, servers, settings, log, signal } = options;
  const reporting = (await stored.list()).filter(({ problemsChannel, leftAt }) => problemsChannel !== undefined && !leftAt);
  if (reporting.length === 0) return;
  const found = await find(options);
  const sent = Map.groupBy(await notices.startingWith(ALERT), ({ server }) => server);
  for (const server of reporting) {
    if (signal.aborted) return;
    const served = serverOf(server.id, servers, settings);
    if (!served) continue;
    const texts = textsFor(server.language ?? 'en-US');
    const reader: Reader = { texts, locale: server.language ?? 'en-US' };
    const wanted = wantedAlerts(
      found,
      { server: server.id, scope: scopeIn(served, servers, settings), zone: server.zone ?? served.zone },
      reader,
    );
    try {
      await report(rest, server, wanted, { notices, reader, sent: sent.get(server.id) ?? [] });
    } catch (error) {
      // The channel was deleted, or the bot may not write there: `/setup` shows it.
      if (!(error instanceof DiscordAPIError)) throw error;
      log.debug({ server: server.id, reason: error.message }, 'an alert could not be sent');
    }
  }
}

async function find({ controls, auditLog, clock }: AlertsOptions): Promise<Findings> {
  const read = async (state: 'failed' | 'unknown' | 'asked'): Promise<readonly ShownDelivery[]> =>
    (await controls.deliveries({ server: undefined, state, offset: 0, limit: FOUND })).items;
  const nowMs = clock.nowMs();
  const [failed, unknown, asked, rules, status, actions] = await Promise.all([
    read('failed'),
    read('unknown'),
    read('asked'),
    controls.rules(),
    controls.status(),
    auditLog?.list({ limit: MOST_ACTIONS }),
  ]);
  return {
    undelivered: [...unknown, ...failed.filter(({ createdAt }) => createdAt.getTime() >= nowMs - RECENT_MS)],
    asked,
    paused: rules.filter(({ on, paused }) => on && paused).map(({ id }) => id),
    accounts: status.accounts,
    actions: actions?.items ?? [],
    nowMs,
  };
}

async function report(
  rest: REST,
  { id: server, problemsChannel: channel = '' }: ServerSettings,
  wanted: readonly WantedAlert[],
  { notices, reader, sent }: Pick<AlertsOptions, 'notices'> & { readonly reader: Reader; readonly sent: readonly Notice[] },
): Promise<void> {
  const known = new Map(sent.map((notice) => [notice.key, notice]));
  for (const { key, message } of wanted) {
    const notice = known.get(key);
    known.delete(key);
    const shown = hashOf(message);
    if (notice?.shown === shown && notice.channel === channel) continue;
    if (notice?.message !== undefined) {
      // A deleted alert comes back only when there is something new.
      const isThere = notice.channel === channel && (await edited(rest, notice.channel, notice.message, message));
      if (isThere) {
        await notices.keep({ server, key, channel, message: notice.message, shown });
        continue;
      }
      await notices.remove({ server, key });
    }
    await sendOnce({ rest, notices, server, key, channel, message, marker: markerOf(message), shown });
  }
  for (const { key, channel: at, message } of known.values()) {
    if (message !== undefined && !key.startsWith(CHANGES)) await edited(rest, at, message, solvedLayout(reader));
    await notices.remove({ server, key });
  }
}

/** Edits a message; false if it or its channel was deleted. */
async function edited(rest: REST, channel: string, message: string, { components }: Layout): Promise<boolean> {
  try {
    await rest.patch(Routes.channelMessage(channel, message), { body: { components, allowed_mentions: { parse: [] } } });
    return true;
  } catch (error) {
    if (isDeleted(error)) return false;
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
