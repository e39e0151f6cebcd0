import { html } from 'hono/html';
import { messagePage } from '#src/web/page/document.ts';
import type { Html } from '#src/web/page/inline/elements.ts';
import { hidden } from '#src/web/page/sign-out-form.ts';

/** What a sign-in page shows. */
export interface SignInPageOptions {
  readonly formToken: string;
  /** Why the last attempt failed. */
  readonly problem?: string | undefined;
  /** The typed name. */
  readonly name?: string | undefined;
}

/** The page on which people sign in. */
export function signInPage({ formToken, problem, name, hasDiscord }: SignInPageOptions & { readonly hasDiscord: boolean }): Html {
  const discord = hasDiscord ? html`<p><a class="button" href="/sign-in/discord">Sign in with Discord</a></p>` : '';
  return messagePage({
    title: 'Sign in',
    body: html`${problemText(problem)}${discord}
      <form class="sign-in" method="post" action="/sign-in">
        ${hidden(formToken)} ${nameField(name)}
        <label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="1000" /></label>
        <button>Sign in</button>
      </form>`,
  });
}

/** The page on which the first admin is created. */
export function firstRunPage({ formToken, problem, name }: SignInPageOptions): Html {
  return messagePage({
    title: 'Create the first admin',
    body: html`${problemText(problem)}
      <p>Fanfare printed a token when it started. Enter it, and choose your name and password.</p>
      <form class="sign-in" method="post" action="/sign-in/first-run">
        ${hidden(formToken)}
        <label>Token <input name="token" autocomplete="off" required maxlength="200" /></label>
        ${nameField(name)}
        <label
          >Password <input name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="1000"
        /></label>
        <button>Create the admin</button>
      </form>`,
  });
}

function nameField(name = ''): Html {
  return html`<label>Name <input name="name" value="${name}" autocomplete="username" required maxlength="64" /></label>`;
}

function problemText(problem: string | undefined): Html | '' {
  return problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`;
}
