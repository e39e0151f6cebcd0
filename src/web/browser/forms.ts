import { ApiProblem } from '../client/client.ts';
import { ROUTES, type Operations } from '../client/operations.ts';
import type { Delivery, Preview, Replay, RuleTest, WaitingPost } from '../client/records.ts';
import type { Language } from '../views/language.ts';
import { answered } from '../views/parts/answered.ts';
import { reasonsIn } from '../views/reasons.ts';
import { RESULT_TEXTS } from '../views/texts/results.ts';
import { actOnce } from './act-once.ts';
import { call } from './call.ts';
import { isConfirmed } from './confirm.ts';
import { focusFirst, placeOf } from './keep-focus.ts';
import type { MovedEntries } from './moved-entries.ts';
import { newKey } from './new-key.ts';
import { addToOutcome, moveOutcome, replaceOutcome, showFailure, showOutcome } from './outcome.ts';
import { createUnansweredKeys } from './unanswered-keys.ts';

/** Operations with a secret in their input or answer take no key, because Fanfare would have to store the secret. */
const WITH_SECRET: readonly string[] = ['createToken', 'addPerson', 'changePassword', 'signInAccount', 'confirmAccount'];

/** Operations that only read need no key. */
const READS: readonly string[] = ['testRule', 'previewRule', 'replayRule'];

const unanswered = createUnansweredKeys(newKey);

/** Sends the forms of `ActionForm`. */
export function takeForms({ isMoved }: Pick<MovedEntries, 'isMoved'>): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['operation'] === undefined) return;
    event.preventDefault();
    const { operation = '', off, undone } = form.dataset;
    if (!isOperation(operation) || off !== undefined) return;
    // Several entries in a row can be removed quickly, because each removal can be undone.
    if (isMoved(form) && undone === undefined) return showOutcome(form, 'bad', RESULT_TEXTS[languageOf()].moved);
    // Before it is sent, a person can type the next input.
    const action = labelOf(event.submitter ?? form.querySelector('button'));
    const submitted = { operation, action, input: inputOf(form), typed: typedIn(form), focused: document.activeElement };
    const pressed = event.submitter ?? submitted.focused;
    void actOnce(form, pressed, () => submit(form, submitted), JSON.stringify([operation, submitted.input]));
  });
}

interface Submitted {
  readonly operation: keyof Operations;
  /** The label of its button. */
  readonly action: string;
  readonly input: object;
  /** The typed fields, for a comparison. */
  readonly typed: string;
  readonly focused: Element | null;
}

async function submit(form: HTMLFormElement, { operation, action, input, typed, focused }: Submitted): Promise<void> {
  const { done = '', created, failed, undo, undone = '', question, keepsFields } = form.dataset;
  if (question !== undefined && !(await isConfirmed(question))) return;
  const answer = await send(form, operation, input, { action, done, created, failed });
  if (answer === undefined) return;
  answered.value = { operation, input: ownInputOf(form), answer };
  const change = changeIn(answer);
  const [field] = form.querySelectorAll<HTMLElement>('input:not([type=hidden]), textarea');
  // During a slow action, a person can type the next input, or go on to another part of the page.
  const isSame = typedIn(form) === typed;
  const isHere = isSame && [document.body, focused, placeOf(focused)].includes(document.activeElement ?? undefined);
  if (keepsFields === undefined && isSame) form.reset();
  const closed = isSame ? form.closest('.closes') : undefined;
  closed?.removeAttribute('open');
  // In a field, the person can type the next input; a key beside it would leave the page. After an edit, a field would open the keyboard of a phone.
  if (isHere) (closed?.querySelector('summary') ?? field)?.focus();
  if (change !== undefined && undo !== undefined) offerUndo(form, change, { done, undo, undone, isHere: isHere && field === undefined });
  if (isHere) setTimeout(showAnswer);
}

/** Moves the focus to the result. The browser alone would show the middle of a long one. */
function showAnswer(): void {
  const result = document.querySelector<HTMLElement>('[data-answer]');
  result?.focus({ preventScroll: true });
  result?.scrollIntoView({ block: 'nearest' });
}

/** Sends a request, and shows its result in the line of this form or button. Undefined: the request failed. */
async function send(
  owner: Element,
  operation: keyof Operations,
  input: object,
  texts: { readonly action: string; readonly done: string; readonly created?: string | undefined; readonly failed?: string | undefined },
): Promise<object | undefined> {
  const language = languageOf();
  const t = RESULT_TEXTS[language];
  showOutcome(owner, 'busy', t.busy(texts.action));
  const request = { operation, input };
  const isRead = READS.includes(operation);
  const key = isRead || WITH_SECRET.includes(operation) ? undefined : unanswered.keyFor(request);
  try {
    // The views make the input of the operation.
    const answer = await call(operation, input as never, { idempotencyKey: key });
    if (!isRead) unanswered.done(request);
    const count = 'firings' in answer && typeof answer.firings === 'number' ? ` ${t.announced(answer.firings)}` : '';
    // A question for several members stays open until they all answered.
    const done = operation === 'answerDelivery' && (answer as Delivery).state === 'asked' ? t.answerStored : texts.done; // its answer
    const remark = operation === 'answerDelivery' ? reasonsIn(language).delivered(answer as Delivery) : undefined; // its answer
    if (remark) showOutcome(owner, 'bad', { ...remark, text: `${done} ${t.remark(remark.text)}` });
    else if (isUntested(answer)) showOutcome(owner, 'bad', t.noTests);
    else if (texts.failed !== undefined && hasFailed(answer)) showOutcome(owner, 'bad', texts.failed);
    else showOutcome(owner, 'good', ('created' in answer ? (texts.created ?? done) : done) + count);
    return answer;
  } catch (error) {
    if (isRefusal(error)) unanswered.refused(request);
    else if (key !== undefined) unanswered.keep(request, key, () => replaceOutcome(owner, t.noAnswer, t.mayBeDone));
    showFailure(owner, error, language, isRead || key !== undefined ? t.noAnswer : t.mayBeDone);
    return undefined;
  }
}

/** Whether the request was answered and not done. Fanfare keeps the answers with these states for the key: see `src/web/api/idempotency.ts`. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && [404, 409].includes(error.problem.status) && error.problem.code !== 'stillRunning';
}

/** Offers to undo a change of a list. The pressed button disappears, so the focus moves to the offer. */
function offerUndo(
  form: Element,
  change: string,
  { done, undo, undone, isHere }: { readonly done: string; readonly undo: string; readonly undone: string; readonly isHere: boolean },
): void {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: undo });
  const section = form.closest('section');
  button.addEventListener('click', () => {
    void actOnce(button, button, async () => {
      if ((await send(button, 'undoListChange', { change }, { action: undo, done: undone })) !== undefined)
        return void focusFirst([section]);
      addToOutcome(button, button);
      if (document.activeElement === document.body) button.focus();
    });
  });
  // A key that is held down on the pressed button must not take its change back.
  button.addEventListener('keydown', (event) => event.repeat && event.preventDefault());
  moveOutcome(form, button);
  showOutcome(button, 'good', done, button);
  if (isHere) button.focus();
}

/** Whether an answer is that of a rule with errors, of failed tests, of a failed poll, or of a post that some accounts send after a cancellation. */
function hasFailed(answer: object): boolean {
  const { diagnostics = [], cases = [], read, targets = [] }: Partial<RuleTest & Preview & Replay & WaitingPost> = answer;
  if (diagnostics.some(({ severity }) => severity === 'error') || cases.some(({ passed }) => !passed)) return true;
  // The first post of a thread may have been sent before the others were cancelled.
  return read?.failure !== undefined || targets.some(({ state, url }) => state !== 'skipped' || url !== undefined);
}

/** Whether an answer is that of the tests of a rule without tests. */
function isUntested(answer: object): boolean {
  const { cases, diagnostics }: Partial<RuleTest> = answer;
  return cases?.length === 0 && diagnostics?.length === 0;
}

/** The input of a form: its own part, with the typed fields. Empty fields are absent. */
function inputOf(form: HTMLFormElement): object {
  const input = ownInputOf(form);
  for (const [name, typed] of new FormData(form)) {
    if (typeof typed !== 'string' || typed === '') continue;
    const field = form.elements.namedItem(name);
    const isTime = field instanceof HTMLInputElement && field.type === 'datetime-local';
    const isNumber = field instanceof HTMLInputElement && field.type === 'number';
    put(input, name.split('.'), isTime ? new Date(typed).toISOString() : isNumber ? Number(typed) : typed);
  }
  return input;
}

function labelOf(button: Element | null): string {
  return (button?.textContent ?? '').trim().replaceAll(/\s+/gu, ' ');
}

/** What is typed in a form, as a text that can be compared. */
function typedIn(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)]);
}

function ownInputOf(form: HTMLFormElement): object {
  return JSON.parse(form.dataset['input'] ?? '{}');
}

/** Sets the value at a path. The parts of the path before the last one exist. */
function put(target: object, path: readonly string[], value: string | number): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) Reflect.set(target, first, value);
  else put(Reflect.get(target, first), rest, value);
}

function languageOf(): Language {
  return document.documentElement.lang === 'de' ? 'de' : 'en';
}

function isOperation(name: string): name is keyof Operations {
  return Object.hasOwn(ROUTES, name);
}

/** The id of the change of a list in an answer. */
function changeIn(answer: object): string | undefined {
  const { change } = answer as { readonly change?: { readonly id?: unknown } }; // the answers of actions on lists have it
  return typeof change?.id === 'string' ? change.id : undefined;
}
