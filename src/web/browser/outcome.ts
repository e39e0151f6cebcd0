import { ApiProblem } from '../client/client.ts';
import { withoutDirectionControls } from '../direction-controls.ts';
import type { Language } from '../views/language.ts';
import type { Message } from '../views/reasons.ts';
import { problemText } from '../views/texts/problems.ts';
import { RESULT_TEXTS } from '../views/texts/results.ts';
import { element } from './element.ts';

/** After this time, the result of an action counts as read. */
const READ_MS = 8000;

/** The lines of actions, by the form or the button of the action. */
const lines = new WeakMap<Element, HTMLElement>();
const readings = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/** Shows the result of an action in the line of a form or button. A refusal, and a result with a button or a link, remain until the next action. */
export function showOutcome(owner: Element, tone: 'good' | 'bad' | 'busy', text: string | Message, more?: HTMLElement): void {
  const message: Message = typeof text === 'string' ? { text } : text;
  const outcome = element('outcome');
  const line = lines.get(owner) ?? document.createElement('p');
  lines.set(owner, line);
  clearTimeout(readings.get(line));
  delete line.dataset['read'];
  // The lines of running actions and unread results stay beside the new one.
  if (tone === 'busy') for (const read of outcome.querySelectorAll('[data-read]')) read.remove();
  line.dataset['tone'] = tone;
  line.textContent = withoutDirectionControls(message.text);
  if (message.lang === undefined) line.removeAttribute('lang');
  else line.lang = message.lang;
  if (more) line.append(' ', more);
  if (!line.isConnected) outcome.append(line);
  if (tone === 'busy') return;
  const fades = tone === 'good' && !more;
  const reading = setTimeout(() => (fades ? line.remove() : (line.dataset['read'] = '')), READ_MS);
  readings.set(line, reading);
}

/** Replaces the refusal in the line of an owner, if it is still shown. */
export function replaceOutcome(owner: Element, shown: string, text: string): void {
  const line = lines.get(owner);
  if (!line?.isConnected || line.firstChild?.textContent !== shown) return;
  const button = line.querySelector('button') ?? undefined;
  const isFocused = button !== undefined && button === document.activeElement;
  showOutcome(owner, 'bad', text, button);
  if (isFocused) button.focus();
}

/** Shows a button after the text in the line of an owner. */
export function addToOutcome(owner: Element, button: HTMLButtonElement): void {
  lines.get(owner)?.append(' ', button);
}

/** Gives the line of an owner to another one, so that the next action of the first gets a line beside it. */
export function moveOutcome(from: Element, to: Element): void {
  const line = lines.get(from);
  if (line) lines.set(to, line);
  lines.delete(from);
}

/** Leaves the line of an owner unchanged, so that the next action of the owner gets a line beside it. */
export function leaveOutcome(owner: Element): void {
  lines.delete(owner);
}

/** The text in the line of an owner. */
export function outcomeText(owner: Element): string {
  return lines.get(owner)?.textContent ?? '';
}

/** Removes the line of an owner. */
export function clearOutcome(owner: Element): void {
  lines.get(owner)?.remove();
}

/** Shows why an action failed. After the end of a session, a link opens the sign-in in another tab, so that typed text stays. */
export function showFailure(owner: Element, error: unknown, language: Language, noAnswer: string): void {
  if (!(error instanceof ApiProblem)) return showOutcome(owner, 'bad', noAnswer);
  const isSignedOut = error.problem.code === 'unauthenticated';
  const link = Object.assign(document.createElement('a'), {
    href: '/sign-in',
    target: '_blank',
    textContent: RESULT_TEXTS[language].signIn,
  });
  showOutcome(owner, 'bad', problemText(error.problem, language), isSignedOut ? link : undefined);
}
