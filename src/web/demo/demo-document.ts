import { html } from 'hono/html';
import type { Clock } from '#src/clock.ts';
import { documentOf } from '../page/document.ts';
import type { Html } from '../page/inline/elements.ts';
import { DEMO_PATH, navigationBar } from '../page/navigation-bar.ts';

/** The parts of the demonstration. The script refreshes each part separately. */
export const PARTS = ['live', 'posts', 'messages'] as const;
export type PartName = (typeof PARTS)[number];

/** Renders the current version of each part. */
export type Parts = Readonly<Record<PartName, () => Promise<Html>>>;

interface DemoDocumentOptions {
  readonly parts: Parts;
  readonly clock: Clock;
  /** The signed-in person, with the buttons that end sessions; absent on the loopback. */
  readonly person: Html | undefined;
}

/** The demonstration: the streams, the posts and the Discord messages of the sandbox. Its time is read last, because a platform may answer slowly. */
export async function demoDocument({ parts, clock, person }: DemoDocumentOptions): Promise<Html> {
  const board = await Promise.all(PARTS.map((name) => parts[name]()));
  return documentOf({
    title: 'Demo · Fanfare',
    head: html`<script type="module" src="/demo.js" blocking="render"></script>
      <noscript><meta http-equiv="refresh" content="30" /></noscript>`,
    body: html`<body class="demo" data-now="${new Date(clock.nowMs()).toISOString()}">
      <p class="skip">
        <a href="#live">Skip to the streams</a>
        <a href="#posts">Skip to the posts</a>
        <a href="#messages">Skip to the messages</a>
      </p>
      <header class="top">
        <h1><img src="/favicon.svg" alt="" width="28" height="28" />Fanfare</h1>
        ${navigationBar(DEMO_PATH, { language: 'en', hasSandbox: true })}
        <p class="sandbox">Sandbox: simulated platforms; nothing leaves this machine</p>
        ${person ?? ''}
        <p class="connection" id="connection" role="status"></p>
      </header>
      <main class="board">${board}</main>
      <p class="unseen" id="news" aria-live="polite"></p>
    </body>`,
  });
}
