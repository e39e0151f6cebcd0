// @ts-check

/**
 * Updates the demonstration: the script receives events, loads the changed parts, and replaces only what differs, so that nothing
 * flickers and the scroll position stays. Without the script, the page is complete, too.
 */

/** Events within this time cause one request for a part. */
const GATHER_MS = 250;
const RECONNECT_MS = 5000;
/** After this time, a request counts as one without an answer. */
const LIMIT_MS = 60_000;
/** The interval at which all parts are loaded without an event, because some content changes without one. */
const REFRESH_MS = 15_000;

const news = element('news');
const connection = element('connection');
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** The difference between the clock of the server and the clock of this machine. The page was written when it arrived; this script may load later. */
const aheadMs = Date.parse(document.body.dataset['now'] ?? '') - arrivedAtMs();

/* Times */

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const language = document.documentElement.lang === 'de' ? 'de' : 'en';
const TEXTS = {
  en: { now: 'now', live: 'Live', lost: 'Connection lost, reconnecting…', ended: 'Your session has ended. Sign in again.' },
  de: {
    now: 'jetzt',
    live: 'Live',
    lost: 'Verbindung verloren, neuer Versuch…',
    ended: 'Die Anmeldung ist abgelaufen. Noch einmal anmelden.',
  },
};
const texts = TEXTS[language];
// In German, the narrow style writes minutes as meters.
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always', style: language === 'de' ? 'short' : 'narrow' });
/** @type {readonly [Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

function arrivedAtMs() {
  const [page] = performance.getEntriesByType('navigation');
  return page instanceof PerformanceNavigationTiming ? performance.timeOrigin + page.responseStart : Date.now();
}

/** @param {number} atMs */
function toRelative(atMs) {
  const seconds = Math.trunc((atMs - Date.now() - aheadMs) / 1000);
  if (seconds <= 0 && seconds > -10) return texts.now;
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  // Past instants count in tens of seconds, because many running seconds would distract.
  const whole = unit === 'second' && seconds < 0 ? Math.ceil(seconds / 10) * 10 : Math.trunc(seconds / size);
  return relative.format(whole, unit);
}

/**
 * Replaces each time in `root` by the time since then; the absolute time moves into the title.
 *
 * @param {ParentNode} root
 */
function showTimes(root) {
  for (const time of root.querySelectorAll('time')) {
    const atMs = Date.parse(time.dateTime);
    const text = toRelative(atMs);
    if (time.textContent !== text) time.textContent = text;
    const title = absolute.format(atMs);
    if (time.title !== title) time.title = title;
  }
}

/* Updating a part */

/**
 * Makes `current` equal to `next` and changes only what differs.
 *
 * @param {Element} current
 * @param {Element} next
 */
function update(current, next) {
  // The reader opened the text behind a content warning, which the server does not know.
  if (current instanceof HTMLDetailsElement && current.open) next.setAttribute('open', '');
  if (current.isEqualNode(next)) return;
  for (const { name } of [...current.attributes]) if (!next.hasAttribute(name)) current.removeAttribute(name);
  for (const { name, value } of next.attributes) if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  updateChildren(current, next);
}

/**
 * Entries with a key keep their element when they move. Other nodes are compared by position.
 *
 * @param {Element} current
 * @param {Element} next
 */
function updateChildren(current, next) {
  const wanted = [...next.childNodes];
  const keys = new Set(wanted.map(keyOf));
  /** @type {Map<string, ChildNode>} */
  const known = new Map();
  for (const child of [...current.childNodes]) {
    const key = keyOf(child);
    if (key === undefined) continue;
    if (keys.has(key)) known.set(key, child);
    else child.remove();
  }

  let here = current.firstChild;
  for (const child of wanted) {
    const key = keyOf(child);
    const old = key === undefined ? sameKind(here, child) : known.get(key);
    if (old === undefined) {
      current.insertBefore(child, here);
      if (child instanceof HTMLElement && key !== undefined) highlight(child);
      continue;
    }
    if (old === here) here = here.nextSibling;
    else current.insertBefore(old, here);
    if (old instanceof Element && child instanceof Element) update(old, child);
    else if (old.nodeValue !== child.nodeValue) old.nodeValue = child.nodeValue;
  }
  while (here) {
    const rest = here.nextSibling;
    here.remove();
    here = rest;
  }
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof HTMLElement ? node.dataset['key'] : undefined;
}

/**
 * @param {ChildNode | null} old
 * @param {ChildNode} next
 */
function sameKind(old, next) {
  return old && keyOf(old) === undefined && old.nodeName === next.nodeName ? old : undefined;
}

/**
 * Highlights a new entry for a moment, and announces it to screen readers if it has a text for them.
 *
 * @param {HTMLElement} entry
 */
function highlight(entry) {
  if (!still.matches) {
    const light = getComputedStyle(entry).getPropertyValue('--fresh');
    entry.animate([{ backgroundColor: light, opacity: 0 }, { backgroundColor: light, opacity: 1, offset: 0.15 }, {}], 3000);
  }
  if (entry.dataset['say']) news.textContent = entry.dataset['say'];
}

/* Loading parts */

/** @type {NodeListOf<HTMLElement>} */
const parts = document.querySelectorAll('[data-refresh]');
/** Parts that will be loaded. @type {Set<string>} */
const due = new Set();
/** Parts that are being loaded. @type {Map<string, Promise<void>>} */
const asked = new Map();

/** @param {HTMLElement} part */
function kindsOf(part) {
  return (part.dataset['refresh'] ?? '').split(' ');
}

function refreshAll() {
  for (const part of parts) void refreshSoon(part);
}

/** @param {HTMLElement} part */
async function refreshSoon(part) {
  if (due.has(part.id)) return;
  due.add(part.id);
  await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  // One request at a time, because an older answer must not overtake a newer one.
  await asked.get(part.id);
  due.delete(part.id);
  asked.set(part.id, refresh(part));
}

/** @param {HTMLElement} part */
async function refresh(part) {
  try {
    const answer = await fetch(`/demo/${part.id}`, { signal: AbortSignal.timeout(LIMIT_MS) });
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(part.id);
    if (!next) return;
    showTimes(next);
    update(part, next);
  } catch {
    // The server is unreachable. All parts load again when the event stream reconnects.
  }
}

/* Events */

/** @type {EventSource | undefined} */
let source;

function listen() {
  source?.close();
  source = new EventSource('/api/events');
  source.addEventListener('open', () => {
    showConnection('live', texts.live);
    refreshAll();
  });
  source.addEventListener('error', () => {
    if (source?.readyState !== EventSource.CLOSED) return showConnection('lost', texts.lost);
    void showRefusal(source);
    // The browser does not reconnect a closed event source.
    setTimeout(() => document.hidden || listen(), RECONNECT_MS);
  });
  for (const kind of new Set([...parts].flatMap(kindsOf))) {
    source.addEventListener(kind, () => {
      for (const part of parts) if (kindsOf(part).includes(kind)) void refreshSoon(part);
    });
  }
}

/**
 * Shows why the server refused the connection, which an event source does not know.
 *
 * @param {EventSource} refused
 */
async function showRefusal(refused) {
  const answer = await fetch('/api/session', { signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => undefined);
  if (source === refused) showConnection('lost', answer?.status === 401 ? texts.ended : texts.lost);
}

/**
 * @param {string} state
 * @param {string} text
 */
function showConnection(state, text) {
  connection.dataset['state'] = state;
  if (connection.textContent !== text) connection.textContent = text;
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
}

showTimes(document);
setInterval(() => document.hidden || showTimes(document), 1000);
setInterval(() => document.hidden || refreshAll(), REFRESH_MS);
listen();
// A hidden page closes its connection, because browsers limit connections for each server.
document.addEventListener('visibilitychange', () => {
  source?.close();
  if (!document.hidden) listen();
});
