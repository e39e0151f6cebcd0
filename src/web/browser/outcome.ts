import { ApiProblem } from '../client/client.ts';
import { ACCESS_TEXTS } from '../page/access-texts.ts';
import type { Language } from '../views/language.ts';
import type { Message } from '../views/reasons.ts';
import { problemText } from '../views/texts/problems.ts';
import { RESULT_TEXTS } from '../views/texts/results.ts';
import { element } from './element.ts';

/** How long the result of an action is shown. */
const SHOWN_MS = 8000;

let fading: ReturnType<typeof setTimeout> | undefined;

/** Shows the result of an action. A result with a button or a link stays. */
export function showOutcome(tone: 'good' | 'bad' | 'busy', text: string | Message, more?: HTMLElement): void {
  const message: Message = typeof text === 'string' ? { text } : text;
  const outcome = element('outcome');
  outcome.dataset['tone'] = tone;
  outcome.textContent = message.text;
  if (message.lang === undefined) outcome.removeAttribute('lang');
  else outcome.lang = message.lang;
  clearTimeout(fading);
  if (more) outcome.append(' ', more);
  // A refusal stays, because its text says what to do.
  else if (tone === 'good') fading = setTimeout(() => outcome.replaceChildren(), SHOWN_MS);
}

/** Shows why an action failed. After the end of a session, a link opens the sign-in in another tab, so that typed text stays. */
export function showFailure(error: unknown, language: Language, noAnswer: string = RESULT_TEXTS[language].noAnswer): void {
  if (!(error instanceof ApiProblem)) return showOutcome('bad', noAnswer);
  const isSignedOut = error.problem.code === 'unauthenticated';
  const link = Object.assign(document.createElement('a'), {
    href: '/sign-in',
    target: '_blank',
    textContent: ACCESS_TEXTS[language].signIn,
  });
  showOutcome('bad', problemText(error.problem, language), isSignedOut ? link : undefined);
}
