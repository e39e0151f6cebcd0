import type { DeliveryState } from '#src/outbox/delivery.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { Section } from '#src/rules/firing.ts';
import type { CaseWords } from '#src/rules/testing/case-words.ts';
import { previewing } from './previewing.ts';

/** Where a number stands before a word. */
const ONE = '1';

const outcomes: Readonly<Record<Outcome, string>> = {
  fired: 'spoke',
  silent: 'noted in silence',
  refused: 'refused',
  held: 'held back',
  waiting: 'waiting',
  closed: 'closed',
  quiet: 'no news',
  failed: 'failed',
};

const states: Readonly<Record<DeliveryState, string>> = {
  pending: 'waiting',
  sending: 'under way',
  asked: 'asked',
  sent: 'sent',
  failed: 'failed',
  unknown: 'unknown',
  skipped: 'not sent',
};

/** The commands of those who run the rules. */
export const controls = {
  outcomes,
  states,
  rules: { name: 'rules', description: 'See what the rules do, and steer them' },
  list: { name: 'list', description: 'All rules, those that run first' },
  show: { name: 'show', description: 'What a rule does, when, and what that costs' },
  why: { name: 'why', description: 'What a rule decided last, and why' },
  pause: { name: 'pause', description: 'Let a rule say nothing more until it is resumed' },
  resume: { name: 'resume', description: 'Let a paused rule speak again, also one whose fuse blew' },
  run: { name: 'run', description: 'Run a rule now; what comes of it is really sent' },
  preview: { name: 'preview', description: 'What a rule would say now; nothing is sent' },
  test: { name: 'test', description: 'Run the tests beside the file of a rule' },
  deliveries: { name: 'deliveries', description: 'What was sent and what was not: failed and unknown first' },
  resolve: { name: 'resolve', description: 'Say what became of a delivery that nobody knows the end of' },
  status: { name: 'status', description: 'How the bot is: accounts, rules, deliveries, memory' },
  whyMessage: 'Why?',
  options: {
    rule: { name: 'rule', description: 'Which rule' },
    item: { name: 'item', description: 'Only what was decided about this one' },
    public: { name: 'public', description: 'Whether everybody in the channel sees the answer' },
    state: { name: 'state', description: 'Only those in this state' },
    delivery: { name: 'delivery', description: 'Which delivery' },
    outcome: { name: 'outcome', description: 'What became of it' },
  },
  wordSent: 'It is there',
  wordAgain: 'It is not: send it again',

  buttons: {
    first: 'First',
    back: 'Back',
    next: 'Next',
    pause: 'Pause',
    resume: 'Resume',
    why: 'Why?',
    preview: 'Preview',
    show: 'Show the rule',
    run: 'Run it now',
    leave: 'Leave it',
  },

  errors: {
    noRule: (typed: string) => `There is no rule “${typed}”. Pick one from the list that appears while you type.`,
    manyRules: (name: string, some: string) => `“${name}” stands for several rules. Pick one of them: ${some}.`,
    noRules: 'There are no rules yet: put a YAML file into the folder of the rules.',
    noDelivery: 'There is no such delivery any more. See which there are with `/deliveries`.',
    notUnknown: (state: string) => `Nobody has to say anything about this delivery: it is ${state}.`,
    notOn: (rule: string) => `${rule} is off, so it cannot be run. Whoever wrote it switches it on with “enabled: true”.`,
    runPassed: 'This question is closed: it was answered, or the bot was restarted. Give the command again.',
    notRun: (rule: string) => `${rule} could not be run; the log of the bot has the reason.`,
  },

  rule: {
    on: 'on',
    off: 'off',
    offInSandbox: 'runs in the sandbox only',
    broken: 'broken',
    asBefore: 'on, as before its file was broken',
    pausedBy: (by: string, when: string) => `paused by ${by} ${when}`,
    blown: (when: string) => `paused: its fuse blew ${when}`,
    next: (when: string) => `next run ${when}`,
    never: 'does not run again',
    every: (time: string) => `every ${time}`,
    cron: (cron: string, zone: string) => `at \`${cron}\` (${zone})`,
    once: (when: string) => `once, ${when}`,
    nothingYet: 'has not decided anything yet',
  },

  listing: {
    title: (count: string) => `Rules: ${count}`,
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  },

  card: {
    when: 'When',
    nextRuns: (runs: string) => `next: ${runs}`,
    watches: 'Watches',
    watched: (what: string, accounts: string) => `${what} through ${accounts}`,
    nothingWatched: 'Nothing: it speaks at its times.',
    does: 'Does',
    sections: { happens: 'when it happens', lasts: 'while it lasts', ends: 'at the end', collected: 'after the quiet hours' },
    step: (verb: string, accounts: string) => `${verb} through ${accounts}`,
    waits: (time: string) => `after ${time}`,
    cost: 'Costs',
    requests: (count: string) => `${count} ${count === ONE ? 'request' : 'requests'} a minute`,
    free: 'no requests',
    shared: (count: string) => (count === ONE ? 'together with another rule' : `together with ${count} other rules`),
    account: (account: string, used: string, allowed: string | undefined) =>
      allowed === undefined
        ? `all rules ask ${account} ${used} times a minute`
        : `all rules ask ${account} ${used} times a minute, ${allowed} are allowed`,
    holds: 'Holds it back',
    quiet: (from: string, to: string, zone: string) => `quiet hours ${from}–${to} (${zone})`,
    quietNow: (until: string) => `now, until ${until}`,
    cooldownItem: (time: string) => `at most once in ${time} for each`,
    cooldownRule: (time: string) => `at most once in ${time}`,
    fuse: (firings: string, time: string) => `fuse at ${firings} firings in ${time}`,
    open: 'Follows now',
    follows: (count: string) => `${count} at the moment, the latest:`,
    follow: (name: string, since: string) => `${name}, began ${since}`,
    nobody: 'nobody',
    problems: 'Wrong in its file',
    deliveries: 'Not sent, or not known to be',
    last: 'Decided last',
  },

  reasons: {
    title: (rule: string) => `Why: ${rule}`,
    none: 'Nothing was decided yet.',
    noneAbout: (item: string) => `No decision about ${item} is kept.`,
    kept: 'Of each kind the last 50 decisions are kept.',
  },

  paused: (rules: string) =>
    `${rules}: says nothing more until it is resumed. What is open is still edited; what was about to be said is not.`,
  pausedAlready: (rule: string) => `${rule} was paused already.`,
  resumed: (rules: string) => `${rules}: speaks again. What happened while it was paused is not made up for.`,
  notPaused: (rule: string) => `${rule} is not paused.`,

  running: {
    question: (rule: string) => `**Run ${rule} now?** It looks at once, and what comes of it is really sent.`,
    speaks: (where: string) => `It may speak through ${where}.`,
    paused: 'It is paused: it looks, and says nothing.',
    at: 'It is being run …',
    left: 'It was not run.',
    done: (rule: string, steps: string) => `**${rule} was run.** Steps that go out now: ${steps}.`,
    more: (count: string) => `… and ${count} more decisions: \`/rules why\``,
  },

  previewing,

  testing: {
    title: (rule: string) => `Tests: ${rule}`,
    passed: (count: string) => `${count} passed`,
    failed: (count: string) => `${count} failed`,
    none: 'There are no tests beside its file.',
    broken: 'Its tests cannot be read:',
    first: 'The first that failed:',
    /** The rules' own words are English. */
    ofCase: undefined as CaseWords | undefined, // other languages have some
  },

  delivering: {
    title: 'Deliveries',
    none: 'There are none.',
    post: (by: string) => `post by ${by}`,
    attempts: (count: string) => `${count} attempts`,
    edited: (count: string, last: string) => `edited ${count} times, last ${last}`,
    open: 'open it',
    unknown: 'Nobody knows whether this was sent: look there, then say it.',
    isSent: (what: string) => `${what}: counts as sent.`,
    isAgain: (what: string) => `${what}: is sent again.`,
    pick: 'Choose one to say what became of it …',
  },

  health: {
    title: 'Status',
    accounts: 'Accounts',
    connected: 'connected',
    connecting: 'connecting',
    failed: 'not connected',
    rules: 'Rules',
    ruleCounts: (on: string, paused: string, broken: string) =>
      `${on} run, ${paused} of them paused; ${broken} ${broken === ONE ? 'file' : 'files'} with errors`,
    deliveries: 'Deliveries',
    deliveryCounts: (open: string, failed: string, unknown: string) => `${open} open, ${failed} failed, ${unknown} unknown`,
    lag: 'Lag',
    lags: (usual: string, longest: string, count: string) => `usually ${usual}, at most ${longest} (the last ${count})`,
    noLag: 'nothing was sent yet',
    process: 'Process',
    memory: (megabytes: string) => `${megabytes} MB`,
    since: (when: string) => `up since ${when}`,
    gateway: 'Discord',
    gatewayLag: (time: string) => `answers in ${time}`,
    noGateway: 'commands come over HTTP',
  },

  message: {
    rule: 'Rule',
    written: 'Written',
    lastChange: 'Changed last',
    why: 'Why',
    lag: 'Lag',
    step: (name: string, verb: string, account: string) => `${name}: ${verb} through ${account}`,
    seen: (slot: string, sent: string) => `seen ${slot}, here ${sent}`,
    took: (time: string) => `${time} from the look to the message`,
    began: (when: string, time: string) => `what it tells of began ${when}: seen ${time} later`,
    waited: 'a wait of the rule before it is not counted',
    edits: 'Edits',
    edited: (count: string, when: string) => `${count} that are kept, the last ${when}`,
    keepsUp: 'It keeps the message up to date.',
    forgotten: 'The decision is not kept any more: of each rule the last 50 are.',
    isGone: 'There is no such rule any more.',
    byPerson: (person: string) => `No rule wrote this: ${person} did.`,
    byPost: (by: string, when: string) => `No rule wrote this: ${by} had it posted, ${when}.`,
    byAssistant: 'No rule wrote this: it is an answer of the assistant.',
    byCommand: (person: string) => `No rule wrote this: it is the answer to a command of ${person}.`,
    byBot: 'No rule wrote this, as far as is known: what was sent is kept for 90 days.',
  },

  /** What a step without a name is called; `place` counts from 1. */
  stepPlace: (section: Section, place: number) => `${section === 'then' ? '' : `${section} `}step ${place}`,

  more: (count: string) => `… and ${count} more`,
};
