import type { MetricDeclaration } from './records.ts';

const STATES = '`pending`, `sending`, `asked`, `sent`, `failed`, `unknown` or `skipped`';
const OUTCOMES = '`fired`, `suppressed`, `deferred`, `waiting`, `closed`, `unchanged` or `failed`';

const ACCOUNT = 'The name of the account.';
const PLATFORM = 'The platform of the account.';
const FAULTS = 'a fault of the platform, for example `unavailable` or `rateLimited`';

/** All metrics by name, in the order of `/metrics`. */
export const METRICS = {
  fanfare_ready: {
    type: 'gauge',
    help: '1 if Fanfare can run rules and deliver announcements, otherwise 0; /readyz has the reason.',
    unit: '0 or 1',
    labels: {},
    meaning: 'Alert if it is 0 for several minutes.',
  },
  fanfare_rules: {
    type: 'gauge',
    help: 'The number of running rules.',
    unit: 'rules',
    labels: {},
    meaning: 'An instance of `each` is a rule. Paused rules count; rules with `enabled: false` do not.',
  },
  fanfare_rules_paused: {
    type: 'gauge',
    help: 'Rules that are paused by a person or by their fuse.',
    unit: 'rules',
    labels: {},
    meaning: '`fanfare resume <rule>` resumes a rule.',
  },
  fanfare_rules_failing: {
    type: 'gauge',
    help: 'Running rules whose last poll failed.',
    unit: 'rules',
    labels: {},
    meaning: 'Paused rules do not count. The line `a poll failed` of the log names the rules, and `fanfare explain <rule>` shows why.',
  },
  fanfare_rule_files_broken: {
    type: 'gauge',
    help: 'Rule files with errors. If a file had no errors before, its last valid version still runs.',
    unit: 'files',
    labels: {},
    meaning: 'Above 0, run `fanfare check`.',
  },
  fanfare_deliveries: {
    type: 'gauge',
    help: 'Deliveries that are kept, by state.',
    unit: 'deliveries',
    labels: { state: `The state: ${STATES}. Every state has a sample.` },
    meaning:
      'Fanfare deletes old deliveries, so the value can fall. `unknown` waits for `fanfare resolve`. `failed` deliveries are not on the platform. `sent` does not count steps that only read.',
  },
  fanfare_decisions: {
    type: 'gauge',
    help: 'Decisions that are kept, by rule and outcome.',
    unit: 'decisions',
    labels: {
      rule: 'The id of the rule; `post` for posts of people.',
      outcome: `The outcome: ${OUTCOMES}.`,
    },
    meaning: 'Fanfare deletes old decisions, so the value can fall. `failed` counts polls that failed. Removed rules have no samples.',
  },
  fanfare_worker_info: {
    type: 'gauge',
    help: 'The id, the role and the version of this process. The value is always 1.',
    unit: '',
    labels: {
      worker: 'The id of the process, as in its log lines.',
      role: 'The role of the process: `all`, `worker`, `gateway` or `web`.',
      version: 'The version of Fanfare.',
    },
    meaning: 'Join it with `on (instance) group_left (worker)` to show the worker of another metric.',
  },
  fanfare_database_up: {
    type: 'gauge',
    help: '1 if the database answers, otherwise 0; /readyz has the reason.',
    unit: '0 or 1',
    labels: {},
    meaning: 'While it is 0, Fanfare waits and loses nothing. Metrics that need the database have no samples then. With SQLite, it is 1.',
  },
  fanfare_slots_open: {
    type: 'gauge',
    help: 'Slots of rules that are due or run, and are not committed yet.',
    unit: 'slots',
    labels: {},
    meaning: 'All rules of the installation count, so each worker shows the same value. A value that grows means that polls take too long.',
  },
  fanfare_slot_commit_seconds: {
    type: 'histogram',
    help: 'The time from the instant of a slot to its commit, for the slots that this process ran.',
    unit: 'seconds',
    labels: {},
    meaning: 'It contains the wait for the poll. The first slot after a downtime counts from its planned instant.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  },
  fanfare_notice_delay_seconds: {
    type: 'histogram',
    help: 'The time from the start of a stream or the creation of a post, as the platform reports it, to the commit of its announcement.',
    unit: 'seconds',
    labels: { platform: PLATFORM, noticed: 'Either `poll`, or `notification` if the platform notified Fanfare, which then polled.' },
    meaning:
      'For announcements of one item that this process decided. It contains the delay of the platform, the wait for the poll, `settle` and quiet hours, but not the request that sends it: see `fanfare_delivery_receipt_seconds`.',
    buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600],
  },
  fanfare_announcement_delay_seconds: {
    type: 'histogram',
    help: 'The time from the start of a stream or the creation of a post, as the platform reports it, to the receipt of its announcement.',
    unit: 'seconds',
    labels: { platform: PLATFORM, noticed: 'Either `poll`, or `notification` if the platform notified Fanfare, which then polled.' },
    meaning:
      'For each post or card of an announcement that this process decided and sent, without deliveries that have a wait. `platform` is the one of the stream or the post, not of the announcement.',
    buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600],
  },
  fanfare_poll_seconds: {
    type: 'histogram',
    help: 'The duration of polls, by account.',
    unit: 'seconds',
    labels: { platform: PLATFORM, account: ACCOUNT },
    meaning: 'Failed polls count too. A poll serves all rules with the same query.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  fanfare_poll_failures_total: {
    type: 'counter',
    help: 'Polls that failed, by account and fault.',
    unit: 'polls',
    labels: { platform: PLATFORM, account: ACCOUNT, fault: `Either ${FAULTS}, or \`other\`.` },
    meaning: 'The log has a line when a poll begins to fail, and a line when it works again.',
  },
  fanfare_deliveries_due: {
    type: 'gauge',
    help: 'Open deliveries whose time has come and that wait for no other one, by account.',
    unit: 'deliveries',
    labels: { account: ACCOUNT },
    meaning: 'The queue of the account. All deliveries of the installation count, so each worker shows the same value.',
  },
  fanfare_deliveries_due_oldest_seconds: {
    type: 'gauge',
    help: 'How long the oldest of these deliveries has been due.',
    unit: 'seconds',
    labels: { account: ACCOUNT },
    meaning: 'A delivery behind another one of its queue counts from its own time.',
  },
  fanfare_account_failing_seconds: {
    type: 'gauge',
    help: 'How long an account or its platform has failed, by account and access.',
    unit: 'seconds',
    labels: { account: ACCOUNT, access: 'Either `read` or `write`.' },
    meaning:
      'Only accounts that failed within two hours have a sample: 0 after one failure. Failures about a target, for example a deleted message, do not count.',
  },
  fanfare_lane_lease_age_seconds: {
    type: 'gauge',
    help: 'The time since this process took the lease of the lane of an account.',
    unit: 'seconds',
    labels: { account: ACCOUNT },
    meaning: 'Only for lanes of this process, with PostgreSQL. A worker gives a lane back after 30 s, or when its attempts have ended.',
  },
  fanfare_delivery_attempts_total: {
    type: 'counter',
    help: 'Attempts at deliveries that this process made, by account and outcome.',
    unit: 'attempts',
    labels: {
      account: ACCOUNT,
      outcome: `Either \`sent\`, \`postponed\`, \`shortened\` (repeated without an optional part), ${FAULTS}, or \`unsupported\`, \`invalid\`, \`defect\`.`,
    },
    meaning: 'A delivery has one attempt, unless it is retried.',
  },
  fanfare_webhooks_total: {
    type: 'counter',
    help: 'Requests to the webhooks of rules that this process answered, by webhook and answer.',
    unit: 'requests',
    labels: {
      webhook: 'The name of the webhook in `when`.',
      answer: 'Either `accepted`, or why the request was refused, for example `notProven`, `invalidPayload` or `tooManyRequests`.',
    },
    meaning: 'Requests to a name that no running rule has are not counted. `notProven` means a wrong or missing secret of the sender.',
  },
  fanfare_notifications_total: {
    type: 'counter',
    help: 'Notifications that this process received from a platform, by account and type. Repeated ones count.',
    unit: 'notifications',
    labels: { platform: PLATFORM, account: ACCOUNT, type: 'The type of the event at the platform, for example `stream.online`.' },
    meaning: 'Only the connected process receives notifications. `fanfare doctor` shows the connection.',
  },
  fanfare_notification_requests_total: {
    type: 'counter',
    help: 'Requests of platforms at the public address that this process answered, by account and answer.',
    unit: 'requests',
    labels: {
      platform: PLATFORM,
      account: ACCOUNT,
      answer:
        'Either `accepted`, `repeated` for a known notification, `challenge` or `ended` for a message about a subscription, `signature`, `timestamp`, `subscription` or `malformed` for a refused request, `tooMany`, or `notStored` if it could not be checked.',
    },
    meaning:
      'Refused requests bring no poll forward. Many of them with `signature` come from strangers, or from a platform that has an old secret.',
  },
  fanfare_hints_total: {
    type: 'counter',
    help: 'Hints of platforms that named what a running rule watches, by account.',
    unit: 'hints',
    labels: { platform: PLATFORM, account: ACCOUNT },
    meaning: 'Hints within 200 milliseconds bring a poll forward once. Events of Discord are hints too.',
  },
  fanfare_hinted_polls_total: {
    type: 'counter',
    help: 'Slots that hints brought forward, by account and result.',
    unit: 'slots',
    labels: {
      platform: PLATFORM,
      account: 'The account whose platform notified.',
      result: 'Either `change`, `none` if the hint led to nothing, or `failed` if the poll failed.',
    },
    meaning:
      'A poll that serves several rules counts for each of them, and one after hints of several accounts for each account. Repeated hints about the same change count as `none`.',
  },
  fanfare_requests_saved_estimate_total: {
    type: 'counter',
    help: 'An estimate of the requests that were not needed, by account and reason.',
    unit: 'requests',
    labels: {
      platform: PLATFORM,
      account: ACCOUNT,
      by: '`names`: the poll of a hint asked for the named channels only, not for the whole list. `rest`: a slot needed no poll, because the platform notifies and nothing changed.',
    },
    meaning: 'It assumes 100 names in each request, that each hint would otherwise have read the whole list, and that rules share polls.',
  },
  fanfare_delivery_reconciliations_total: {
    type: 'counter',
    help: 'Searches for the record of a lost attempt that this process made, by account and outcome.',
    unit: 'searches',
    labels: { account: ACCOUNT, outcome: 'Either `found`, `absent`, `later`, `unknown` or `failed`.' },
    meaning: 'They follow lost responses, ended processes and lost leases.',
  },
  fanfare_delivery_receipt_seconds: {
    type: 'histogram',
    help: 'The time from the commit of a delivery to its receipt, by account.',
    unit: 'seconds',
    labels: { account: ACCOUNT },
    meaning: 'Deliveries with a wait do not count. Retries and reconciliation do.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  },
  fanfare_budget_left_usd: {
    type: 'gauge',
    help: 'The rest of the money budget of an account in this calendar month.',
    unit: 'USD',
    labels: { account: ACCOUNT },
    meaning: 'Only accounts with `budgets.<account>.month` have a sample. All workers share the budget.',
  },
  fanfare_budget_usd: {
    type: 'gauge',
    help: 'The money budget of an account per calendar month (UTC).',
    unit: 'USD',
    labels: { account: ACCOUNT },
    meaning: 'From `fanfare.yaml`.',
  },
  fanfare_rate_limit_left_ratio: {
    type: 'gauge',
    help: 'The smallest rest of the rate limits that responses to an account stated, from 0 to 1.',
    unit: 'ratio',
    labels: { account: ACCOUNT },
    meaning: '1 if no response stated a limit whose window is open. At 0, requests wait for the next window.',
  },
  fanfare_rate_limit_waits_total: {
    type: 'counter',
    help: 'Requests of this process that had to wait for a rate limit, by account.',
    unit: 'requests',
    labels: { account: ACCOUNT },
    meaning: 'If it grows all the time, poll less often or use several accounts.',
  },
  fanfare_last_backup_time_seconds: {
    type: 'gauge',
    help: 'The time of the last successful `fanfare backup`, or 0.',
    unit: 'seconds since 1970',
    labels: {},
    meaning: 'With PostgreSQL, there is no sample. `time() - fanfare_last_backup_time_seconds` is the age of the backup.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Memory of the process.',
    unit: 'bytes',
    labels: {},
    meaning: 'The resident set size. With a sandbox in the process, it includes the sandbox.',
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'The start time of the process.',
    unit: 'seconds since 1970',
    labels: {},
    meaning: '`time() - process_start_time_seconds` is the uptime. A change shows a restart, or that the clock was set.',
  },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;

export type MetricName = keyof typeof METRICS;
