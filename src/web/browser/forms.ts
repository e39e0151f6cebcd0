import { ApiProblem } from '../client/client.ts';
import { ROUTES, type Operations } from '../client/operations.ts';
import type { Preview, Replay, RuleTest } from '../client/records.ts';
import { answered } from '../views/parts/answered.ts';
import { RESULT_TEXTS } from '../views/texts/results.ts';
import { actOnce } from './act-once.ts';
import { call } from './call.ts';
import { isConfirmed } from './confirm.ts';
import { element } from './element.ts';
import { newKey } from './new-key.ts';
import { showFailure, showOutcome } from './outcome.ts';

/**
 * Operations with a secret in their input or answer take no key, because Fanfare would have to store the secret. Operations that only read
 * need none.
 */
const WITHOUT_KEY: readonly string[] = [
  'createToken',
  'addPerson',
  'changePassword',
  'signInAccount',
  'confirmAccount',
  'testRule',
  'previewRule',
  'replayRule',
];

/** The key of the last request without an answer, by its form and input: a repeat with the key is not done twice. */
const unanswered = new Map<string, string>();

/** Sends the forms of `ActionForm`. */
export function takeForms(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['operation'] === undefined) return;
    event.preventDefault();
    void actOnce(document.activeElement, () => submit(form));
  });
}

async function submit(form: HTMLFormElement): Promise<void> {
  const { operation = '', done = '', failed, undo, undone = '', question, keepsFields } = form.dataset;
  if (!isOperation(operation) || (question !== undefined && !(await isConfirmed(question)))) return;
  const answer = await send(operation, inputOf(form), { done, failed });
  if (answer === undefined) return;
  answered.value = { operation, input: ownInputOf(form), answer };
  const change = changeIn(answer);
  const [field] = form.querySelectorAll<HTMLInputElement>('input:not([type=hidden])');
  if (keepsFields === undefined) form.reset();
  if (change !== undefined && undo !== undefined) offerUndo(change, { done, undo, undone });
  else if (field) field.focus();
  setTimeout(() => document.querySelector<HTMLElement>('[data-answer]')?.focus());
}

/** Sends a request, and shows its result. Undefined: it failed. */
async function send(
  operation: keyof Operations,
  input: object,
  texts: { readonly done: string; readonly failed?: string | undefined },
): Promise<object | undefined> {
  showOutcome('busy', '…');
  const language = document.documentElement.lang === 'de' ? 'de' : 'en';
  const t = RESULT_TEXTS[language];
  const request = `${operation} ${JSON.stringify(input)}`;
  const key = unanswered.get(request) ?? newKey();
  try {
    if (!WITHOUT_KEY.includes(operation)) unanswered.set(request, key);
    // The views make the input of the operation.
    const answer = await call(operation, input as never, WITHOUT_KEY.includes(operation) ? {} : { idempotencyKey: key });
    unanswered.delete(request);
    const count = 'firings' in answer && typeof answer.firings === 'number' ? ` ${t.announced(answer.firings)}` : '';
    if (texts.failed !== undefined && hasFailed(answer)) showOutcome('bad', texts.failed);
    else showOutcome('good', texts.done + count);
    return answer;
  } catch (error) {
    if (error instanceof ApiProblem) unanswered.delete(request);
    showFailure(error, language);
    return undefined;
  }
}

/** Offers to take a change of a list back. The pressed button disappears, so the focus moves to the offer. */
function offerUndo(
  change: string,
  { done, undo, undone }: { readonly done: string; readonly undo: string; readonly undone: string },
): void {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: undo });
  button.addEventListener('click', () => {
    void actOnce(button, async () => {
      await send('undoListChange', { change }, { done: undone });
      element('view').focus();
    });
  });
  showOutcome('good', done, button);
  button.focus();
}

/** Whether an answer is that of a rule with errors, of failed tests or of a failed poll. */
function hasFailed(answer: object): boolean {
  const { diagnostics = [], cases = [], read }: Partial<RuleTest & Preview & Replay> = answer;
  return diagnostics.some(({ severity }) => severity === 'error') || cases.some(({ passed }) => !passed) || read?.failure !== undefined;
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

function ownInputOf(form: HTMLFormElement): object {
  return JSON.parse(form.dataset['input'] ?? '{}');
}

/** Sets the value at a path. The parts of the path before the last one exist. */
function put(target: object, path: readonly string[], value: string | number): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) Reflect.set(target, first, value);
  else put(Reflect.get(target, first), rest, value);
}

function isOperation(name: string): name is keyof Operations {
  return Object.hasOwn(ROUTES, name);
}

/** The id of the change of a list in an answer. */
function changeIn(answer: object): string | undefined {
  const { change } = answer as { readonly change?: { readonly id?: unknown } }; // the answers of actions on lists have it
  return typeof change?.id === 'string' ? change.id : undefined;
}
