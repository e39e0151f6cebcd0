import { html } from './inline/html.ts';
import type { Language } from '../language.ts';
import { ACCESS_TEXTS } from './access-texts.ts';
import type { Html } from './inline/elements.ts';

/** The name of the signed-in person, with the buttons that end sessions. */
export function signOutForm(name: string, formToken: string, language: Language): Html {
  const { signOut, signOutEverywhere } = ACCESS_TEXTS[language];
  return html`<form class="sign-out" method="post" action="/sign-out">
    ${hidden(formToken)}<span dir="auto">${name}</span>
    <button>${signOut}</button>
    <button name="everywhere" value="yes">${signOutEverywhere}</button>
  </form>`;
}

/** The field that ties a form to its session. */
export function hidden(formToken: string): Html {
  return html`<input type="hidden" name="csrf" value="${formToken}" />`;
}
