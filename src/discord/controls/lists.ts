import type { DeliveryState, RuleView, ShownDelivery } from '#src/admin/queries/records.ts';
import type { ItemExplanation, WatchingRule } from '#src/admin/queries/explain-item.ts';
import type { GoneRule } from '#src/admin/queries/gone-rules.ts';
import type { DeliveryReader, OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import { UserError } from '#src/errors.ts';
import type { Caller, Reader } from '#src/discord/caller.ts';
import { button, pageButtons, rows, SHARE, shareButton } from '#src/discord/components.ts';
import { embedReply, type Reply } from '#src/discord/reply.ts';
import { instant, numeral } from '#src/discord/text/format.ts';
import { codeBlock, escaped } from '#src/discord/text/untrusted-text.ts';
import { shortId, type StoredRule } from './find-rule.ts';
import { byCause, causeLines, decisionLine, deliveryLine, deliveryName, diagnosticLine, fitted, plannedLines, stateLine } from './lines.ts';

const RULES_PER_PAGE = 8;
const DECISIONS_PER_PAGE = 10;
const DELIVERIES_PER_PAGE = 8;
const OTHERS_SHOWN = 10;
const MAX_LENGTH = 4_000;
const BUTTONS_PER_ROW = 5;
const MAX_CUSTOM_ID_LENGTH = 100;

/** A page of all rules: running rules, then broken files, then rules that are off. */
export async function ruleList(controls: OperatorQueries, page: number, reader: Reader): Promise<Reply> {
  const { listing, errors } = reader.texts.controls;
  const known = await controls.rules();
  const running = known.filter(({ on }) => on).length;
  const all = [...known.slice(0, running), ...controls.broken(), ...known.slice(running)];
  if (all.length === 0) throw new UserError(errors.noRules);
  const pages = Math.ceil(all.length / RULES_PER_PAGE);
  const current = Math.min(page, pages - 1);
  const shown = all.slice(current * RULES_PER_PAGE, (current + 1) * RULES_PER_PAGE);
  const views = await controls.views(shown.flatMap((one) => ('name' in one ? [one.id] : [])));
  const lines = shown.flatMap((one) => {
    const view = 'name' in one ? views.find(({ id }) => id === one.id) : one;
    return view ? ruleEntry(view, reader) : [];
  });
  const idOf = (role: string, to: number): string => `automation:list:${to}:${role}`;
  const embed = {
    title: listing.title(numeral(all.length, reader)),
    description: fitted(lines, MAX_LENGTH, reader),
    footer: { text: listing.page(current + 1, pages) },
  };
  const buttons = rows(pageButtons({ page: current, more: current + 1 < pages, idOf }, reader));
  return { ...embedReply(embed, buttons), share: shareButton(idOf(SHARE, current), reader) };
}

function ruleEntry(view: RuleView, reader: Reader): string {
  const { rule } = reader.texts.controls;
  const { id, on, nextRunAt, lastDecision, diagnostics } = view;
  const next = on ? ` · ${nextRunAt ? rule.next(instant(nextRunAt)) : rule.never}` : '';
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const last = lastDecision && decisionLine(lastDecision, reader);
  return [
    `**${escaped(id, 100)}** ${stateLine(view, reader)}${next}`,
    ...(error ? [`-# ${diagnosticLine(error)}`] : []),
    ...[...plannedLines(view, reader), ...causeLines(view, reader)].map((line) => `-# ${line}`),
    ...(last === undefined ? [] : [`-# ${last}`]),
  ].join('\n');
}

export interface DecisionListOptions {
  readonly rule: StoredRule;
  /** The key of an item; absent: all items. */
  readonly item?: string | undefined;
  /** Absent: the first page. */
  readonly cursor?: string | undefined;
}

/** A page of the decisions of a rule with their reasons, newest first. */
export async function decisionList(
  controls: OperatorQueries,
  { rule: { id: rule, gone }, item, cursor }: DecisionListOptions,
  reader: Reader,
): Promise<Reply> {
  const { paging, controls: texts } = reader.texts;
  const found = await controls.decisions({ rule, item, cursor, limit: DECISIONS_PER_PAGE });
  const none = item === undefined ? texts.reasons.none : texts.reasons.noneAbout(escaped(item, 100));
  const idOf = (role: string, from: string): string =>
    `automation:why:${shortId(rule)}:${from}:${item === undefined ? '' : shortId(item)}:${role}`;
  const decided = found.items.map((decision) => decisionLine(decision, reader));
  const lines = [...(gone ? [goneLine(gone, reader)] : []), ...(decided.length > 0 ? decided : [none])];
  const isWhole = cursor === undefined && found.cursor === undefined;
  const embed = {
    title: texts.reasons.title(escaped(rule, 200)),
    description: fitted(lines, MAX_LENGTH, reader),
    footer: { text: texts.reasons.kept },
  };
  const buttons = [
    button(idOf('first', ''), paging.first, { disabled: cursor === undefined }),
    button(idOf('next', found.cursor ?? ''), paging.next, { disabled: found.cursor === undefined }),
  ];
  return { ...embedReply(embed, isWhole ? [] : rows(buttons)), share: shareButton(idOf(SHARE, cursor ?? ''), reader) };
}

/** That a rule is gone, and since when if that is known. */
function goneLine({ goneAt, lastRunAt }: GoneRule, reader: Reader): string {
  const { ruleWasRemoved, ruleIsNotLoaded } = reader.texts.controls.reasons;
  return goneAt === undefined ? ruleIsNotLoaded(instant(lastRunAt)) : ruleWasRemoved(instant(goneAt));
}

/** The rules that know an item and their decisions about it, and the rules that watch lists without the item. */
export function itemCard({ name, rules, gone, others }: ItemExplanation, reader: Reader): Reply {
  const { reasons, rule: states } = reader.texts.controls;
  const item = escaped(name, 100);
  const ruleLine = ({ id, verb, on, isPaused }: WatchingRule, facts: readonly string[] = []): string => {
    const state = on ? (isPaused ? [reasons.ruleIsPaused] : []) : [states.off];
    return [`**${escaped(id, 100)}**: \`${verb}\``, ...facts, ...state].join(' · ');
  };
  const lines = rules.flatMap((rule) => [
    ruleLine(rule, [rule.isNamed ? reasons.namesItem(item) : reasons.sawItem(item), ...(rule.isOpen ? [reasons.episodeIsOpen] : [])]),
    ...(rule.belowTake
      ? [`${instant(new Date(rule.belowTake.atMs))} ${reasons.belowTake(rule.belowTake.place, rule.belowTake.take)}`]
      : []),
    ...(rule.decisions.length === 0 && !rule.belowTake ? [reasons.noneAbout(item)] : []),
    ...rule.decisions.map((decision) => decisionLine(decision, reader)),
  ]);
  const goneLines = gone.flatMap((one) => [
    [`**${escaped(one.id, 100)}**`, reasons.sawItem(item), goneLine(one, reader)].join(' · '),
    ...one.decisions.map((decision) => decisionLine(decision, reader)),
  ]);
  // Of many rules, those that are off rarely answer the question.
  const otherLines = others.toSorted((a, b) => Number(b.on) - Number(a.on)).map((rule) => ruleLine(rule));
  const left = otherLines.length - OTHERS_SHOWN;
  const more = left > 0 ? [reader.texts.controls.more(numeral(left, reader))] : [];
  const all = [
    ...(lines.length + goneLines.length === 0 ? [reasons.unwatched(item)] : [...lines, ...goneLines]),
    ...(others.length === 0 ? [] : ['', reasons.listsWithout(item), ...otherLines.slice(0, OTHERS_SHOWN), ...more]),
  ];
  const reply = embedReply({ title: reasons.title(item), description: fitted(all, MAX_LENGTH, reader), footer: { text: reasons.kept } });
  const share = `automation:item:${name}:${SHARE}`;
  return share.length > MAX_CUSTOM_ID_LENGTH ? reply : { ...reply, share: shareButton(share, reader) };
}

export interface DeliveryListOptions extends DeliveryReader {
  readonly rule?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly page: number;
}

/** A page of deliveries: first those that need an operator. Each unknown and each failed delivery has a button to its card. */
export async function deliveryList(
  controls: OperatorQueries,
  { server, scope, rule, state, page }: DeliveryListOptions,
  reader: Reader,
): Promise<Reply> {
  const { delivering } = reader.texts.controls;
  const found = await controls.deliveries({
    server,
    scope,
    rule,
    state,
    offset: page * DELIVERIES_PER_PAGE,
    limit: DELIVERIES_PER_PAGE,
  });
  const { more } = found;
  const groups = byCause(found.items, reader);
  const items = groups.flat();
  const lasts = new Set(groups.map((group) => group.at(-1)));
  const idOf = (role: string, to: number): string =>
    `deliveries:page:${to}:${rule === undefined ? '' : shortId(rule)}:${state ?? ''}:${role}`;
  const choices = items.flatMap(({ id, state: current }, index) => {
    if (current === 'unknown') return [button(`resolve:show:${id}`, `❓ ${numeral(index + 1, reader)}`)];
    return current === 'failed' ? [button(`deliveries:show:${id}`, `❌ ${numeral(index + 1, reader)}`)] : [];
  });
  // Each cause is below its last delivery.
  const lines = items.map(
    (delivery, index) => `${numeral(index + 1, reader)}. ${deliveryLine(delivery, reader, { withReason: lasts.has(delivery) })}`,
  );
  const embed = { title: delivering.title, description: lines.length > 0 ? fitted(lines, MAX_LENGTH, reader) : delivering.none };
  const buttons = rows(choices.slice(0, BUTTONS_PER_ROW), choices.slice(BUTTONS_PER_ROW), pageButtons({ page, more, idOf }, reader));
  return { ...embedReply(embed, buttons), share: shareButton(idOf(SHARE, page), reader) };
}

/** The delivery with an id, if the caller may see it. */
export async function findDelivery(id: string, { texts, server, scope }: Caller, controls: OperatorQueries): Promise<ShownDelivery> {
  const delivery = await controls.delivery(id, { server: server?.id, scope });
  if (!delivery) throw new UserError(texts.controls.errors.noDelivery);
  return delivery;
}

export async function showDelivery(id: string, caller: Caller, controls: OperatorQueries): Promise<Reply> {
  return deliveryCard(await findDelivery(id, caller, controls), caller);
}

/** One delivery. An unknown delivery has the two buttons that resolve it, and a failed delivery the button that sends it again. */
export function deliveryCard(delivery: ShownDelivery, reader: Reader): Reply {
  const { controls } = reader.texts;
  const { id, state } = delivery;
  const lines = [deliveryLine(delivery, reader), textOf(delivery), ...(state === 'unknown' ? [controls.delivering.unknown] : [])];
  const buttons = {
    unknown: [
      button(`resolve:sent:${id}`, controls.resolution.sent, { style: 'good' }),
      button(`resolve:again:${id}`, controls.resolution.again, { style: 'danger' }),
    ],
    failed: [button(`deliveries:resend:${id}`, controls.buttons.resend, { style: 'good' })],
  };
  return embedReply(
    { description: lines.filter((line) => line !== '').join('\n') },
    state === 'unknown' || state === 'failed' ? rows(buttons[state]) : [],
  );
}

/** The text of the delivery, so that an operator can search for it. */
function textOf({ params }: ShownDelivery): string {
  const text = params?.['content'] ?? params?.['text'];
  return typeof text === 'string' && text !== '' ? codeBlock(text, 500) : '';
}

/** A delivery that an operator sent again. */
export function resentCard(delivery: ShownDelivery, reader: Reader): Reply {
  return embedReply({ description: reader.texts.controls.delivering.isAgain(deliveryName(delivery, reader)) });
}

/** A delivery after an operator resolved it. */
export function resolvedCard(delivery: ShownDelivery, resolution: 'sent' | 'again', reader: Reader): Reply {
  const { isSent, isAgain } = reader.texts.controls.delivering;
  return embedReply({ description: (resolution === 'sent' ? isSent : isAgain)(deliveryName(delivery, reader)) });
}
