import type { AccountView, Status } from '#src/queries/records.ts';
import { SlashCommandBuilder } from 'discord.js';
import type { Reader } from '../caller.ts';
import { publicOption, replyToCommand, type ControlsOptions } from '../controls/command-reply.ts';
import { fitted } from '../controls/lines.ts';
import { localize } from '../language/languages.ts';
import { embedReply, type Reply } from '../reply.ts';
import { dateTime, numeral, timeSpan } from '../text/format.ts';
import { escaped } from '../text/untrusted-text.ts';
import type { SlashCommand } from '../command.ts';

const MAX_FIELD_LENGTH = 1_000;
const MEGABYTE = 1024 * 1024;
const ICONS: Readonly<Record<AccountView['state'], string>> = { connected: '🟢', connecting: '🟡', failed: '🔴' };

/** `/status`: the state of accounts, rules, deliveries and the process. */
export function statusCommand({ controls, clock }: ControlsOptions): SlashCommand {
  return {
    needs: 'operate',
    data: localize(new SlashCommandBuilder(), (texts) => texts.controls.status)
      .addBooleanOption(publicOption)
      .toJSON(),

    run: (interaction, caller) =>
      replyToCommand(interaction, caller, clock, async (reader) => {
        const { ping } = interaction.client.ws;
        return statusCard(await controls.status(), ping >= 0 ? ping : undefined, reader);
      }),
  };
}

/** `pingMs` is the response time of the gateway; absent until the first heartbeat. */
function statusCard(status: Status, pingMs: number | undefined, reader: Reader): Reply {
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
  return health.lags(timeSpan(median, reader), timeSpan(longest, reader), numeral(sorted.length, reader));
}
