import type { DeliveryReason } from '#src/delivery/reason.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { ChangeDetail, Reason, GateSuppression, Suppression } from '#src/rules/reasons/reason.ts';

/** Examples of every kind. The compiler reports missing kinds. */
type OfEach<R extends { readonly kind: string }> = { readonly [K in R['kind']]: readonly (R & { readonly kind: K })[] };

const [MINUTE, HOUR] = [60_000, 3_600_000];

const falsehoods: OfEach<Falsehood> = {
  false: [
    { kind: 'false', clauses: [{ source: 'item.viewerCount > 5', values: [{ of: 'item.viewerCount', is: '3' }] }] },
    {
      kind: 'false',
      clauses: [
        { source: 'item.mature', values: [] },
        { source: 'previous.rank > 1', values: [{ of: 'previous.rank' }] },
      ],
    },
  ],
  unclear: [{ kind: 'unclear', source: 'item.rank / 0 > 1', error: 'x/0' }],
};

const refusals: OfEach<GateSuppression> = {
  paused: [{ kind: 'paused', by: 'Grace', agoMs: HOUR }],
  if: flat(falsehoods).map((because) => ({ kind: 'if', because })),
  fuseBlown: [{ kind: 'fuseBlown', agoMs: 50 * HOUR }],
  fuseBlows: [
    { kind: 'fuseBlows', firings: 1, perMs: 24 * HOUR, most: 1 },
    { kind: 'fuseBlows', firings: 30, perMs: HOUR, most: 30 },
  ],
  cooldown: [
    { kind: 'cooldown', per: 'item', agoMs: 0, leftMs: HOUR },
    { kind: 'cooldown', per: 'rule', agoMs: MINUTE, leftMs: 25 * HOUR },
  ],
  quietHours: [{ kind: 'quietHours', fromMinute: 23 * 60, toMinute: 450, timezone: 'Europe/Berlin', leftMs: 5 * HOUR }],
  single: [{ kind: 'single' }],
  queueFull: [
    { kind: 'queueFull', waiting: 1, most: 1 },
    { kind: 'queueFull', waiting: 10, most: 10 },
  ],
  parallelFull: [
    { kind: 'parallelFull', firings: 1, most: 1 },
    { kind: 'parallelFull', firings: 2, most: 2 },
  ],
};

const silences: OfEach<Suppression> = {
  ...refusals,
  thereAlready: [{ kind: 'thereAlready' }],
  unasked: [{ kind: 'unasked' }],
  collected: [{ kind: 'collected' }],
  endedInQuiet: [{ kind: 'endedInQuiet' }],
  old: [{ kind: 'old', ageMs: 2 * HOUR, maxAgeMs: HOUR }],
  begunUnread: [{ kind: 'begunUnread', agoMs: 3 * HOUR, maxAgeMs: HOUR, unreadMs: 4 * HOUR }],
};

const happenings: OfEach<ChangeDetail> = {
  entered: [
    { kind: 'entered', standing: { rank: 3, viewers: 1_740 } },
    { kind: 'entered', standing: {} },
  ],
  left: [{ kind: 'left' }],
  moved: [
    { kind: 'moved', went: 'up', from: 5, to: 2 },
    { kind: 'moved', went: 'down' },
  ],
  changed: [
    { kind: 'changed', fields: [{ field: 'game.name', is: '"Go"', was: '"Chess"' }] },
    { kind: 'changed', fields: [{ field: 'title', was: '"1"' }, { field: 'mature' }] },
  ],
  rose: [{ kind: 'rose', field: 'viewerCount', lines: [100, 1_000], is: 1_200, was: 90 }],
  fell: [{ kind: 'fell', field: 'viewerCount', lines: [100] }],
};

const name = 'Ada';
const standing = { rank: 1, viewers: 1 };
const hindrances = flat(refusals).flatMap((by) => [{ kind: 'refused', by } as const, { kind: 'held', by } as const]);
const unfit = {
  kind: 'unfit',
  count: 5,
  named: flat(falsehoods).map((because) => ({ name, because })),
} as const;

/** Reasons of decisions, of every kind and with all fields. */
const decisionReasons: OfEach<Reason> = {
  unread: [{ kind: 'unread' }, { kind: 'unread', failure: '503' }, { kind: 'unread', failure: 'unavailable: 503', fault: 'unavailable' }],
  keyless: [{ kind: 'keyless' }],
  slot: [{ kind: 'slot' }, ...hindrances.map((hindrance) => ({ kind: 'slot', hindrance }) as const)],
  waiting: [
    { kind: 'waiting', name, standing, settleMs: MINUTE },
    { kind: 'waiting', name, standing, settleMs: MINUTE, seen: { count: 1, of: 3 } },
  ],
  settling: flat(happenings).map((happened) => ({ kind: 'settling', name, happened, settleMs: MINUTE })),
  missing: [
    { kind: 'missing', name, missing: { polls: { count: 1, of: 2 }, graceMs: HOUR } },
    ...flat(falsehoods).map((because) => ({ kind: 'missing', name, missing: { graceMs: HOUR }, unfit: because }) as const),
  ],
  back: [{ kind: 'back', name, standing, awayMs: 49 * HOUR }],
  vanished: [
    { kind: 'vanished', name, seenMs: MINUTE },
    ...flat(falsehoods).map((because) => ({ kind: 'vanished', name, seenMs: MINUTE, unfit: because }) as const),
  ],
  opened: flat(silences).map((silence) => ({ kind: 'opened', name, standing, silence })),
  happened: [
    ...flat(happenings).map((happened) => ({ kind: 'happened', name, happened }) as const),
    ...hindrances.map((hindrance) => ({ kind: 'happened', name, happened: { kind: 'left' }, hindrance }) as const),
  ],
  poll: [
    {
      kind: 'poll',
      changes: (['entered', 'left', 'moved', 'changed', 'rose', 'fell'] as const).map((change) => ({ change, count: 7, names: [name] })),
    },
    ...hindrances.map((hindrance) => ({ kind: 'poll', changes: [{ change: 'left', count: 1, names: [name] }], hindrance }) as const),
  ],
  closed: [
    { kind: 'closed', name, live: true, seenMs: HOUR, standing },
    ...flat(falsehoods).map((because) => ({ kind: 'closed', name, live: false, seenMs: HOUR, standing, unfit: because }) as const),
    ...flat(silences).map((silence) => ({ kind: 'closed', name, live: false, seenMs: HOUR, standing, silence }) as const),
  ],
  outOfList: [{ kind: 'outOfList', name, seenMs: HOUR }],
  unfollowed: [{ kind: 'unfollowed', name, seenMs: HOUR }],
  baseline: [
    { kind: 'baseline', isNew: true, found: { count: 1, names: [name] } },
    { kind: 'baseline', isNew: false, found: { count: 9, names: [name] } },
  ],
  unfit: [unfit, { ...unfit, count: 1 }],
  restricted: [
    { kind: 'restricted', followers: 1, direct: 0 },
    { kind: 'restricted', followers: 1_200, direct: 2 },
  ],
  unchanged: [
    { kind: 'unchanged', read: 1, followed: 0 },
    {
      kind: 'unchanged',
      read: 20,
      followed: 5,
      below: { count: 15, take: 5 },
      missing: { count: 4, named: [{ name, missing: { polls: { count: 1, of: 2 } } }] },
      noLongerFit: { count: 1, named: [{ name, missing: { graceMs: HOUR } }] },
      cut: 'short',
      unfit,
      restricted: { kind: 'restricted', followers: 0, direct: 2 },
    },
    { kind: 'unchanged', read: 20, followed: 5, cut: 'pages' },
  ],
  handedOver: [
    { kind: 'handedOver', changes: 1 },
    { kind: 'handedOver', changes: 0, lastSlotMs: 0 },
    { kind: 'handedOver', changes: 2, untold: { kind: 'fuseBlew' } },
    { kind: 'handedOver', changes: 2, untold: { kind: 'paused', by: 'Grace', agoMs: HOUR } },
  ],
};

const account = 'mastodon';

/** Reasons of deliveries, of every kind and with all fields. */
const deliveryReasons: OfEach<DeliveryReason> = {
  replaced: [{ kind: 'replaced' }],
  over: [{ kind: 'over' }],
  newerPoll: [{ kind: 'newerPoll' }],
  keepsRunning: [{ kind: 'keepsRunning' }],
  endedByEdit: [{ kind: 'endedByEdit' }],
  valueRemoved: [{ kind: 'valueRemoved' }],
  stepIf: flat(falsehoods).map((because) => ({ kind: 'stepIf', because })),
  emptyList: [{ kind: 'emptyList' }, { kind: 'emptyList', source: 'changes.entered' }],
  noneOfList: [{ kind: 'noneOfList' }],
  emptyParameter: [{ kind: 'emptyParameter', parameter: 'text', written: '"${{ item.title }}"' }],
  emptySaying: [{ kind: 'emptySaying', issue: 'there is nothing to send: give content, embed or files' }],
  tooLate: [{ kind: 'tooLate', untilMs: 0 }],
  postponed: [{ kind: 'postponed', text: 'messages older than an hour are edited less often' }],
  saidSent: [{ kind: 'saidSent' }],
  saidAgain: [{ kind: 'saidAgain' }],
  cannotTell: [{ kind: 'cannotTell', account }],
  notFound: [{ kind: 'notFound', account }],
  adopted: [{ kind: 'adopted', account }],
  restored: [{ kind: 'restored', account }],
  notAsked: [{ kind: 'notAsked', account, error: '503' }],
  gaveUp: [
    { kind: 'gaveUp', attempts: 3 },
    { kind: 'gaveUp', withinMs: 24 * HOUR },
  ],
  stopped: [
    { kind: 'stopped', step: 'post', account },
    { kind: 'stopped', step: '1', number: 4, account },
  ],
  lookUpFailed: [{ kind: 'lookUpFailed', step: 'vods', account: 'twitch' }],
  widerAudience: [
    { kind: 'widerAudience', restriction: 'followers' },
    { kind: 'widerAudience', restriction: 'direct' },
  ],
  gone: [{ kind: 'gone' }],
  same: [{ kind: 'same' }],
  each: [{ kind: 'each', count: 3 }],
  partUnsent: [{ kind: 'partUnsent' }],
  partUnknown: [{ kind: 'partUnknown' }],
  unanswered: [{ kind: 'unanswered' }],
  resent: [{ kind: 'resent', by: 'Grace' }],
  retired: [{ kind: 'retired' }],
  disabled: [{ kind: 'disabled' }],
  pausedBy: [{ kind: 'pausedBy', by: 'Grace' }],
  takenBack: [{ kind: 'takenBack', by: 'Grace' }],
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
