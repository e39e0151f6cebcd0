import type { JsonObject } from '#src/clients/operation/json.ts';
import type { MessagePreview, PreviewView, StepView } from '#src/engine/simulation/preview/preview-view.ts';
import type { ScenarioKind } from '#src/engine/simulation/preview/scenario-kind.ts';
import { isStopped, toReceived, visibleTexts } from './outcomes.ts';
import { FIRST } from './random-stories.ts';
import type { ReceivedMessage, ReceivedRecord } from './received.ts';

/** A message as it stands after its edits, with the text of the message that it answers. */
export interface StandingMessage extends ReceivedMessage {
  readonly answers?: string | undefined;
}

interface Promised {
  message: ReceivedMessage;
  /** The name of its step. */
  readonly name: string;
  readonly answers?: Promised | undefined;
  isDeleted: boolean;
}

/** What a step says about the message that it changes. */
interface Written {
  /** The name of the step that sent the message. */
  readonly target: string;
  readonly isLayout: boolean;
}

/** What the steps of a rule say, by name. */
function writtenBy({ then, while: still, finally: over }: PreviewView['rule']): ReadonlyMap<string, Written> {
  return new Map(
    [...then, ...still, ...over].map(({ id = '', with: parts }) => {
      const { post, message, replyTo, layout } = parts;
      const target = /steps\.(\w+)\.id/u.exec([post, message, replyTo].map(String).join())?.[1] ?? FIRST;
      return [id, { target, isLayout: layout !== undefined }] as const;
    }),
  );
}

/** The messages that stand after these events, as a preview promises. */
export function promisedMessages({ rule, scenarios }: PreviewView, kinds: readonly ScenarioKind[]): readonly StandingMessage[] {
  const promised: Promised[] = [];
  const written = writtenBy(rule);
  for (const kind of kinds) {
    const steps = scenarios.filter((one) => one.kind === kind).flatMap((one) => one.steps);
    for (const step of steps) if (!isStopped(step) && step.notRun === undefined) apply(step, promised, written.get(step.name));
  }
  return visibleTexts(
    promised
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ message, answers }) => ({ ...message, answers: answers && (answers.isDeleted ? 'deleted' : answers.message.text) })),
  );
}

function apply(step: StepView, promised: Promised[], { target, isLayout }: Written = { target: FIRST, isLayout: false }): void {
  const first = promised.filter(({ name }) => name === target);
  for (const [index, shown] of step.messages.entries()) {
    const [head] = first;
    const isReply = shown.others.some(([key]) => key === 'replyTo');
    // Each further part of a thread answers the part before.
    // Discord sends an answer to a deleted message as a plain message.
    const answers = index > 0 ? promised.at(-1) : isReply && !head?.isDeleted ? head : undefined;
    const message = withAudience(toReceived(step.account, shown), shown, answers);
    if (/\.delete/u.test(step.do)) {
      for (const part of first) part.isDeleted = true;
    } else if (/\.edit/u.test(step.do)) {
      // A layout is the whole message.
      if (head && isLayout) head.message = { ...head.message, text: '', cards: message.cards, buttons: message.buttons };
      else if (head)
        head.message = folded(
          edited(head.message, message, {
            hasText: shown.text !== undefined,
            hasAllCards: shown.lengths.some(({ path }) => path === 'embeds'),
            hasFiles: shown.others.some(([key]) => key === 'files'),
            ...removals(step),
          }),
        );
    } else {
      promised.push({ message, name: step.name, isDeleted: false, answers });
    }
  }
}

/** An answer without a visibility has the one of the message that it answers. */
function withAudience(message: ReceivedMessage, { others }: MessagePreview, answers: Promised | undefined): ReceivedMessage {
  const { visibility } = answers?.message ?? {};
  return visibility === undefined || others.some(([key]) => key === 'visibility') ? message : { ...message, visibility };
}

/** A post whose text is its warning has no warning. */
function folded({ warning, ...message }: ReceivedMessage): ReceivedMessage {
  return warning === undefined || warning.trim() === message.text.trim() ? message : { ...message, warning };
}

function removals({ remarks }: StepView): { readonly removesButtons: boolean } {
  return { removesButtons: remarks.some(({ kind }) => kind === 'removesButtons') };
}

interface EditedParts {
  readonly hasText: boolean;
  /** Whether the preview shows all cards: they are too long together. */
  readonly hasAllCards: boolean;
  readonly hasFiles: boolean;
  readonly removesButtons: boolean;
}

/** A message after an edit, which names the parts that it changes. An empty part of a card removes it. */
function edited(
  before: ReceivedMessage,
  change: ReceivedMessage,
  { hasText, hasAllCards, hasFiles, removesButtons }: EditedParts,
): ReceivedMessage {
  const { text, cards = [], buttons = [], warning } = change;
  const [card] = cards;
  const [standing, ...others] = before.cards ?? [];
  return {
    ...before,
    ...(hasText && { text, ...(before.cards === undefined && { pings: change.pings }) }),
    ...(card && hasAllCards && { cards }),
    ...(card && !hasAllCards && { cards: [merged(standing ?? { fields: [] }, card), ...others].filter(showsSomething) }),
    ...((buttons.length > 0 || removesButtons) && { buttons }),
    ...(warning !== undefined && { warning }),
    ...(hasFiles && { files: change.files }),
  };
}

function merged(card: JsonObject, change: JsonObject): JsonObject {
  const named = Object.entries(change).filter(([key, value]) => value !== undefined && (key !== 'fields' || isFilled(value)));
  return Object.fromEntries(Object.entries({ ...card, ...Object.fromEntries(named) }).filter(([, value]) => value !== ''));
}

/** Discord shows no card that has a color alone. */
function showsSomething({ fields, ...parts }: JsonObject): boolean {
  return isFilled(fields) || Object.entries(parts).some(([name, value]) => name !== 'color' && value !== undefined);
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** The messages that their platforms show, of those that arrived after the earlier ones. */
export function standingMessages(
  earlier: Readonly<Record<string, readonly ReceivedRecord[]>>,
  now: Readonly<Record<string, readonly ReceivedRecord[]>>,
): readonly StandingMessage[] {
  return visibleTexts(
    Object.entries(now).flatMap(([account, list]) => {
      const known = new Set(earlier[account]?.map(({ id }) => id));
      const standing = list.filter(({ id, isDeleted }) => !known.has(id) && !isDeleted);
      const textOf = (id: string): string => standing.find((one) => one.id === id)?.message.text ?? 'deleted';
      return standing.map(({ message, replyTo }) => ({ ...message, answers: replyTo === undefined ? undefined : textOf(replyTo) }));
    }),
  );
}
