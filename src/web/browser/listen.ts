import type { Language, Texts } from '../language.ts';
import { ApiProblem } from '../client/client.ts';
import { problemText } from '../views/texts/problems.ts';
import { call } from './call.ts';
import { element } from './element.ts';

/** Events within this time cause one request. */
const GATHER_MS = 500;
/** A view that the server needs long to read is read less often. */
const REST_FACTOR = 10;
/** The clock can count the sleep of the machine as the time of a request. */
const LONGEST_REST_MS = 60_000;
const RECONNECT_MS = 5000;
/** How often the page asks whether the server answers. A browser notices the end of a silent connection only after minutes, for example after a power failure. */
const CHECK_MS = 30_000;
const CHECK_LIMIT_MS = 20_000;

const TEXTS: Texts<{ readonly live: string; readonly notUpdated: string; readonly lost: string }> = {
  en: {
    live: 'Live',
    notUpdated: 'Not updated: Fanfare could not read it. The next event tries again.',
    lost: 'Connection lost, reconnecting…',
  },
  de: {
    live: 'Live',
    notUpdated: 'Nicht aktuell: Fanfare konnte es nicht lesen. Das nächste Ereignis versucht es noch einmal.',
    lost: 'Verbindung verloren, neuer Versuch…',
  },
};

interface ListenOptions {
  readonly kinds: readonly string[];
  /** The id of the last event that is in the document. */
  readonly after: string;
  readonly language: Language;
}

/** Asks for the data of a view again. */
interface Refreshing {
  /** After the rest that follows each answer. */
  readonly refresh: () => void;
  /** At once: the reader did something, and waits for the effect. */
  readonly refreshNow: () => void;
}

/** Calls `load` after events of these kinds and after each reconnection. */
export function listen({ kinds, after, language }: ListenOptions, load: () => Promise<void>): Refreshing {
  const t = TEXTS[language];
  const connection = element('connection');
  let source: EventSource | undefined;
  let isDue = false;
  let isLoading = false;
  let restMs = GATHER_MS;
  let isUrgent = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  /** Whether the next connection is the first one: it gets the events since the document was made. */
  let isFirst = true;
  let checking: ReturnType<typeof setTimeout> | undefined;

  function show(state: 'live' | 'lost', text: string): void {
    connection.dataset['state'] = state;
    if (connection.textContent !== text) connection.textContent = text;
  }

  function refresh(): void {
    if (isDue) return;
    isDue = true;
    runLater();
  }

  function refreshNow(): void {
    isDue = true;
    isUrgent = true;
    runLater();
  }

  function runLater(): void {
    // One request at a time, because an older answer must not overtake a newer one.
    if (isLoading) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => void run(), isUrgent ? 0 : restMs);
  }

  async function run(): Promise<void> {
    isDue = false;
    isUrgent = false;
    isLoading = true;
    const beganMs = performance.now();
    try {
      await load();
      show('live', t.live);
    } catch (error) {
      show('lost', signedOutText(error) ?? t.notUpdated);
    }
    restMs = Math.min(LONGEST_REST_MS, Math.max(GATHER_MS, REST_FACTOR * (performance.now() - beganMs)));
    isLoading = false;
    if (isDue) runLater();
  }

  function checkLater(): void {
    clearTimeout(checking);
    checking = setTimeout(() => void check(), CHECK_MS);
  }

  /**
   * Connects again if the server does not answer. This path needs neither a session nor the database. A proxy can block it or redirect it to
   * its own sign-in, so only the status of a failure counts as no answer.
   */
  async function check(): Promise<void> {
    if (document.hidden) return;
    const request = globalThis.fetch('/healthz', { redirect: 'manual', signal: AbortSignal.timeout(CHECK_LIMIT_MS) });
    const isAnswered = await request.then(
      ({ status }) => status < 500,
      () => false,
    );
    if (isAnswered || document.hidden) return checkLater();
    show('lost', t.lost);
    connect();
  }

  function connect(): void {
    checkLater();
    source?.close();
    source = new EventSource(`/api/events${isFirst ? `?after=${after}` : ''}`);
    source.addEventListener('open', () => {
      show('live', t.live);
      checkLater();
      if (!isFirst) refresh();
      isFirst = false;
    });
    source.addEventListener('error', () => {
      isFirst = false;
      if (source?.readyState !== EventSource.CLOSED) return show('lost', t.lost);
      void showRefusal(source);
      // The browser does not reconnect a closed event source.
      setTimeout(() => document.hidden || connect(), RECONNECT_MS);
    });
    for (const kind of [...kinds, 'reset']) source.addEventListener(kind, refresh);
  }

  /** Shows why the server refused the connection, which an event source does not know. */
  async function showRefusal(refused: EventSource): Promise<void> {
    const text = await call('getSession', {}).then(() => undefined, signedOutText);
    if (source === refused) show('lost', text ?? t.lost);
  }

  function signedOutText(error: unknown): string | undefined {
    const isSignedOut = error instanceof ApiProblem && error.problem.code === 'unauthenticated';
    return isSignedOut ? problemText(error.problem, language).text : undefined;
  }

  connect();
  // A hidden page closes its connection, because browsers limit connections for each server.
  document.addEventListener('visibilitychange', () => {
    isFirst = false;
    source?.close();
    if (!document.hidden) connect();
  });
  return { refresh, refreshNow };
}
