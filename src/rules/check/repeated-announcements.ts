import { canonical } from '#src/clients/operation/json.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { Report } from '#src/rules/document/report.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import { namesIn, unionOf } from '#src/rules/named-users.ts';
import type { Rule } from '#src/rules/rule.ts';
import { locate } from './locate.ts';

interface CheckedFile {
  readonly file: string;
  readonly source: string;
  readonly rules: readonly Rule[];
}

/** An announcement of a user in a channel, without a condition. */
interface Announcement {
  /** Equal for announcements of the same user in the same channel. */
  readonly key: string;
  readonly user: string;
  readonly channel: string;
}

/** Warns of two rules that announce the start of the same stream in the same channel, for example of a copied file. */
export function repeatedAnnouncements(files: readonly CheckedFile[]): readonly Diagnostic[] {
  const first = new Map<string, CheckedFile>();
  return files.flatMap((one) => {
    const announced = one.rules.flatMap(announcementsOf);
    const repeated = announced.find(({ key }) => first.has(key));
    const other = repeated && first.get(repeated.key);
    for (const { key } of announced) first.set(key, first.get(key) ?? one);
    if (!repeated || !other) return [];
    const report = new Report(one.file, one.source);
    const message = `${other.file} also announces ${repeated.user} in ${repeated.channel}: each stream is announced twice`;
    report.warning(locate(one, ['when', 'with']), 'repeated-announcement', message, 'remove one of the rules, or change its channel');
    return report.diagnostics;
  });
}

/** A condition, a later step or another delay is most likely another announcement. */
function announcementsOf({ enabled, watched, if: condition, quiet, then }: Rule): readonly Announcement[] {
  const isStart = watched?.kind === 'live' && watched.per === 'item' && watched.changes.some(({ kind }) => kind === 'entered');
  if (enabled === false || !watched || !isStart || watched.where || condition) return [];
  const union = watched.withOf ? undefined : unionOf({ verb: watched.verb, params: watched.with });
  const users = union ? namesIn(watched.with, union) : [];
  const targets = then.flatMap((step) => {
    const { channel } = step.with;
    if (step.do !== 'discord.send' || step.if !== undefined || step.afterMs !== undefined || typeof channel !== 'string') return [];
    return isTemplate(channel) ? [] : step.as.map((account) => ({ account, channel: channel.replace(/^#/u, '') }));
  });
  // One rule can announce in the hours in which the other one is quiet.
  const hours = quiet ? [quiet.fromMinute, quiet.toMinute, quiet.timezone] : [];
  return targets.flatMap(({ account, channel }) => {
    const shared = [enabled, hours, watched.accounts, watched.settleMs, account, channel.toLowerCase()];
    return users.map((user) => ({ user, channel, key: canonical([user, ...shared]) }));
  });
}
