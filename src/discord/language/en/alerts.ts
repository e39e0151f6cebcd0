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
  webhook: (name: string, since: string) =>
    `🔴 The receiver of the webhook **${name}** did not accept an event of ${since}. Check it; Fanfare retries each event for 23 hours.`,
  webhookGone: (name: string) =>
    `🔴 The receiver has deleted the webhook **${name}** (HTTP 410), so Fanfare sends it no events. Correct or remove it in \`fanfare.yaml\`, then restart Fanfare.`,
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
  /** The remedies of failures. Retrying a delivery uses the values of its stream. */
  fix: {
    channel: (setup: string) =>
      `Open ${setup}: it checks the channels and names missing permissions. Allow them, click “Check again”, and then click “Retry” below the alert. \`/deliveries\` lists what failed, with the reasons.`,
    gone: (setup: string) =>
      `The channel was deleted. Choose another one in ${setup}, or with \`/follow edit\` if the streamer has another channel than the server. The next announcement uses it. \`/deliveries\` lists what failed, with the reasons.`,
    streamer: () =>
      'The settings of the streamer do not fit. Run `/follow edit` for the streamer, and correct the message, the color, the channel and the role. The next announcement uses them. `/deliveries` lists what failed, with the reasons.',
    content: () =>
      'The message cannot be sent in this form: the alert names the reason. Write a post of `/post` again. If a rule made the message, the operator of the bot corrects the rule; then click “Retry” below the alert.',
    account: () =>
      'The account is not allowed to send this, or its platform does not find what the message refers to. The operator of the bot checks the account: `/status` shows its state. Then click “Retry” below the alert.',
    wait: () => 'The platform did not answer, or had too many requests. Wait some minutes, and then click “Retry” below the alert.',
  },
  retried: (count: number) => plural(count, '1 announcement is sent again.', `${count} announcements are sent again.`),
  notRetried: (count: number) =>
    plural(count, '1 cannot be sent again: `/deliveries` shows why.', `${count} cannot be sent again: \`/deliveries\` shows why.`),
  streamsOver: (count: number) =>
    plural(
      count,
      '1 is not sent again, because its stream is over. `/deliveries` sends it if you still want it.',
      `${count} are not sent again, because their streams are over. \`/deliveries\` sends them if you still want them.`,
    ),
  nothing: 'Nothing is left to send again.',
};
