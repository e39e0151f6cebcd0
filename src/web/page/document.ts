import { html } from 'hono/html';
import type { Clock } from '#src/clock.ts';
import type { Html } from './inline/elements.ts';
import { actionResults, navigationBar, whyForm } from './navigation-bar.ts';
import type { Language } from '../language.ts';
import type { PageView } from './page-query.ts';

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

export interface MainPageOptions {
  readonly parts: Parts;
  readonly view: PageView;
  readonly clock: Clock;
  /** What writes of the script send; absent on the loopback. */
  readonly formToken: string | undefined;
  /** The signed-in person, with the buttons that end sessions; absent on the loopback. */
  readonly person?: Html | undefined;
}

/** The links before the first part. */
const SKIPS: readonly { readonly part: PartName; readonly title: string }[] = [
  { part: 'rules', title: 'Skip to the rules' },
  { part: 'deliveries', title: 'Skip to the deliveries' },
  { part: 'live', title: 'Skip to the streams' },
];

/** The page with all its parts. Its time is read last, because a platform may answer slowly. */
export async function mainPage({ parts, view, clock, formToken, person }: MainPageOptions): Promise<Html> {
  // The parts for operators come first, so that a phone shows them without scrolling past all posts.
  const names = ['rules', 'deliveries', 'live', 'posts', 'messages'] as const;
  const [state, ...board] = await Promise.all([parts.state(view), ...names.map((name) => parts[name](view))]);
  return documentOf({
    title: 'Fanfare',
    head: html`<script type="module" src="/page.js" blocking="render"></script>
      <script type="module" src="/actions.js"></script>
      <noscript><meta http-equiv="refresh" content="30" /></noscript>`,
    body: html`<body data-now="${new Date(clock.nowMs()).toISOString()}" data-form-token="${formToken ?? ''}">
      <p class="skip">${SKIPS.map(({ part, title }) => html`<a href="#${part}">${title}</a>`)}</p>
      <header class="top">
        <h1><img src="/favicon.svg" alt="" width="28" height="28" />Fanfare</h1>
        ${navigationBar('/', 'en')} ${state} ${person ?? ''}
        <p class="connection" id="connection" role="status"></p>
      </header>
      ${whyForm()}
      <main class="board">${board}</main>
      <p class="unseen" id="news" aria-live="polite"></p>
      ${actionResults('en')}
    </body>`,
  });
}

/** A page with one message. */
export function messagePage({ title, body }: { readonly title: string; readonly body: Html }): Html {
  return documentOf({
    title: `${title} · Fanfare`,
    body: html`<body class="message-page">
      <main>
        <img src="/favicon.svg" alt="" width="48" height="48" />
        <h1>${title}</h1>
        <div>${body}</div>
      </main>
    </body>`,
  });
}

/** The parts of the page. The script refreshes each part separately. */
export type PartName = 'state' | 'live' | 'posts' | 'messages' | 'rules' | 'deliveries';

/** Renders the current version of each part. */
export type Parts = Readonly<Record<PartName, (view: PageView) => Promise<Html>>>;
