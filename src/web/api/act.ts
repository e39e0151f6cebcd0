import type { z } from 'zod';
import { toPlanLineAnswer } from '#src/admin/queries/plan-line-answer.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { ActionInput, ActionName } from '#src/admin/actions/declarations.ts';
import type { AnswerOutcome } from '#src/admin/actions/delivery-actions.ts';
import type { ResendRefusal } from '#src/admin/actions/resend.ts';
import type { Publication } from '#src/admin/actions/version-actions.ts';
import type { PublicationAnswer } from '#src/admin/queries/action-answers.ts';
import { toDeliveryAnswer, toPreviewAnswer, toRequestedAnswer, toRunAnswer, toTestAnswer } from '#src/admin/queries/to-answers.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { noDelivery, noRule, Problem } from '#src/web/problem.ts';
import { AccountAnswer, PersonAnswer, TokenAnswer } from '#src/admin/queries/access-answers.ts';
import { ListEditAnswer } from '#src/admin/queries/list-answers.ts';
import { toReplayAnswer } from '#src/admin/queries/replay-answer.ts';
import { toWaitingPostAnswer } from '#src/admin/queries/waiting-post-answer.ts';
import { ServerAnswer, toServerAnswer } from '#src/admin/queries/server-answer.ts';
import { documented, RulesVersionAnswer } from '#src/admin/queries/answers.ts';
import type { Operations } from './operations.ts';

/** The number of messages in the answer of a replay. */
const MOST_EVENTS = 200;

/** What explains a refusal. */
export type ActContext = Pick<Operations, 'queries' | 'findDelivery'>;

type Result<Name extends ActionName> = Awaited<ReturnType<Actions[Name]>>;
type ToAnswer<Name extends ActionName> = (result: Result<Name>, input: ActionInput<Name>, context: ActContext) => object | Promise<object>;

/** Makes the answer of an action of its result. Throws a {@link Problem} if the action was refused. */
export const TO_ANSWER: { readonly [Name in ActionName]: ToAnswer<Name> } = {
  pauseRule: (result, { rule }, { queries }) => result ?? noRule(rule, queries),
  resumeRule: (result, { rule }, { queries }) => result ?? noRule(rule, queries),
  runRule: (result, { rule }, { queries }) => (result ? toRunAnswer(result) : noRun(rule, queries)),
  announceItem: (result, { rule }, { queries }) => (result ? toRequestedAnswer(result) : noRun(rule, queries)),
  setValue: (result, { rule }, { queries }) => result ?? noRule(rule, queries),
  testRule: (result, { rule }, { queries }) => (result ? toTestAnswer(result) : noRule(rule, queries)),
  previewRule: (result, { rule }, { queries }) => (result ? toPreviewAnswer(result) : noRule(rule, queries)),
  replayRule: (result, { rule }, { queries }) => (result ? toReplayAnswer(result, MOST_EVENTS) : noRule(rule, queries)),
  resendDelivery: (result, { delivery }) => {
    if (!result) return noDelivery(delivery);
    return 'resent' in result ? toDeliveryAnswer(result.resent) : refuse(result.refused);
  },
  resolveDelivery: async (result, { delivery }, { findDelivery }) => {
    if (result) return toDeliveryAnswer(result);
    const found = await findDelivery(delivery);
    return found ? notResolved(found) : noDelivery(delivery);
  },
  answerDelivery: (result, { delivery }) => {
    if (!result) throw new Problem({ status: 404, code: 'questionNotFound', detail: `There is no question ${delivery}.` });
    return 'answered' in result ? toDeliveryAnswer(result.answered) : notAnswered(result.refused);
  },
  muteItem: async (result, { delivery }, { findDelivery }) => {
    const found = result && (await findDelivery(delivery));
    if (!found) return noDelivery(delivery);
    if (result !== 'over') return toDeliveryAnswer(found);
    throw new Problem({ status: 409, code: 'closed', detail: 'The episode of the item has ended.' });
  },
  publishVersion: toPublication,
  rollBackVersion: toPublication,
  deleteRule: toPublication,
  addListEntries: (result) => documented(ListEditAnswer, result),
  changeListEntry: (result) => documented(ListEditAnswer, result),
  removeListEntries: (result) => documented(ListEditAnswer, result),
  importList: (result) => documented(ListEditAnswer, result),
  deleteList: (result) => documented(ListEditAnswer, result),
  undoListChange: (result) => documented(ListEditAnswer, result),
  configureServer: (result) => documented(ServerAnswer, toServerAnswer(result)),
  editPost: toWaitingPostAnswer,
  movePost: toWaitingPostAnswer,
  cancelPost: toWaitingPostAnswer,
  signInAccount: (result) => result,
  confirmAccount: ({ who, failure, missing }) => ({ who, problem: failure?.message, missing }),
  signOutAccount: (result) => documented(AccountAnswer, result),
  createToken: ({ token, text }) => ({ token: documented(TokenAnswer, token), text }),
  revokeToken: (result) => documented(TokenAnswer, result),
  addPerson: (result) => documented(PersonAnswer, result),
  changeRole: (result) => documented(PersonAnswer, result),
  changePassword: (result) => documented(PersonAnswer, result),
  removePerson: (result) => documented(PersonAnswer, result),
  signOutPerson: (result) => documented(PersonAnswer, result),
};

async function noRun(rule: string, queries: Pick<OperatorQueries, 'rules' | 'broken'>): Promise<never> {
  const found = (await queries.rules()).find(({ id, name }) => id === rule || name === rule);
  if (!found) return noRule(rule, queries);
  if (!found.on) throw new Problem({ status: 409, code: 'ruleOff', detail: `The rule ${found.id} is off.` });
  throw new Problem({
    status: 409,
    code: 'ruleNotRun',
    detail: `The rule ${found.id} could not be run. See the Fanfare log for the reason.`,
  });
}

function notResolved({ state, rule }: Delivery): never {
  if (state !== 'unknown')
    throw new Problem({ status: 409, code: 'state', state, detail: `Only an unknown delivery can be resolved; this one is ${state}.` });
  throw new Problem({ status: 409, code: 'ruleNotRunning', detail: `The rule ${rule} is paused or deleted, or the item is muted.` });
}

function notAnswered(refused: Extract<AnswerOutcome, { readonly refused: unknown }>['refused']): never {
  if (refused.kind === 'closed')
    throw new Problem({ status: 409, code: 'closed', detail: 'The question is closed: it was answered, or its time is over.' });
  throw new Problem({ status: 409, code: 'unknownChoice', detail: `The choices of the question are: ${refused.choices.join(', ')}.` });
}

function refuse(refusal: ResendRefusal): never {
  const { kind: code, ...data } = refusal;
  throw new Problem({ status: 409, code, detail: explain(refusal), ...data });
}

function explain(refusal: ResendRefusal): string {
  switch (refusal.kind) {
    case 'state':
      return `Only a failed delivery can be sent again; this one is ${refusal.state}.`;
    case 'paused':
      return `${refusal.by} paused the rule of this delivery. Resume it first.`;
    case 'muted':
      return `${refusal.by} muted the item of this delivery until it ends.`;
    case 'ruleGone':
      return 'The rule of this delivery was deleted.';
    case 'ruleOff':
      return 'The rule of this delivery is off.';
    case 'stepGone':
      return 'The rule no longer has this step through this account.';
    case 'superseded':
      return 'This is an edit of an open card. The next poll edits the card.';
    case 'tooOld':
      return 'This delivery failed more than 7 days ago. The values of its texts are no longer stored.';
    case 'otherRecord':
      return 'The platform created something else than requested.';
  }
}

function toPublication({ version, isNew, changes }: Publication): z.output<typeof PublicationAnswer> {
  return {
    version: documented(RulesVersionAnswer, version),
    isNew,
    changes: changes.map(toPlanLineAnswer),
  };
}
