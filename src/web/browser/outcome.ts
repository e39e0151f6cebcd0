import type { Message } from '../views/reasons.ts';
import { element } from './element.ts';

/** How long the result of an action is shown. */
const SHOWN_MS = 8000;

let fading: ReturnType<typeof setTimeout> | undefined;

/** Shows the result of an action. A result with a button stays. */
export function showOutcome(tone: 'good' | 'bad' | 'busy', text: string | Message, button?: HTMLButtonElement): void {
  const message: Message = typeof text === 'string' ? { text } : text;
  const outcome = element('outcome');
  outcome.dataset['tone'] = tone;
  outcome.textContent = message.text;
  if (message.lang === undefined) outcome.removeAttribute('lang');
  else outcome.lang = message.lang;
  clearTimeout(fading);
  if (button) outcome.append(' ', button);
  // A refusal stays, because its text says what to do.
  else if (tone === 'good') fading = setTimeout(() => outcome.replaceChildren(), SHOWN_MS);
}
