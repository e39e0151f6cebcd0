import { html } from '../page/inline/html.ts';
import type { Language } from '#src/web/language.ts';
import { ACCESS_TEXTS } from '#src/web/page/access-texts.ts';
import { messagePage } from '#src/web/page/document.ts';
import type { Html } from '#src/web/page/inline/elements.ts';
import { hidden } from '#src/web/page/sign-out-form.ts';

/** What a sign-in page shows. */
export interface SignInPageOptions {
  readonly language: Language;
  readonly formToken: string;
  /** Why the last attempt failed. */
  readonly problem?: string | undefined;
  /** The typed name. */
  readonly name?: string | undefined;
}

/** The page on which people sign in. */
export function signInPage({
  language,
  formToken,
  problem,
  name,
  isWrong = false,
  hasDiscord,
}: SignInPageOptions & {
  /** Whether the problem is what was typed. */
  readonly isWrong?: boolean;
  readonly hasDiscord: boolean;
}): Html {
  const t = ACCESS_TEXTS[language];
  const discord = hasDiscord ? html`<p><a class="button" href="/sign-in/discord">${t.signInWithDiscord}</a></p>` : '';
  return messagePage({
    title: t.signIn,
    language,
    body: html`${problemText(problem)}${discord}
      <form class="sign-in" method="post" action="/sign-in">
        ${hidden(formToken)} ${nameField(t.name, name, problem === undefined && html`autofocus`)}
        <label
          >${t.password}
          <input
            name="password"
            type="password"
            autocomplete="current-password"
            required
            maxlength="1000"
            ${problem !== undefined && (isWrong ? WRONG : html`autofocus`)}
        /></label>
        <button>${t.signIn}</button>
      </form>`,
  });
}

/** The page on which the first admin is created. */
export function firstRunPage({
  language,
  formToken,
  problem,
  name,
  token = '',
  wrong,
}: SignInPageOptions & {
  /** The typed token. */
  readonly token?: string | undefined;
  /** The field that the problem is about. */
  readonly wrong?: 'token' | 'name' | 'password' | undefined;
}): Html {
  const t = ACCESS_TEXTS[language];
  const isWrong = (field: typeof wrong): Html | false => field === wrong && WRONG;
  return messagePage({
    title: t.firstRun,
    language,
    body: html`${problemText(problem)}
      <p>${t.firstRunHow}</p>
      <form class="sign-in" method="post" action="/sign-in/first-run">
        ${hidden(formToken)}
        <label
          >${t.token}
          <input
            name="token"
            value="${token}"
            autocomplete="off"
            required
            maxlength="200"
            ${wrong === undefined ? html`autofocus` : isWrong('token')}
        /></label>
        ${nameField(t.name, name, isWrong('name'))}
        <label
          >${t.password}
          <input
            name="password"
            type="password"
            autocomplete="new-password"
            required
            minlength="12"
            maxlength="1000"
            ${isWrong('password')}
        /></label>
        <button>${t.createAdmin}</button>
      </form>`,
  });
}

/** The attributes of the field to correct: it has the focus, and a screen reader reads the problem with it. */
const WRONG = html`autofocus aria-invalid="true" aria-describedby="problem"`;

function nameField(label: string, name: string | undefined, attributes: Html | false): Html {
  return html`<label
    >${label} <input name="name" value="${name ?? ''}" autocomplete="username" required maxlength="64" ${attributes}
  /></label>`;
}

function problemText(problem: string | undefined): Html | '' {
  return problem === undefined ? '' : html`<p class="bad" role="alert" id="problem">${problem}</p>`;
}
