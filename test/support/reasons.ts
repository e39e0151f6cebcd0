import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { ChangeDetail, Reason, GateSuppression, Suppression } from '#src/rules/reasons/reason.ts';

/** Examples of every kind. The compiler reports missing kinds. */
type OfEach<R extends { readonly kind: string }> = { readonly [K in R['kind']]: readonly (R & { readonly kind: K })[] };

const [MINUTE, HOUR] = [60_000, 3_600_000];

const falsehoods: OfEach<Falsehood> = {
  false: [
    { kind: 'false', clauses: [{ source: 'item.viewerCount > 5', values: [{ expression: 'item.viewerCount', value: '3' }] }] },
    {
      kind: 'false',
      clauses: [
        { source: 'item.mature', values: [] },
        { source: 'previous.rank > 1', values: [{ expression: 'previous.rank' }] },
      ],
    },
  ],
  error: [{ kind: 'error', source: 'item.rank / 0 > 1', error: 'x/0' }],
};

const refusals: OfEach<GateSuppression> = {
  paused: [{ kind: 'paused', by: 'Grace', agoMs: HOUR }],
  muted: [{ kind: 'muted', by: 'Grace', agoMs: HOUR }],
  if: flat(falsehoods).map((condition) => ({ kind: 'if', condition })),
  keepFailed: [{ kind: 'keepFailed', name: 'total', error: 'x/0' }],
  fuseBlown: [
    { kind: 'fuseBlown', agoMs: 50 * HOUR },
    { kind: 'fuseBlown', agoMs: 50 * HOUR, limit: 30, perMs: HOUR },
  ],
  fuseLimitReached: [
    { kind: 'fuseLimitReached', firings: 1, perMs: 24 * HOUR, limit: 1 },
    { kind: 'fuseLimitReached', firings: 30, perMs: HOUR, limit: 30 },
  ],
  cooldown: [
    { kind: 'cooldown', per: 'item', agoMs: 0, leftMs: HOUR },
    { kind: 'cooldown', per: 'rule', agoMs: MINUTE, leftMs: 25 * HOUR },
  ],
  quietHours: [{ kind: 'quietHours', fromMinute: 23 * 60, toMinute: 450, timezone: 'Europe/Berlin', leftMs: 5 * HOUR }],
  limitReached: [
    { kind: 'limitReached', limit: 1, perMs: HOUR, leftMs: MINUTE },
    { kind: 'limitReached', limit: 5, perMs: 24 * HOUR, leftMs: 5 * HOUR },
  ],
  modeSingle: [{ kind: 'modeSingle' }],
  queueFull: [
    { kind: 'queueFull', waiting: 1, limit: 1 },
    { kind: 'queueFull', waiting: 10, limit: 10 },
  ],
  parallelFull: [
    { kind: 'parallelFull', firings: 1, limit: 1 },
    { kind: 'parallelFull', firings: 2, limit: 2 },
  ],
};

const suppressedBys: OfEach<Suppression> = {
  ...refusals,
  alreadyInList: [{ kind: 'alreadyInList' }],
  notInChanges: [{ kind: 'notInChanges' }],
  deferredToQuietSteps: [{ kind: 'deferredToQuietSteps' }],
  endedInQuietHours: [{ kind: 'endedInQuietHours' }],
  deferredToLimitSteps: [{ kind: 'deferredToLimitSteps' }],
  endedAtLimit: [{ kind: 'endedAtLimit' }],
  olderThanMaxAge: [{ kind: 'olderThanMaxAge', ageMs: 2 * HOUR, maxAgeMs: HOUR }],
  beganDuringGap: [{ kind: 'beganDuringGap', agoMs: 3 * HOUR, maxAgeMs: HOUR, gapMs: 4 * HOUR }],
};

const happenings: OfEach<ChangeDetail> = {
  entered: [
    { kind: 'entered', standing: { rank: 3, viewers: 1_740 } },
    { kind: 'entered', standing: {} },
  ],
  left: [{ kind: 'left' }],
  moved: [
    { kind: 'moved', direction: 'up', from: 5, to: 2 },
    { kind: 'moved', direction: 'down' },
  ],
  changed: [
    { kind: 'changed', fields: [{ field: 'game.name', value: '"Go"', previous: '"Chess"' }] },
    { kind: 'changed', fields: [{ field: 'title', previous: '"1"' }, { field: 'mature' }] },
  ],
  rose: [
    { kind: 'rose', field: 'viewerCount', thresholds: [100, 1_000], value: 1_200, previous: 90 },
    { kind: 'rose', field: 'viewerCount', thresholds: [1_200], every: 100, value: 1_200, previous: 90 },
  ],
  fell: [{ kind: 'fell', field: 'viewerCount', thresholds: [100] }],
};

const name = 'Ada';
const standing = { rank: 1, viewers: 1 };
const blocks = flat(refusals).flatMap((by) => [{ kind: 'suppressed', by } as const, { kind: 'deferred', by } as const]);
const excluded = {
  kind: 'filteredOut',
  count: 5,
  named: flat(falsehoods).map((condition) => ({ name, condition })),
} as const;

const partlyFailed = {
  kind: 'pollPartlyFailed',
  count: 3,
  parts: [
    { account: 'twitch', names: { count: 4, names: [name] }, failure: 'rejected: invalid name', fault: 'rejected' },
    { account: 'kick', isWhole: true, failure: 'unavailable: it answered 503', fault: 'unavailable' },
    { account: 'mastodon', failure: 'row 2 cannot be read' },
  ],
} as const;

/** Reasons of decisions, of every kind and with all fields. */
const decisionReasons: OfEach<Reason> = {
  pollFailed: [
    { kind: 'pollFailed' },
    { kind: 'pollFailed', failure: '503' },
    { kind: 'pollFailed', failure: 'unavailable: 503', fault: 'unavailable' },
  ],
  missingKey: [
    { kind: 'missingKey' },
    { kind: 'missingKey', items: { count: 1, named: [{ name }] } },
    { kind: 'missingKey', items: { count: 5, named: [{ name }, { name, error: 'substring(99)' }] } },
  ],
  everyReached: [
    { kind: 'everyReached', name, everyMs: HOUR, multipleMs: HOUR },
    { kind: 'everyReached', name, everyMs: HOUR, multipleMs: 24 * HOUR, missed: 1 },
    ...blocks.map((block) => ({ kind: 'everyReached', name, everyMs: HOUR, multipleMs: 3 * HOUR, missed: 2, block }) as const),
  ],
  scheduledRun: [{ kind: 'scheduledRun' }, ...blocks.map((block) => ({ kind: 'scheduledRun', block }) as const)],
  commandUsed: [
    { kind: 'commandUsed', command: 'schedule', by: name },
    ...blocks.map((block) => ({ kind: 'commandUsed', command: 'schedule', by: name, block }) as const),
  ],
  webhookReceived: [
    { kind: 'webhookReceived', webhook: 'kofi' },
    ...blocks.map((block) => ({ kind: 'webhookReceived', webhook: 'kofi', block }) as const),
  ],
  waiting: [
    { kind: 'waiting', name, standing, settleMs: MINUTE },
    { kind: 'waiting', name, standing, settleMs: MINUTE, seen: { count: 1, of: 3 } },
  ],
  settling: flat(happenings).map((change) => ({ kind: 'settling', name, change, settleMs: MINUTE })),
  missing: [
    { kind: 'missing', name, missing: { polls: { count: 1, of: 2 }, graceMs: HOUR } },
    ...flat(falsehoods).map((condition) => ({ kind: 'missing', name, missing: { graceMs: HOUR }, filteredOut: condition }) as const),
  ],
  returned: [{ kind: 'returned', name, standing, awayMs: 49 * HOUR }],
  leftBeforeOpening: [
    { kind: 'leftBeforeOpening', name, seenMs: MINUTE },
    ...flat(falsehoods).map((condition) => ({ kind: 'leftBeforeOpening', name, seenMs: MINUTE, filteredOut: condition }) as const),
  ],
  opened: flat(suppressedBys).map((suppressedBy) => ({ kind: 'opened', name, standing, suppressedBy })),
  itemChanged: [
    ...flat(happenings).map((change) => ({ kind: 'itemChanged', name, change }) as const),
    { kind: 'itemChanged', name, change: { kind: 'left' }, gathered: 3 },
    ...blocks.map((block) => ({ kind: 'itemChanged', name, change: { kind: 'left' }, block }) as const),
  ],
  itemsChanged: [
    {
      kind: 'itemsChanged',
      changes: (['entered', 'left', 'moved', 'changed', 'rose', 'fell'] as const).map((change) => ({ change, count: 7, names: [name] })),
    },
    ...blocks.map((block) => ({ kind: 'itemsChanged', changes: [{ change: 'left', count: 1, names: [name] }], block }) as const),
  ],
  limitEnded: [
    ...[1, 3].map((changes) => ({ kind: 'limitEnded', changes }) as const),
    { kind: 'limitEnded', changes: 2, suppressedBy: { kind: 'muted', by: 'Grace', agoMs: HOUR } },
    { kind: 'limitEnded', changes: 2, block: { kind: 'deferred', by: { kind: 'paused', by: 'Grace', agoMs: HOUR } } },
  ],
  gathered: [
    { kind: 'gathered', changes: 1, by: 'time' },
    { kind: 'gathered', changes: 5, by: 'count' },
    { kind: 'gathered', changes: 5, by: 'count', suppressedBy: { kind: 'fuseLimitReached', firings: 30, perMs: HOUR, limit: 30 } },
    { kind: 'gathered', changes: 5, by: 'count', block: { kind: 'deferred', by: { kind: 'paused', by: 'Grace', agoMs: HOUR } } },
  ],
  closed: [
    { kind: 'closed', name, live: true, seenMs: HOUR, standing },
    ...flat(falsehoods).map(
      (condition) => ({ kind: 'closed', name, live: false, seenMs: HOUR, standing, filteredOut: condition }) as const,
    ),
    ...flat(suppressedBys).map((suppressedBy) => ({ kind: 'closed', name, live: false, seenMs: HOUR, standing, suppressedBy }) as const),
  ],
  removedByEdit: [{ kind: 'removedByEdit', name, seenMs: HOUR }],
  removedFromEach: [{ kind: 'removedFromEach', name, seenMs: HOUR }],
  baseline: [
    { kind: 'baseline', isNew: true, found: { count: 1, names: [name] } },
    { kind: 'baseline', isNew: false, found: { count: 9, names: [name] } },
  ],
  filteredOut: [excluded, { ...excluded, count: 1 }],
  restricted: [
    { kind: 'restricted', followers: 1, direct: 0 },
    { kind: 'restricted', followers: 1_200, direct: 2 },
  ],
  pollPartlyFailed: [partlyFailed, { ...partlyFailed, count: 9 }],
  unchanged: [
    { kind: 'unchanged', read: 1, followed: 0 },
    {
      kind: 'unchanged',
      read: 20,
      followed: 5,
      below: { count: 15, take: 5 },
      missing: { count: 4, named: [{ name, missing: { polls: { count: 1, of: 2 } } }] },
      noLongerMatching: { count: 1, named: [{ name, missing: { graceMs: HOUR } }] },
      cut: 'short',
      filteredOut: excluded,
      restricted: { kind: 'restricted', followers: 0, direct: 2 },
      partlyFailed,
    },
    { kind: 'unchanged', read: 20, followed: 5, cut: 'pages' },
  ],
  quietHoursEnded: [
    { kind: 'quietHoursEnded', changes: 1 },
    { kind: 'quietHoursEnded', changes: 0, lastSlotMs: 0 },
    { kind: 'quietHoursEnded', changes: 2, suppressedBy: { kind: 'fuseBlown', agoMs: 0 } },
    { kind: 'quietHoursEnded', changes: 2, suppressedBy: { kind: 'paused', by: 'Grace', agoMs: HOUR } },
    { kind: 'quietHoursEnded', changes: 2, suppressedBy: { kind: 'muted', by: 'Grace', agoMs: HOUR } },
  ],
};

const account = 'mastodon';

/** Reasons of deliveries, of every kind and with all fields. */
const deliveryReasons: OfEach<DeliveryReason> = {
  replaced: [{ kind: 'replaced' }],
  episodeEnded: [{ kind: 'episodeEnded' }],
  newerPoll: [{ kind: 'newerPoll' }],
  itemReturned: [{ kind: 'itemReturned' }],
  endedByEdit: [{ kind: 'endedByEdit' }],
  removedFromEach: [{ kind: 'removedFromEach' }],
  stepIf: flat(falsehoods).map((condition) => ({ kind: 'stepIf', condition })),
  emptyList: [{ kind: 'emptyList' }, { kind: 'emptyList', source: 'changes.entered' }],
  allElementsSkipped: [{ kind: 'allElementsSkipped' }],
  emptyParameter: [{ kind: 'emptyParameter', parameter: 'text', template: '"${{ item.title }}"' }],
  emptyMessage: [{ kind: 'emptyMessage', issue: 'there is nothing to send: give content, embed, embeds, layout or files' }],
  tooLate: [{ kind: 'tooLate', untilMs: 0 }],
  postponed: [{ kind: 'postponed', message: 'messages older than an hour are edited less often' }],
  resolvedSent: [{ kind: 'resolvedSent' }],
  resolvedAgain: [{ kind: 'resolvedAgain' }],
  notSearchable: [{ kind: 'notSearchable', account }],
  notFound: [{ kind: 'notFound', account }],
  sentBeforeRestore: [{ kind: 'sentBeforeRestore', account }],
  maybeSentBeforeRestore: [{ kind: 'maybeSentBeforeRestore', account }],
  searchFailed: [{ kind: 'searchFailed', account, error: '503' }],
  retriesExhausted: [
    { kind: 'retriesExhausted', attempts: 3 },
    { kind: 'retriesExhausted', withinMs: 24 * HOUR },
  ],
  earlierStepFailed: [
    { kind: 'earlierStepFailed', step: 'post', account },
    { kind: 'earlierStepFailed', step: '1', number: 4, account },
  ],
  lookUpFailed: [{ kind: 'lookUpFailed', step: 'vods', account: 'twitch' }],
  recordGone: [{ kind: 'recordGone', step: 'still', account: 'mastodon' }],
  unsupported: [{ kind: 'unsupported', account: 'kick', do: 'streaming.getUserVideos' }],
  widerAudience: [
    { kind: 'widerAudience', restriction: 'followers' },
    { kind: 'widerAudience', restriction: 'direct' },
  ],
  alreadyDeleted: [{ kind: 'alreadyDeleted' }],
  roleOfOther: [{ kind: 'roleOfOther' }],
  sameText: [{ kind: 'sameText' }],
  forEachDone: [{ kind: 'forEachDone', count: 3 }],
  previousPartNotSent: [{ kind: 'previousPartNotSent' }],
  previousPartUnknown: [{ kind: 'previousPartUnknown' }],
  unanswered: [{ kind: 'unanswered' }],
  resent: [{ kind: 'resent', by: 'Grace' }],
  ruleDeleted: [{ kind: 'ruleDeleted' }],
  ruleDisabled: [{ kind: 'ruleDisabled' }],
  rulePaused: [{ kind: 'rulePaused', by: 'Grace' }],
  itemMuted: [{ kind: 'itemMuted', by: 'Grace' }],
  postWithdrawn: [{ kind: 'postWithdrawn', by: 'Grace' }],
  nextStepsWithdrawn: [
    { kind: 'nextStepsWithdrawn', because: { kind: 'rulePaused', by: 'Grace' } },
    { kind: 'nextStepsWithdrawn', because: { kind: 'ruleDisabled' } },
  ],
};

export const DECISION_REASONS: readonly Reason[] = flat(decisionReasons);
export const DELIVERY_REASONS: readonly DeliveryReason[] = flat(deliveryReasons);

function flat<R extends { readonly kind: string }>(some: OfEach<R>): readonly R[] {
  return Object.values<readonly R[]>(some).flat();
}

/** Words that are frequent in English and absent in German. */
const ENGLISH =
  /\b(?:the|is|are|of|and|or|than|with|were|been|it|its|there|nothing|nobody|more|has|have|left|seen|held|announced|read|polls?|firings?|items?|ago|for|by|too|until|says?|said|sent|found|step|rule|list|empty|done|not|to|be|that|this|would|could)\b/iu;

/**
 * The first English word in a German text. Code, paths of fields, and quoted texts of platforms are ignored.
 */
export function englishIn(text: string): string | undefined {
  const spaced = text
    .replaceAll(/„[^“\n]*(?:“|$)/gmu, ' ')
    .replaceAll(/[\w.]*(?:item|previous|changes)\.[\w.]+|"[^"]*"|`[^`]*`/gu, ' ')
    .replaceAll(/\bif\b/gu, ' ');
  return ENGLISH.exec(spaced)?.[0];
}
