import { isOfServer } from '#src/engine/delivery/server-deliveries.ts';
import type { DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { choicesOf } from '#src/engine/delivery/question.ts';
import type { MuteOutcome, RuleStates } from '#src/engine/scheduler/rule-states.ts';
import { isQuestion } from '#src/engine/delivery/steps.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { nameOfActor, type Actor } from './actor.ts';
import type { AuditLog } from './audit-log.ts';
import { audited, type Act, type Performed } from './audited.ts';
import { discordIdOf } from './people.ts';
import { resend, type ResendOptions, type ResendOutcome } from './resend.ts';

/** What an answer did: `closed`: the question has an answer, or its time is over. Undefined: there is no such question. */
export type AnswerOutcome =
  | { readonly answered: Delivery }
  | { readonly refused: { readonly kind: 'closed' } | { readonly kind: 'choice'; readonly choices: readonly string[] } }
  | undefined;

export interface DeliveryActions {
  readonly resendDelivery: Act<'resendDelivery', ResendOutcome>;
  /** Undefined: the delivery is not unknown, its rule is paused or deleted, or its item is muted. */
  readonly resolveDelivery: Act<'resolveDelivery', Delivery | undefined>;
  readonly answerDelivery: Act<'answerDelivery', AnswerOutcome>;
  /** Undefined: there is no such delivery, or it is not about an item. */
  readonly muteItem: Act<'muteItem', MuteOutcome | undefined>;
}

export interface DeliveryActionParts extends Omit<ResendOptions, 'deliveries'> {
  readonly deliveries: Omit<ResendOptions['deliveries'], 'reopen'>;
  /** How the state of a delivery is changed. */
  readonly deliveryEngine: Pick<DeliveryEngine, 'resolve' | 'reopen' | 'answer'>;
  /** Called with a question that was answered, but not with its button. */
  readonly onAnswered?: ((question: Delivery) => void) | undefined;
  readonly ruleStates: ResendOptions['ruleStates'] & Pick<RuleStates, 'mute'>;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
}

/** The actions on the deliveries of a process. */
export function createDeliveryActions({ deliveryEngine, onAnswered, auditLog, ...options }: DeliveryActionParts): DeliveryActions {
  const deliveries = { ...options.deliveries, reopen: deliveryEngine.reopen };
  /** Whether the actor may act on a delivery. */
  async function isInScope(id: string, { scope }: Actor): Promise<boolean> {
    if (!scope) return true;
    const delivery = await deliveries.find(id);
    return delivery !== undefined && isOfServer(delivery, scope);
  }

  return {
    resendDelivery: audited('resendDelivery', auditLog, async ({ delivery }, by): Promise<Performed<ResendOutcome>> => {
      if (!(await isInScope(delivery, by))) return { result: undefined, outcome: 'refused' };
      const result = await resend(delivery, nameOfActor(by), { ...options, deliveries });
      if (result && 'resent' in result)
        return { result, outcome: 'done', before: { state: 'failed' }, after: { state: result.resent.state, ...subjectOf(result.resent) } };
      return { result, outcome: 'refused', ...(result && { after: { refused: result.refused.kind } }) };
    }),

    resolveDelivery: audited('resolveDelivery', auditLog, async ({ delivery, resolution }, by) => {
      const result = (await isInScope(delivery, by)) ? await deliveryEngine.resolve(delivery, resolution) : undefined;
      if (!result) return { result, outcome: 'refused' };
      return { result, outcome: 'done', before: { state: 'unknown' }, after: { state: result.state, ...subjectOf(result) } };
    }),

    answerDelivery: audited('answerDelivery', auditLog, async ({ delivery: id, choice, text }, by): Promise<Performed<AnswerOutcome>> => {
      const question = await deliveries.find(id);
      if (!question || !isQuestion(question.do) || (by.scope && !isOfServer(question, by.scope)))
        return { result: undefined, outcome: 'refused' };
      const choices = choicesOf(question);
      const chosen = choices.find((one) => withoutGaps(one) === withoutGaps(choice));
      if (chosen === undefined) {
        const refused = { kind: 'choice', choices } as const;
        return { result: { refused }, outcome: 'refused', after: { refused: refused.kind } };
      }
      const answered = await deliveryEngine.answer(id, { choice: chosen, by: personOf(by), ...(text !== undefined && { text }) });
      if (!answered) return { result: { refused: { kind: 'closed' } }, outcome: 'refused', after: { refused: 'closed' } };
      if (by.via !== 'discord' && answered.state !== 'asked') onAnswered?.(answered);
      const after = { state: answered.state, choice: chosen, ...subjectOf(answered) };
      return { result: { answered }, outcome: 'done', before: { state: question.state }, after };
    }),

    muteItem: audited('muteItem', auditLog, async ({ delivery: id }, by): Promise<Performed<MuteOutcome | undefined>> => {
      const found = (await isInScope(id, by)) ? await deliveries.find(id) : undefined;
      if (!found?.item) return { result: undefined, outcome: 'refused' };
      const result = await options.ruleStates.mute(found.rule, found.episode, nameOfActor(by));
      return { result, outcome: result === 'muted' ? 'done' : 'unchanged', after: { ...subjectOf(found), mute: result } };
    }),
  };
}

/** The rule and the item of a delivery, whose id means nothing to people. */
function subjectOf({ rule, item }: Delivery): JsonObject {
  return { rule, ...(item && { item: item.key }) };
}

/** Buttons show each gap of a choice as one space. */
function withoutGaps(choice: string): string {
  return choice.replaceAll(/\s+/gu, ' ');
}

/** The person who answers, as rules read them. A user who answers in Discord and on the page is one person. */
function personOf({ name, displayName = name, id = name, via }: Actor): JsonObject {
  const user = via === 'discord' ? id : via === 'page' ? discordIdOf(id) : undefined;
  const person = { handle: name, displayName };
  if (user === undefined) return { platform: 'fanfare', id, ...person };
  return { platform: 'discord', id: user, url: `https://discord.com/users/${user}`, ...person };
}
