import type { DeliveryState } from '#src/admin/queries/records.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { Section } from '#src/rules/firing.ts';
import type { CaseMessages } from '#src/engine/testing/format-case.ts';
import { pluralIn } from '#src/admin/language/plural.ts';
import { previewing } from './previewing.ts';

const plural = pluralIn('en');

const outcomes: Readonly<Record<Outcome, string>> = {
  fired: 'announced',
  suppressed: 'not announced',
  deferred: 'deferred',
  waiting: 'waiting',
  closed: 'closed',
  unchanged: 'unchanged',
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
  readStates: { sending: 'being read', sent: 'read', skipped: 'not read' },
  automation: { name: 'automation', description: 'Show and control the rules that announce automatically' },
  list: { name: 'list', description: 'List all rules, running rules first' },
  show: { name: 'show', description: 'Show the schedule, the steps and the requests of a rule' },
  why: { name: 'why', description: 'Show the last decisions of a rule and their reasons' },
  pause: { name: 'pause', description: 'Stop the announcements of a rule, until a time or until it is resumed' },
  resume: { name: 'resume', description: 'Resume a paused rule' },
  enable: { name: 'enable', description: 'Announce streamers that were followed in Discord again' },
  disable: { name: 'disable', description: 'Stop announcing streamers that were followed in Discord; the list stays' },
  remove: { name: 'remove', description: 'Remove streamers that were followed in Discord from the list' },
  run: { name: 'run', description: 'Run a rule now and send its announcements' },
  preview: { name: 'preview', description: 'Show what a rule would send now; nothing is sent' },
  test: { name: 'test', description: 'Run the tests of a rule' },
  deliveries: { name: 'deliveries', description: 'List the deliveries, failed and unknown ones first' },
  resolve: { name: 'resolve', description: 'Resolve a delivery with an unknown outcome' },
  status: { name: 'status', description: 'Show the state of accounts, rules, deliveries and memory' },
  whyMessage: 'Why this message?',
  options: {
    rule: { name: 'rule', description: 'The rule' },
    one: { name: 'streamer', description: 'Only this streamer; without it, all streamers of this server' },
    item: { name: 'item', description: 'Only decisions about this streamer or item; without a rule, of all rules' },
    state: { name: 'state', description: 'Only deliveries in this state' },
    delivery: { name: 'delivery', description: 'The delivery' },
    outcome: { name: 'outcome', description: 'What happened to the delivery' },
    from: { name: 'from', description: 'When the pause begins, for example “Friday 18:00”; without it, at once' },
    planned: { name: 'planned', description: 'Cancel the planned pauses instead; the default is no' },
    until: { name: 'until', description: 'When the rule resumes automatically, for example “tomorrow 9:00” or “in 2h”' },
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
    brokenFiles: (count: number) => `${count === 1 ? 'A file has' : `${count} files have`} errors: see \`/automation list\`.`,
    noLongerRule: (name: string | undefined) =>
      `${name === undefined ? 'The rule of this button no longer exists' : `There is no rule “${name}”`}: it was deleted or renamed, or its file has errors. \`/automation list\` shows all rules.`,
    manyRules: (name: string, some: string) => `“${name}” stands for several rules. Pick one of them: ${some}.`,
    ruleOrItem: 'Enter a rule, an item, or both.',
    noRules: 'No announcements yet. Use `/follow` to add a streamer.',
    noDelivery: 'This delivery does not exist. `/deliveries` lists all deliveries.',
    isStopped: 'The rule of this delivery is paused or deleted, or its item is muted. Resume the rule, or restore its file first.',
    notUnknown: (state: string) => `This delivery needs no resolution: its state is “${state}”.`,
    notOn: (rule: string) => `${rule} is off, so it cannot run. Set “enabled: true” in its file.`,
    onlyRuns: (when: string) => `This rule only runs ${when}, so this command cannot run it.`,
    pauseEndsFirst: (from: string, until: string) =>
      `This pause would begin ${from}, but end ${until}, which is not later. Enter the end with its date, for example \`December 24 18:00\`.`,
    runPassed: 'This question is closed: it was answered, or five minutes have passed. Run the command again.',
    notRun: (rule: string) => `${rule} could not run. The log of the bot has the reason.`,
  },

  /** Why a delivery cannot be sent again. */
  notResent: {
    state: (state: string) => `Only a failed delivery can be sent again. The state of this one is “${state}”.`,
    paused: 'The rule of this delivery is paused. Resume it first.',
    muted: 'The item of this delivery is muted until it ends.',
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
    plannedBy: (by: string, from: string) => `${by} planned a pause: it begins ${from}`,
    pausedAutomatically: (when: string, limit: string) => `Paused automatically ${when}: ${limit}`,
    limit: (firings: number, time: string) => `more than ${firings} ${plural(firings, 'announcement', 'announcements')} in ${time}`,
    hour: 'an hour',
    next: (when: string) => `next run ${when}`,
    never: 'will not run again',
    every: (time: string) => `every ${time}`,
    cron: (cron: string, zone: string) => `at \`${cron}\` (${zone})`,
    weeks: (every: number, from: string) => `every ${every} weeks from ${from}`,
    except: (dates: number, then: 'skip' | 'next') =>
      `except ${dates === 1 ? 'one date' : `${dates} dates`}${then === 'next' ? ' (then on the next day)' : ''}`,
    command: (name: string) => `when a member uses \`/${name}\``,
    webhook: (name: string) => `when the webhook \`${name}\` is received`,
    once: (when: string) => `once, ${when}`,
  },

  listing: {
    title: (count: string) => `Rules: ${count}`,
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  },

  card: {
    people: 'People',
    channels: 'Channel',
    text: 'Text',
    pings: 'Pings',
    noPings: 'No one',
    when: 'When',
    nextRuns: (runs: string) => `next: ${runs}`,
    watches: 'Watches',
    watched: (what: string, accounts: string) => `${what} through ${accounts}`,
    nothingWatched: 'Nothing: it runs on its schedule.',
    does: 'Steps',
    sections: { happens: 'when it happens', lasts: 'while it lasts', ends: 'at the end', collected: 'after the quiet hours' },
    step: (verb: string, accounts: string) => `${verb} through ${accounts}`,
    repeats: (time: string) => `every ${time}`,
    waits: (time: string) => `after ${time}`,
    shared: (count: number) => plural(count, 'shared with another rule', `shared with ${count} other rules`),
    holds: 'Limits',
    quiet: (from: string, to: string, zone: string) => `quiet hours ${from}–${to} (${zone})`,
    quietNow: (until: string) => `now, until ${until}`,
    cooldownItem: (time: string) => `at most once in ${time} for each item`,
    cooldownRule: (time: string) => `at most once in ${time}`,
    limit: (firings: number, time: string) => `at most ${firings} ${plural(firings, 'announcement', 'announcements')} in ${time}`,
    gather: (count: number) => `gathers up to ${count} ${plural(count, 'item', 'items')} for one announcement`,
    fuse: (firings: number, time: string) =>
      `pauses automatically after more than ${firings} ${plural(firings, 'announcement', 'announcements')} in ${time}`,
    values: 'Stored values',
    open: 'Open episodes',
    follows: (count: string) => `${count} at the moment, the latest:`,
    follow: (name: string, since: string) => `${name}, began ${since}`,
    nobody: 'none',
    problems: 'Problems in its file',
    deliveries: 'Open and notable deliveries',
    last: 'Last decisions',
  },

  reasons: {
    title: (rule: string) => `Why: ${rule}`,
    none: 'There are no decisions yet.',
    noneAbout: (item: string) =>
      `There is no stored decision about ${item}. If \`where\` or \`take\` left it out, only the last poll shows it.`,
    belowTake: (place: number, take: number) => `not announced: #${place} of the list, and the rule counts the first ${take} (\`take\`)`,
    namesItem: (item: string) => `names ${item}`,
    sawItem: (item: string) => `has seen ${item}`,
    episodeIsOpen: 'an episode is open',
    ruleIsPaused: 'paused',
    ruleWasRemoved: (when: string) => `This rule was deleted or renamed: Fanfare removed it ${when}.`,
    ruleIsNotLoaded: (lastRun: string) => `This rule is no longer in the rules folder. It last ran ${lastRun}.`,
    unwatched: (item: string) =>
      `No rule watches ${item}: no rule names it, and no rule has seen it. A rule for ${item} needs \`watch\` with this name, for example \`when: { watch: streaming.getStreams, with: { users: […] } }\`.`,
    listsWithout: (item: string) =>
      `These rules watch lists in which ${item} was not found. If \`where\` or \`take\` left it out, only the last poll shows it:`,
    kept: 'Fanfare stores the last 50 decisions of each kind.',
  },

  paused: (rules: string) => `${rules}: paused. Open cards are still updated; pending announcements are not sent.`,
  pausePlanned: (rules: string, from: string) => `${rules}: the pause begins ${from}.`,
  plannedAlready: (rule: string) => `${rule} has this planned pause already.`,
  plannedCancelled: (rules: string) => `${rules}: the planned pauses are cancelled.`,
  notPlanned: (rule: string) => `${rule} has no planned pause.`,
  cancelPlanned: 'To cancel planned pauses: `/automation resume` with `planned: True`.',
  resumesBy: (time: string) => `Resumes automatically: ${time}.`,
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
    more: (count: string) => `… and ${count} more: \`/automation why\``,
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
    failureNotice: (by: string) => `failure notice for a post by ${by}`,
    due: (when: string) => `due ${when}`,
    streamOver: 'the stream is over',
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
    undelivered: 'Not delivered',
    allDelivered: 'Everything was delivered.',
    lag: 'Lag',
    lags: (usual: string, longest: string, count: number) =>
      `usually ${usual}, at most ${longest} (${plural(count, 'the last delivery', `the last ${count} deliveries`)})`,
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
