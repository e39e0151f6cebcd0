import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { App } from './apps.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const STYLE = 'font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem';

export interface Asking {
  readonly app: App;
  /** As whom one would agree. */
  readonly user: string;
  readonly scopes: readonly string[];
  /** What came with the request, to be sent along with the answer. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Asks a person whether an app may act for them. */
export function authorizePage({ app, user, scopes, parameters }: Asking): Html {
  const fields = Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  return page(
    'Authorization required',
    html`<h1>Authorization required</h1>
      <p><strong>${app.name}</strong> would like permission to access the account of <strong>@${user}</strong>. It asks for:</p>
      <ul>
        ${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
      </ul>
      <form method="post">
        ${fields}
        <label>Account <input name="user" value="${user}" /></label>
        <p>
          <button type="submit" name="decision" value="authorize">Authorize</button>
          <button type="submit" name="decision" value="deny">Deny</button>
        </p>
      </form>`,
  );
}

/** Shows a code that a person carries to the app themselves. */
export function codePage(code: string): Html {
  return page(
    'Authorization code',
    html`<h1>Authorization code</h1>
      <p>Copy this authorization code and paste it into the application.</p>
      <input class="oauth-code" readonly size="48" value="${code}" />`,
  );
}

/** Says why nobody is asked. */
export function oauthErrorPage(reason: string): Html {
  return page(
    'An error has occurred',
    html`<h1>An error has occurred</h1>
      <p id="error">${reason}</p>`,
  );
}

function page(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${title} - Fanfare Sandbox</title>
      </head>
      <body style="${STYLE}">
        ${body}
      </body>
    </html>`;
}
