import { html } from 'hono/html';
import type { Html } from './inline/elements.ts';

/** The name of the signed-in person, with the buttons that end sessions. */
export function signOutForm(name: string, formToken: string): Html {
  return html`<form class="sign-out" method="post" action="/sign-out">
    ${hidden(formToken)}<span dir="auto">${name}</span>
    <button>Sign out</button>
    <button name="everywhere" value="yes">Sign out everywhere</button>
  </form>`;
}

/** The field that ties a form to its session. */
export function hidden(formToken: string): Html {
  return html`<input type="hidden" name="csrf" value="${formToken}" />`;
}
