import type { ScenarioKind } from '#src/queries/preview-view.ts';
import type { DeliveryState } from '#src/queries/records.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { Section } from '#src/rules/firing.ts';
import type { CaseMessages } from '#src/rules/testing/format-case.ts';
import { pluralIn } from '../plural.ts';

/** The headings of the scenarios of a preview. */
const scenes: Readonly<Record<ScenarioKind, (name: string | undefined) => string>> = {
  goesLive: (name = 'A stream') => `${name} goes live`,
  enters: (name = 'An item') => `${name} enters the list`,
  isNew: (name = 'An item') => `${name} is new`,
  comes: (name = 'An item') => `${name} comes`,
  isThere: (name = 'An item') => `${name} is there`,
  leaves: (name = 'An item') => `${name} leaves`,
  moves: (name = 'An item') => `${name} moves`,
  changes: (name = 'An item') => `${name} changes`,
  rises: (name = 'An item') => `${name} rises`,
  falls: (name = 'An item') => `${name} falls`,
  slot: () => 'At each poll',
  time: () => 'At the scheduled time',
  stays: (name = 'An item') => `${name} is still there`,
  ends: (name = 'An item') => `${name} is gone`,
  quietEnds: () => 'When the quiet hours end',
};

/** The preview of a rule. */
const previewing = {
  title: (rule: string) => `Preview: ${rule}`,
  nothingSent: 'Nothing was sent. Ids and addresses of new messages are placeholders.',
  noUser: (user: string, account: string) => `There is no user ${user} on ${account}. Correct the name in the rule.`,
  read: (count: string, counted: string) => `${count} read, ${counted} of them match this rule.`,
  madeUp: 'The list is empty: the preview uses an example item.',
  failed: (why: string) => `The poll failed: ${why}`,
  nothing: 'The rule would announce nothing.',
  silent: (why: string) => `Not announced: ${why}`,
  cut: '`fanfare preview` shows the rest.',
  scenes,
  toMessage: 'edits the message',
  asked: 'read now',
  failedStep: (why: string) => `Not possible: ${why}`,
  skippedStep: (why: string) => `Skipped: ${why}`,
  shortened: 'The text is too long and is cut.',
  file: (path: string, why: string) => `The file ${path} cannot be sent: ${why}`,
  length: (length: string, most: string) => `${length} of ${most} characters`,
  lengthOf: (field: string, length: string, most: string) => `${field}: ${length} of ${most} characters`,
  pings: (names: string) => `pings ${names}`,
  onlyText: (names: string) => `no ping, only text: ${names}`,
  picture: 'picture',
};

const plural = pluralIn('en');

const outcomes: Readonly<Record<Outcome, string>> = {
  fired: 'announced',
  silent: 'not announced',
  refused: 'refused',
  held: 'deferred',
  waiting: 'waiting',
  closed: 'closed',
  quiet: 'no news',
  failed: 'failed',
};

const states: Readonly<Record<DeliveryState, string>> = {
  pending: 'waiting',
  sending: 'being sent',
  asked: 'waiting for an answer',
  sent: 'sent',
  failed: 'failed',
  unknown: 'unknown',
  skipped: 'not sent',
};

/** The commands of operators. */
export const controls = {
  outcomes,
  states,
  rules: { name: 'rules', description: 'Show and control the rules' },
  list: { name: 'list', description: 'List all rules, running rules first' },
  show: { name: 'show', description: 'Show the schedule, the steps and the requests of a rule' },
  why: { name: 'why', description: 'Show the last decisions of a rule and their reasons' },
  pause: { name: 'pause', description: 'Stop the announcements of a rule until it is resumed' },
  resume: { name: 'resume', description: 'Resume a rule that is paused or whose fuse blew' },
  run: { name: 'run', description: 'Run a rule now and send its announcements' },
  preview: { name: 'preview', description: 'Show what a rule would send now; nothing is sent' },
  test: { name: 'test', description: 'Run the tests of a rule' },
  deliveries: { name: 'deliveries', description: 'List the deliveries, failed and unknown ones first' },
  resolve: { name: 'resolve', description: 'Resolve a delivery with an unknown outcome' },
  status: { name: 'status', description: 'Show the state of accounts, rules, deliveries and memory' },
  whyMessage: 'Why?',
  options: {
    rule: { name: 'rule', description: 'The rule' },
    item: { name: 'item', description: 'Only decisions about this streamer or item; without a rule, of all rules' },
    public: { name: 'public', description: 'Show the answer to everyone in the channel' },
    state: { name: 'state', description: 'Only deliveries in this state' },
    delivery: { name: 'delivery', description: 'The delivery' },
    outcome: { name: 'outcome', description: 'What happened to the delivery' },
  },
  resolution: { sent: 'It was sent', again: 'It was not sent: send it again' },

  buttons: {
    pause: 'Pause',
    resume: 'Resume',
    why: 'Why?',
    preview: 'Preview',
    show: 'Show the rule',
    run: 'Run it now',
    resend: 'Resend',
    leave: 'Do not run it',
  },

  errors: {
    noRule: (typed: string) => `There is no rule “${typed}”. Pick one from the list that appears while you type.`,
    manyRules: (name: string, some: string) => `“${name}” stands for several rules. Pick one of them: ${some}.`,
    ruleOrItem: 'Enter a rule, an item, or both.',
    noRules: 'There are no rules yet: put a YAML file into the rules folder.',
    noDelivery: 'This delivery does not exist. `/deliveries` lists all deliveries.',
    isStopped: 'The rule of this delivery is paused or deleted. Resume it first.',
    notUnknown: (state: string) => `This delivery needs no resolution: its state is “${state}”.`,
    notOn: (rule: string) => `${rule} is off, so it cannot run. Set “enabled: true” in its file.`,
    runPassed: 'This question is closed: it was answered, or the bot was restarted. Run the command again.',
    notRun: (rule: string) => `${rule} could not run. The log of the bot has the reason.`,
  },

  /** Why a delivery cannot be sent again. */
  notResent: {
    state: (state: string) => `Only a failed delivery can be sent again. The state of this one is “${state}”.`,
    paused: 'The rule of this delivery is paused. Resume it first.',
    ruleGone: 'The rule of this delivery was deleted.',
    ruleOff: 'The rule of this delivery is off. Set “enabled: true” in its file first.',
    stepGone: 'The rule no longer has this step through this account.',
    superseded: 'This is an edit of an open card: the next poll edits the card.',
    tooOld: 'This delivery failed more than 7 days ago, so it cannot be sent again.',
    otherRecord: 'The platform created something else than requested. Delete it there if you do not want it.',
  },

  rule: {
    on: 'on',
    off: 'off',
    offInSandbox: 'runs only in the sandbox',
    broken: 'broken',
    failing: 'on, but it cannot send everything',
    asBefore: 'on, with the last version of its file without errors',
    pausedBy: (by: string, when: string) => `paused by ${by} ${when}`,
    blown: (when: string) => `paused: its fuse blew ${when}`,
    next: (when: string) => `next run ${when}`,
    never: 'will not run again',
    every: (time: string) => `every ${time}`,
    cron: (cron: string, zone: string) => `at \`${cron}\` (${zone})`,
    once: (when: string) => `once, ${when}`,
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
    nothingWatched: 'Nothing: it runs on its schedule.',
    does: 'Steps',
    sections: { happens: 'when it happens', lasts: 'while it lasts', ends: 'at the end', collected: 'after the quiet hours' },
    step: (verb: string, accounts: string) => `${verb} through ${accounts}`,
    waits: (time: string) => `after ${time}`,
    requests: (figure: string, count: number) => `${figure} ${plural(count, 'request', 'requests')} a minute`,
    shared: (count: number) => plural(count, 'shared with another rule', `shared with ${count} other rules`),
    account: (account: string, used: string, allowed: string | undefined) =>
      allowed === undefined
        ? `all rules: ${used} requests a minute to ${account}`
        : `all rules: ${used} of ${allowed} requests a minute to ${account}`,
    holds: 'Limits',
    quiet: (from: string, to: string, zone: string) => `quiet hours ${from}–${to} (${zone})`,
    quietNow: (until: string) => `now, until ${until}`,
    cooldownItem: (time: string) => `at most once in ${time} for each item`,
    cooldownRule: (time: string) => `at most once in ${time}`,
    fuse: (firings: string, time: string) => `fuse at ${firings} firings in ${time}`,
    open: 'Open episodes',
    follows: (count: string) => `${count} at the moment, the latest:`,
    follow: (name: string, since: string) => `${name}, began ${since}`,
    nobody: 'none',
    problems: 'Problems in its file',
    deliveries: 'Failed or unknown',
    last: 'Last decisions',
  },

  reasons: {
    title: (rule: string) => `Why: ${rule}`,
    none: 'There are no decisions yet.',
    noneAbout: (item: string) => `There is no stored decision about ${item}.`,
    namesItem: (item: string) => `names ${item}`,
    sawItem: (item: string) => `has seen ${item}`,
    episodeIsOpen: 'an episode is open',
    ruleIsPaused: 'paused',
    ruleWasRemoved: (when: string) => `This rule was deleted or renamed: Fanfare removed it ${when}.`,
    ruleIsNotLoaded: (lastRun: string) => `This rule is no longer in the rules folder. It last ran ${lastRun}.`,
    unwatched: (item: string) =>
      `No rule watches ${item}: no rule names it, and no rule has seen it. A rule for ${item} needs \`watch\` with this name, for example \`when: { watch: streaming.getStreams, with: { users: […] } }\`.`,
    listsWithout: (item: string) => `These rules watch lists that have not contained ${item}:`,
    kept: 'Fanfare stores the last 50 decisions of each kind.',
  },

  paused: (rules: string) => `${rules}: paused. Open cards are still updated; pending announcements are not sent.`,
  pausedAlready: (rule: string) => `${rule} is already paused.`,
  resumed: (rules: string) => `${rules}: resumed. Announcements from the pause are not sent.`,
  notPaused: (rule: string) => `${rule} is not paused.`,

  running: {
    question: (rule: string) => `**Run ${rule} now?** It polls at once and sends its announcements.`,
    speaks: (where: string) => `It can post through ${where}.`,
    paused: 'It is paused: it polls, but announces nothing.',
    at: 'Running …',
    left: 'The rule was not run.',
    done: (rule: string, steps: string) => `**${rule} was run.** Steps sent now: ${steps}.`,
    more: (count: string) => `… and ${count} more decisions: \`/rules why\``,
  },

  /** A channel or role that cannot be used. */
  targetProblem: (why: string) => `Problem in Discord: ${why}`,

  previewing,

  testing: {
    title: (rule: string) => `Tests: ${rule}`,
    passed: (count: string) => `${count} passed`,
    failed: (count: string) => `${count} failed`,
    none: 'This rule has no tests: there is no .test.yaml file beside its file.',
    broken: 'Its tests cannot be read:',
    first: 'The first failed test:',
    ofCase: undefined as CaseMessages | undefined, // the messages of the rules are English
  },

  delivering: {
    title: 'Deliveries',
    none: 'There are no deliveries.',
    post: (by: string) => `post by ${by}`,
    attempts: (count: string) => `${count} attempts`,
    edited: (count: string, last: string) => `edited ${count} times, last ${last}`,
    failedEdits: (count: string, last: string) => `${count} edits, last ${last}`,
    resent: (by: string, when: string) => `sent again by ${by} ${when}`,
    open: 'open',
    unknown: 'It is unknown whether this was sent. Check the platform, then click a button.',
    isSent: (what: string) => `${what}: marked as sent.`,
    isAgain: (what: string) => `${what}: Fanfare sends it again.`,
  },

  health: {
    title: 'Status',
    accounts: 'Accounts',
    connected: 'connected',
    connecting: 'connecting',
    failed: 'not connected',
    requestFailed: 'the last request failed',
    rules: 'Rules',
    ruleCounts: (on: string, paused: string, broken: number) =>
      `${on} on, ${paused} of them paused; ${broken} ${plural(broken, 'file', 'files')} with errors`,
    version: (number: string, at: string, by: string) => `Version ${number}, published ${at} by ${by}`,
    deliveries: 'Deliveries',
    deliveryCounts: (open: string, failed: string, unknown: string) => `${open} open, ${failed} failed, ${unknown} unknown`,
    lag: 'Lag',
    lags: (usual: string, longest: string, count: string) => `usually ${usual}, at most ${longest} (the last ${count} deliveries)`,
    noLag: 'nothing sent yet',
    process: 'Process',
    memory: (megabytes: string) => `${megabytes} MB`,
    since: (when: string) => `up since ${when}`,
    gateway: 'Discord',
    gatewayLag: (time: string) => `answers in ${time}`,
    noGateway: 'commands arrive over HTTP',
  },

  message: {
    written: 'Written',
    lastChange: 'Last change',
    why: 'Why',
    lag: 'Lag',
    step: (name: string, verb: string, account: string) => `${name}: ${verb} through ${account}`,
    seen: (slot: string, sent: string) => `seen ${slot}, sent ${sent}`,
    took: (time: string) => `${time} from the poll to the message`,
    began: (when: string, time: string) => `the event began ${when}: seen ${time} later`,
    waited: 'not counting the delays that the rule sets',
    edits: 'Edits',
    edited: (count: string, when: string) => `${count} stored, last ${when}`,
    keepsUp: 'The rule keeps the message up to date.',
    forgotten: 'The decision was deleted: Fanfare stores the last 50 of each rule.',
    isGone: 'This rule no longer exists.',
    byPerson: (person: string) => `${person} wrote this, not a rule.`,
    byPost: (by: string, when: string) => `${by} posted this ${when}. No rule wrote it.`,
    byAssistant: 'The assistant wrote this, not a rule.',
    byCommand: (person: string) => `This is the answer to a command of ${person}.`,
    byBot: 'No known rule wrote this. Fanfare stores deliveries for 90 days.',
  },

  /** The name of a step without an id; `position` counts from 1. */
  stepPosition: (section: Section, position: number) => `${section === 'then' ? '' : `${section} `}step ${position}`,

  more: (count: string) => `… and ${count} more`,
};
