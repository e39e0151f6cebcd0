import { html } from '../page/inline/html.ts';
import type { Clock } from '#src/clock.ts';
import { documentOf } from '../page/document.ts';
import type { Html } from '../page/inline/elements.ts';
import type { Language } from '../language.ts';
import { DEMO_PATH, navigationBar } from '../page/navigation-bar.ts';
import { DEMO_TEXTS } from './texts.ts';

/** The parts of the demonstration. The script refreshes each part separately. */
export const PARTS = ['live', 'posts', 'messages'] as const;
export type PartName = (typeof PARTS)[number];

/** Renders the current version of each part. */
export type Parts = Readonly<Record<PartName, (language: Language) => Promise<Html>>>;

interface DemoDocumentOptions {
  readonly parts: Parts;
  readonly language: Language;
  readonly clock: Clock;
  /** The signed-in person, with the buttons that end sessions; absent on the loopback. */
  readonly person: Html | undefined;
}

/** The demonstration: the streams, the posts and the Discord messages of the sandbox. Its time is read last, because a platform may answer slowly. */
export async function demoDocument({ parts, language, clock, person }: DemoDocumentOptions): Promise<Html> {
  const t = DEMO_TEXTS[language];
  const board = await Promise.all(PARTS.map((name) => parts[name](language)));
  return documentOf({
    title: 'Demo · Fanfare',
    language,
    head: html`<script type="module" src="/demo.js" blocking="render"></script>
      <noscript><meta http-equiv="refresh" content="30" /></noscript>`,
    body: html`<body class="demo" data-now="${new Date(clock.nowMs()).toISOString()}">
      <p class="skip">${PARTS.map((name) => html`<a href="#${name}">${t.skip[name]}</a> `)}</p>
      <header class="top">
        <h1><img src="/favicon.svg" alt="" width="28" height="28" />Fanfare</h1>
        ${navigationBar(DEMO_PATH, { language, hasSandbox: true })}
        <p class="sandbox">${t.sandbox}</p>
        ${person ?? ''}
        <p class="connection" id="connection" role="status"></p>
      </header>
      <main class="board">${board}</main>
      <p class="unseen" id="news" aria-live="polite"></p>
    </body>`,
  });
}
