/** The keys of the page, with what they do. */
const KEYS = [
  ['/', 'Search'],
  ['o', 'Overview'],
  ['r', 'Rules'],
  ['d', 'Deliveries'],
  ['w', 'Why was it announced, or not?'],
  ['l', 'Lists'],
  ['a', 'Accounts'],
  ['s', 'Settings'],
  ['x', 'Sandbox'],
  ['?', 'Show these keys'],
] as const;

const PATHS: Readonly<Record<string, string>> = {
  o: '/overview',
  r: '/rules',
  d: '/deliveries',
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

/** Reads keys outside fields and dialogs. */
export function takeShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
    if (isTyping || ctrlKey || metaKey || altKey || defaultPrevented) return;
    const path = PATHS[key];
    if (key === '/') focusSearch(event);
    else if (key === '?') showKeys();
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

function showKeys(): void {
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = 'Keys';
  const list = document.createElement('dl');
  list.className = 'keys';
  for (const [key, text] of KEYS.filter(([name]) => isServed(PATHS[name]))) {
    const [term, description] = [document.createElement('dt'), document.createElement('dd')];
    term.append(Object.assign(document.createElement('kbd'), { textContent: key }));
    description.textContent = text;
    list.append(term, description);
  }
  const form = Object.assign(document.createElement('form'), { method: 'dialog' });
  const button = Object.assign(document.createElement('button'), { textContent: 'Close', autofocus: true });
  const buttons = Object.assign(document.createElement('p'), { className: 'actions' });
  buttons.append(button);
  form.append(list, buttons);
  dialog.append(form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
