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

const DIALOGS = {
  en: {
    yes: 'Yes',
    cancel: 'Cancel',
    plan: 'Plan a pause',
    from: 'From',
    until: 'Until',
    hint: 'The times are in the zone of your browser. Without an end, a person has to resume the rule.',
    submit: 'Plan',
  },
  de: {
    yes: 'Ja',
    cancel: 'Abbrechen',
    plan: 'Pause planen',
    from: 'Von',
    until: 'Bis',
    hint: 'Die Zeiten gelten in der Zone dieses Browsers. Ohne Ende muss jemand die Regel fortsetzen.',
    submit: 'Planen',
  },
};

/** What buttons of actions need: a place for their results, a question before a risky one, and the form of a planned pause. */
export function actionResults(language: Language): Html {
  const t = DIALOGS[language];
  return html`<p class="outcome" id="outcome" role="alert"></p>
    <dialog id="confirm" aria-labelledby="confirm-text">
      <form method="dialog">
        <p id="confirm-text"></p>
        <p class="actions"><button value="yes" autofocus>${t.yes}</button><button>${t.cancel}</button></p>
      </form>
    </dialog>
    <dialog id="plan" aria-labelledby="plan-title">
      <form method="dialog">
        <h2 id="plan-title">${t.plan}</h2>
        <p>
          <label>${t.from} <input type="datetime-local" name="from" required /></label>
        </p>
        <p>
          <label>${t.until} <input type="datetime-local" name="until" /></label>
        </p>
        <p class="hint">${t.hint}</p>
        <p class="actions"><button value="yes">${t.submit}</button><button formnovalidate>${t.cancel}</button></p>
      </form>
    </dialog>`;
}
