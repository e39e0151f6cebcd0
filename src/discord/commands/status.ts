import type { AccountView, Status } from '#src/admin/queries/records.ts';
import { SlashCommandBuilder, type APIEmbedField, type BaseInteraction } from 'discord.js';
import { FAILED_SHOWN_MS } from '#src/admin/queries/rule-view.ts';
import type { Caller, Reader } from '#src/discord/caller.ts';
import { showPage, type ControlsOptions } from '#src/discord/controls/command-reply.ts';
import { SHARE, shareButton } from '#src/discord/components.ts';
import { byCause, causeLine, fitted } from '#src/discord/controls/lines.ts';
import { localize } from '#src/discord/language/languages.ts';
import { embedReply, replyPrivately, type Reply } from '#src/discord/reply.ts';
import { dateTime, numeral, timeSpan } from '#src/discord/text/format.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import type { SlashCommand } from '#src/discord/command.ts';

const MAX_FIELD_LENGTH = 1_000;
const PROBLEM_DELIVERIES = 50;
const MEGABYTE = 1024 * 1024;
const ICONS: Readonly<Record<AccountView['state'], string>> = { connected: '🟢', connecting: '🟡', failed: '🔴' };

/** `/status`: the state of accounts, rules, deliveries and the process. */
export function statusCommand({ controls, clock }: ControlsOptions): SlashCommand {
  /** The problems that need a decision or a repair, once per cause. */
  async function problems({ server, scope }: Caller, reader: Reader): Promise<readonly APIEmbedField[]> {
    const about = { server: server?.id, scope, offset: 0, limit: PROBLEM_DELIVERIES };
    const [unknown, failed] = await Promise.all((['unknown', 'failed'] as const).map((state) => controls.deliveries({ ...about, state })));
    const sinceMs = clock.nowMs() - FAILED_SHOWN_MS;
    const recent = (failed?.items ?? []).filter(({ createdAt, settledAt = createdAt }) => settledAt.getTime() >= sinceMs);
    const lines = byCause([...(unknown?.items ?? []), ...recent], reader).map((group) => causeLine(group, reader));
    const { undelivered, allDelivered } = reader.texts.controls.health;
    if (lines.length === 0 && !scope) return [];
    return [{ name: undelivered, value: lines.length === 0 ? allDelivered : fitted(lines, MAX_FIELD_LENGTH, reader) }];
  }

  async function card({ client: { ws } }: BaseInteraction, caller: Caller, reader: Reader): Promise<Reply> {
    const share = shareButton(`status:${SHARE}`, reader);
    const undelivered = await problems(caller, reader);
    const status = await controls.status();
    if (!caller.scope) return { ...statusCard(status, { undelivered, pingMs: ws.ping >= 0 ? ws.ping : undefined }, reader), share };
    // Members of other servers see what belongs to their server.
    const own = status.accounts.filter(({ name }) => name === caller.server?.account).map((account) => accountLine(account, reader));
    const { title, accounts } = reader.texts.controls.health;
    return { ...embedReply({ title, fields: [{ name: accounts, value: own.join('\n') || '–' }, ...undelivered] }), share };
  }

  return {
    needs: 'operate',
    inServer: true,
    data: localize(new SlashCommandBuilder(), (texts) => texts.controls.status).toJSON(),
    run: (interaction, caller) => replyPrivately(interaction, card(interaction, caller, caller), clock),
    components: {
      [SHARE]: (interaction, _, caller) => showPage(interaction, caller, clock, (reader) => card(interaction, caller, reader)),
    },
  };
}

interface StatusDetails {
  readonly undelivered: readonly APIEmbedField[];
  /** The response time of the gateway; absent until the first heartbeat. */
  readonly pingMs: number | undefined;
}

function statusCard(status: Status, { undelivered, pingMs }: StatusDetails, reader: Reader): Reply {
  const { accounts, rules, deliveries, lagsMs, memoryBytes, hasGateway, startedAt, version } = status;
  const { health } = reader.texts.controls;
  const count = (value: number): string => numeral(value, reader);
  const process = [`Fanfare ${version}`, health.since(dateTime(startedAt)), health.memory(count(Math.round(memoryBytes / MEGABYTE)))];
  const gateway = pingMs === undefined ? health.connected : `${health.connected}, ${health.gatewayLag(timeSpan(pingMs, reader))}`;
  const lines = accounts.map((account) => accountLine(account, reader));
  return embedReply({
    title: health.title,
    fields: [
      { name: health.accounts, value: fitted(lines, MAX_FIELD_LENGTH, reader) },
      { name: health.rules, value: rulesLines(rules, reader).join('\n') },
      {
        name: health.deliveries,
        value: health.deliveryCounts(count(deliveries.open), count(deliveries.failed), count(deliveries.unknown)),
      },
      ...undelivered,
      { name: health.lag, value: lagLine(lagsMs, reader) },
      { name: health.gateway, value: hasGateway ? gateway : health.noGateway },
      { name: health.process, value: process.join(' · ') },
    ],
  });
}

function rulesLines({ on, paused, broken, version }: Status['rules'], reader: Reader): readonly string[] {
  const { health } = reader.texts.controls;
  const counts = health.ruleCounts(numeral(on, reader), numeral(paused, reader), broken);
  if (!version) return [counts];
  return [counts, health.version(numeral(version.number, reader), dateTime(version.publishedAt), escaped(version.by, 60))];
}

/** A Discord account can be connected although its last request failed. */
function accountLine({ name, platform, state, problem, fault }: AccountView, { texts: { controls, reasons } }: Reader): string {
  const on = name === platform ? '' : ` (${platform})`;
  const reason = problem === undefined ? '' : `\n-# ${escaped(reasons.account({ problem, fault }), 300)}`;
  const shown = controls.health[state === 'failed' && fault !== undefined ? 'requestFailed' : state];
  return `${ICONS[state]} **${escaped(name, 60)}**${on}: ${shown}${reason}`;
}

function lagLine(lagsMs: readonly number[], reader: Reader): string {
  const { health } = reader.texts.controls;
  const sorted = lagsMs.toSorted((a, b) => a - b);
  const [median, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (median === undefined || longest === undefined) return health.noLag;
  return health.lags(timeSpan(median, reader), timeSpan(longest, reader), sorted.length);
}
