import { html } from './inline/html.ts';
import type { Html } from './inline/elements.ts';
import type { Language } from '../language.ts';

interface DocumentOptions {
  readonly title: string;
  /** Default: English. */
  readonly language?: Language | undefined;
  readonly head?: Html;
  readonly body: Html;
}

/** An HTML document around `body`, with the styles of the page. */
export function documentOf({ title, language = 'en', head, body }: DocumentOptions): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/page.css" />
        ${head ?? ''}
      </head>
      ${body}
    </html>`;
}

interface MessageOptions extends Omit<DocumentOptions, 'head'> {
  /** Where to go from here, in a line below the message. */
  readonly links?: readonly { readonly href: string; readonly text: string }[];
}

/** A page with one message. */
export function messagePage({ title, language, body, links = [] }: MessageOptions): Html {
  return documentOf({
    language,
    title: `${title} · Fanfare`,
    body: html`<body class="message-page">
      <main>
        <img src="/favicon.svg" alt="" width="48" height="48" />
        <h1>${title}</h1>
        <div>${body}</div>
        ${links.length === 0 ? '' : html`<p class="links">${links.map(({ href, text }, index) => html`${index === 0 ? '' : ' · '}<a href="${href}">${text}</a>`)}</p>`}
      </main>
    </body>`,
  });
}
