import { pluralIn } from '#src/admin/language/plural.ts';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';

const plural = pluralIn('en');

/** Messages about problems in the chosen channel. */
export const alerts = {
  undelivered: (count: string, cause: string) => `⚠️ **${count} announcements need you**\n${cause}`,
  oneUndelivered: (cause: string) => `⚠️ **An announcement needs you**\n${cause}`,
  unknown: 'Look whether it was sent, and then use `/resolve`.',
  paused: (rule: string) => `⏸️ **${rule}** is paused, so it announces nothing. \`/automation resume\` resumes it.`,
  account: (account: string, problem: string) => `🔴 **${account}**: ${problem}`,
  expiring: (what: string, when: string) => `⏳ A question about **${what}** ends ${when} without an answer.`,
  changes: (day: string) => `📝 **Changes on ${day}**`,
  change: (time: string, person: string, what: string) => `-# ${time} ${person}: ${what}`,
  /** The settings of a server, in the list of changes. */
  settings: {
    language: 'language',
    zone: 'time zone',
    channel: 'channel for announcements',
    ping: 'role to ping',
    problemsChannel: 'channel for problems',
    liveRole: 'live role',
    announcements: 'announcements on or off',
    pings: 'roles of /pings',
    roles: 'permissions',
  } satisfies Readonly<Record<Exclude<keyof ServerSettings, 'id' | 'name' | 'locale' | 'joinedAt' | 'leftAt'>, string>>,
  /** Also of a question that ended without an answer, and of a failure that is a day old. */
  solved: '✅ Closed: nothing is left to do here',
  moved: (channel: string) => `➡️ Continues in ${channel}`,
  ended: (setup: string) => `🔕 Alerts are off in this server. ${setup} turns them on again.`,
  buttons: { fix: 'How to fix', retry: 'Retry' },
  fix: (setup: string) =>
    `Open ${setup}: it checks the channels and names missing permissions. Allow them, click “Check again”, and then click “Retry” below the alert. \`/deliveries\` lists what failed, with the reasons.`,
  retried: (count: number) => plural(count, '1 announcement is sent again.', `${count} announcements are sent again.`),
  notRetried: (count: number) =>
    plural(count, '1 cannot be sent again: `/deliveries` shows why.', `${count} cannot be sent again: \`/deliveries\` shows why.`),
  nothing: 'Nothing is left to send again.',
};
