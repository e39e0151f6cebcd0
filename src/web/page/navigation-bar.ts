import { html } from './inline/html.ts';
import type { Language } from '../language.ts';
import type { Html } from './inline/elements.ts';

/** The path of the demonstration. */
export const DEMO_PATH = '/demo';

const LINKS = [
  { path: DEMO_PATH, en: 'Demo', de: 'Demo', isOfSandbox: true },
  { path: '/overview', en: 'Overview', de: 'Übersicht' },
  { path: '/rules', en: 'Rules', de: 'Regeln' },
  { path: '/deliveries', en: 'Deliveries', de: 'Zustellungen' },
  { path: '/posts', en: 'Posts', de: 'Beiträge' },
  { path: '/why', en: 'Why', de: 'Warum' },
  { path: '/lists', en: 'Lists', de: 'Listen' },
  { path: '/accounts', en: 'Accounts', de: 'Konten' },
  { path: '/settings', en: 'Settings', de: 'Einstellungen', below: '/audit' },
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
    ${links.map((link) => html`<a href="${link.path}" ${currentIn(link, path)}>${link[language]}</a>`)}
  </nav>`;
}

/** The link to the page above a page; empty: there is none. */
export function linkAbove(path: string, language: Language): readonly { readonly href: string; readonly text: string }[] {
  return LINKS.filter((one) => path.startsWith(`${one.path}/`)).map((link) => ({ href: link.path, text: link[language] }));
}

/** The mark of the link to this page, or to the page above it. `below`: a page below the link whose path is elsewhere. */
function currentIn(link: { readonly path: string; readonly below?: string }, path: string): Html | '' {
  if (link.path === path) return html`aria-current="page"`;
  return path.startsWith(`${link.path}/`) || path === link.below ? html`aria-current="true"` : '';
}

const CHOICES = { en: { yes: 'Yes', cancel: 'Cancel' }, de: { yes: 'Ja', cancel: 'Abbrechen' } };

/** What forms of actions need: a place for their results, each in a line that is read alone, and a question before a risky one. */
export function actionResults(language: Language): Html {
  const t = CHOICES[language];
  return html`<div class="outcome" id="outcome" role="alert" aria-atomic="false"></div>
    <dialog id="confirm" aria-labelledby="confirm-text">
      <form method="dialog">
        <p id="confirm-text"></p>
        <p class="actions"><button value="yes">${t.yes}</button><button autofocus>${t.cancel}</button></p>
      </form>
    </dialog>`;
}
