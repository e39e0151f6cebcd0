import { html } from 'hono/html';
import type { Language } from '../language.ts';
import type { Html } from './inline/elements.ts';

/** The path of the demonstration. */
export const DEMO_PATH = '/demo';

const LINKS = [
  { path: DEMO_PATH, en: 'Demo', de: 'Demo', isOfSandbox: true },
  { path: '/overview', en: 'Overview', de: 'Übersicht' },
  { path: '/rules', en: 'Rules', de: 'Regeln' },
  { path: '/deliveries', en: 'Deliveries', de: 'Zustellungen' },
  { path: '/why', en: 'Why', de: 'Warum' },
  { path: '/lists', en: 'Lists', de: 'Listen' },
  { path: '/accounts', en: 'Accounts', de: 'Konten' },
  { path: '/settings', en: 'Settings', de: 'Einstellungen' },
  { path: '/sandbox', en: 'Sandbox', de: 'Sandbox', isOfSandbox: true },
] as const;

interface NavigationOptions {
  readonly language: Language;
  /** Whether Fanfare runs on the sandbox. */
  readonly hasSandbox: boolean;
}

/** The links that all pages share. `path`: the path of this page. */
export function navigationBar(path: string, { language, hasSandbox }: NavigationOptions): Html {
  const links = LINKS.filter((link) => hasSandbox || !('isOfSandbox' in link));
  return html`<nav class="navigation" aria-label="${language === 'de' ? 'Seiten' : 'Pages'}">
    ${links.map((link) => html`<a href="${link.path}" ${link.path === path ? html`aria-current="page"` : ''}>${link[language]}</a>`)}
  </nav>`;
}

const CHOICES = { en: { yes: 'Yes', cancel: 'Cancel' }, de: { yes: 'Ja', cancel: 'Abbrechen' } };

/** What forms of actions need: a place for their results, and a question before a risky one. */
export function actionResults(language: Language): Html {
  const t = CHOICES[language];
  return html`<p class="outcome" id="outcome" role="alert"></p>
    <dialog id="confirm" aria-labelledby="confirm-text">
      <form method="dialog">
        <p id="confirm-text"></p>
        <p class="actions"><button value="yes" autofocus>${t.yes}</button><button>${t.cancel}</button></p>
      </form>
    </dialog>`;
}
