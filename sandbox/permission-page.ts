import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

interface PermissionPage {
  readonly title: string;
  readonly heading: string;
  readonly body: HtmlEscapedString | Promise<HtmlEscapedString>;
}

/** The page of a simulated platform on which a person signs in and gives an app access. */
export function permissionPage({ title, heading, body }: PermissionPage): HtmlEscapedString | Promise<HtmlEscapedString> {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - Fanfare Sandbox</title>
      </head>
      <body>
        <main>
          <h1>${heading}</h1>
          ${body}
        </main>
      </body>
    </html>`;
}
