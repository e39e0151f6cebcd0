import type { Language, Texts } from '../language.ts';

interface KeyTexts {
  /** The keys of the page, with what they do. */
  readonly keys: Readonly<Record<string, string>>;
  readonly title: string;
  readonly close: string;
}

const TEXTS: Texts<KeyTexts> = {
  en: {
    keys: {
      '/': 'Search',
      o: 'Overview',
      r: 'Rules',
      d: 'Deliveries',
      p: 'Posts',
      w: 'Why was it announced, or not?',
      l: 'Lists',
      a: 'Accounts',
      s: 'Settings',
      x: 'Sandbox',
      '?': 'Show these keys',
    },
    title: 'Keys',
    close: 'Close',
  },
  de: {
    keys: {
      '/': 'Suchen',
      o: 'Übersicht',
      r: 'Regeln',
      d: 'Zustellungen',
      p: 'Beiträge',
      w: 'Warum gemeldet, oder warum nicht?',
      l: 'Listen',
      a: 'Konten',
      s: 'Einstellungen',
      x: 'Sandbox',
      '?': 'Diese Tasten zeigen',
    },
    title: 'Tasten',
    close: 'Schließen',
  },
};

const PATHS: Readonly<Record<string, string>> = {
  o: '/overview',
  r: '/rules',
  d: '/deliveries',
  p: '/posts',
  w: '/why',
  l: '/lists',
  a: '/accounts',
  s: '/settings',
  x: '/sandbox',
};

/** The sandbox is only on its own pages, which have a link to it. */
function isServed(path: string | undefined): boolean {
  return path !== '/sandbox' || document.querySelector(`.navigation a[href="${path}"]`) !== null;
}

/** Reads keys outside fields and dialogs, unless this browser has them turned off in the settings. */
export function takeShortcuts(language: Language): void {
  const isOff = (): boolean => document.cookie.split('; ').includes('keys=off');
  const choice = document.querySelector('#keys');
  if (choice instanceof HTMLInputElement) {
    choice.checked = !isOff();
    choice.addEventListener('change', () => {
      document.cookie = `keys=off; path=/; samesite=strict; max-age=${choice.checked ? 0 : 31_536_000}`;
    });
  }
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
    if (isOff() || isTyping || ctrlKey || metaKey || altKey || defaultPrevented) return;
    const path = PATHS[key];
    if (key === '/') focusSearch(event);
    else if (key === '?') showKeys(TEXTS[language]);
    else if (path !== undefined && isServed(path)) location.assign(path);
  });
}

function focusSearch(event: Event): void {
  const field = document.querySelector('input[type=search]');
  if (!(field instanceof HTMLInputElement)) return;
  event.preventDefault();
  field.focus();
  field.select();
}

function showKeys({ keys, title, close }: KeyTexts): void {
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = title;
  const list = document.createElement('dl');
  list.className = 'keys';
  for (const [key, text] of Object.entries(keys).filter(([name]) => isServed(PATHS[name]))) {
    const [term, description] = [document.createElement('dt'), document.createElement('dd')];
    term.append(Object.assign(document.createElement('kbd'), { textContent: key }));
    description.textContent = text;
    list.append(term, description);
  }
  const form = Object.assign(document.createElement('form'), { method: 'dialog' });
  const button = Object.assign(document.createElement('button'), { textContent: close, autofocus: true });
  const buttons = Object.assign(document.createElement('p'), { className: 'actions' });
  buttons.append(button);
  form.append(list, buttons);
  dialog.append(form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
