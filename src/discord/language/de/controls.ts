import type { Words } from '../words.ts';
import { ofCase } from './case-words.ts';
import { outcomes } from './outcomes.ts';
import { previewing } from './previewing.ts';

/** Wo eine Zahl vor einem Wort steht. */
const ONE = '1';

/** Die Befehle derer, die die Regeln betreuen. */
export const controls: Words['controls'] = {
  outcomes,
  states: {
    pending: 'wartet',
    sending: 'unterwegs',
    asked: 'gefragt',
    sent: 'gesendet',
    failed: 'fehlgeschlagen',
    unknown: 'ungewiss',
    skipped: 'nicht gesendet',
  },
  rules: { name: 'regeln', description: 'Sehen, was die Regeln tun, und sie steuern' },
  list: { name: 'liste', description: 'Alle Regeln, die laufenden zuerst' },
  show: { name: 'zeigen', description: 'Was eine Regel tut, wann, und was das kostet' },
  why: { name: 'warum', description: 'Was eine Regel zuletzt entschieden hat und warum' },
  pause: { name: 'anhalten', description: 'Eine Regel sagt nichts mehr, bis sie fortgesetzt wird' },
  resume: { name: 'fortsetzen', description: 'Eine angehaltene Regel spricht wieder, auch nach ausgelöster Sicherung' },
  run: { name: 'ausführen', description: 'Eine Regel jetzt ausführen; was dabei herauskommt, wird wirklich gesendet' },
  preview: { name: 'vorschau', description: 'Was eine Regel jetzt sagen würde; nichts wird gesendet' },
  test: { name: 'testen', description: 'Die Tests neben der Datei einer Regel laufen lassen' },
  deliveries: { name: 'zustellungen', description: 'Was gesendet wurde und was nicht: Fehlgeschlagenes und Ungewisses zuerst' },
  resolve: { name: 'klären', description: 'Sagen, was aus einer ungewissen Zustellung geworden ist' },
  status: { name: 'status', description: 'Wie es dem Bot geht: Konten, Regeln, Zustellungen, Speicher' },
  whyMessage: 'Warum?',
  options: {
    rule: { name: 'regel', description: 'Welche Regel' },
    item: { name: 'eintrag', description: 'Nur was hierüber entschieden wurde' },
    public: { name: 'öffentlich', description: 'Ob alle im Kanal die Antwort sehen' },
    state: { name: 'zustand', description: 'Nur die in diesem Zustand' },
    delivery: { name: 'zustellung', description: 'Welche Zustellung' },
    outcome: { name: 'ergebnis', description: 'Was daraus geworden ist' },
  },
  wordSent: 'Sie ist angekommen',
  wordAgain: 'Sie fehlt: noch einmal senden',

  buttons: {
    first: 'Anfang',
    back: 'Zurück',
    next: 'Weiter',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    why: 'Warum?',
    preview: 'Vorschau',
    show: 'Regel zeigen',
    run: 'Jetzt ausführen',
    leave: 'Lassen',
  },

  errors: {
    noRule: (typed) => `Es gibt keine Regel „${typed}“. Wähle eine aus der Liste, die beim Tippen erscheint.`,
    manyRules: (name, some) => `„${name}“ steht für mehrere Regeln. Wähle eine davon: ${some}.`,
    noRules: 'Es gibt noch keine Regeln: Lege eine YAML-Datei in den Ordner der Regeln.',
    noDelivery: 'Diese Zustellung gibt es nicht mehr. Welche es gibt, zeigt `/zustellungen`.',
    notUnknown: (state) => `Zu dieser Zustellung muss niemand etwas sagen, ihr Zustand ist: ${state}.`,
    notOn: (rule) => `${rule} ist aus und kann deshalb nicht ausgeführt werden. Eingeschaltet wird sie in ihrer Datei mit „enabled: true“.`,
    runPassed: 'Diese Frage ist erledigt: Sie wurde beantwortet, oder der Bot wurde neu gestartet. Gib den Befehl noch einmal ein.',
    notRun: (rule) => `${rule} konnte nicht ausgeführt werden; der Grund steht im Protokoll des Bots.`,
  },

  rule: {
    on: 'an',
    off: 'aus',
    offInSandbox: 'läuft nur in der Sandbox',
    broken: 'kaputt',
    asBefore: 'an, so wie vor dem Fehler in ihrer Datei',
    pausedBy: (by, when) => `von ${by} angehalten, ${when}`,
    blown: (when) => `angehalten: Ihre Sicherung hat ausgelöst, ${when}`,
    next: (when) => `läuft wieder ${when}`,
    never: 'läuft nicht mehr',
    every: (time) => `alle ${time}`,
    cron: (cron, zone) => `nach \`${cron}\` (${zone})`,
    once: (when) => `einmal, ${when}`,
    nothingYet: 'hat noch nichts entschieden',
  },

  listing: {
    title: (count) => `Regeln: ${count}`,
    page: (page, pages) => `Seite ${page} von ${pages}`,
  },

  card: {
    when: 'Wann',
    nextRuns: (runs) => `als Nächstes: ${runs}`,
    watches: 'Beobachtet',
    watched: (what, accounts) => `${what} über ${accounts}`,
    nothingWatched: 'Nichts: Sie spricht zu ihren Zeiten.',
    does: 'Tut',
    sections: { happens: 'wenn es passiert', lasts: 'solange es dauert', ends: 'am Ende', collected: 'nach der Ruhezeit' },
    step: (verb, accounts) => `${verb} über ${accounts}`,
    waits: (time) => `nach ${time}`,
    cost: 'Kostet',
    requests: (count) => `${count} ${count === ONE ? 'Anfrage' : 'Anfragen'} pro Minute`,
    free: 'keine Anfragen',
    shared: (count) => (count === ONE ? 'gemeinsam mit einer anderen Regel' : `gemeinsam mit ${count} anderen Regeln`),
    account: (account, used, allowed) =>
      allowed === undefined
        ? `alle Regeln zusammen fragen ${account} ${used} Mal pro Minute`
        : `alle Regeln zusammen fragen ${account} ${used} Mal pro Minute, ${allowed} sind erlaubt`,
    holds: 'Hält sie zurück',
    quiet: (from, to, zone) => `Ruhezeit ${from}–${to} (${zone})`,
    quietNow: (until) => `jetzt, bis ${until}`,
    cooldownItem: (time) => `je Eintrag höchstens einmal in ${time}`,
    cooldownRule: (time) => `höchstens einmal in ${time}`,
    fuse: (firings, time) => `Sicherung bei ${firings} Meldungen in ${time}`,
    open: 'Verfolgt gerade',
    follows: (count) => `${count}, zuletzt:`,
    follow: (name, since) => `${name}, begonnen ${since}`,
    nobody: 'niemanden',
    problems: 'Fehler in ihrer Datei',
    deliveries: 'Nicht gesendet oder ungewiss',
    last: 'Zuletzt entschieden',
  },

  reasons: {
    title: (rule) => `Warum: ${rule}`,
    none: 'Bisher wurde nichts entschieden.',
    noneAbout: (item) => `Über ${item} ist keine Entscheidung mehr vermerkt.`,
    kept: 'Von jeder Art werden die letzten 50 Entscheidungen aufgehoben.',
  },

  paused: (rules) =>
    `${rules}: sagt nichts mehr, bis sie fortgesetzt wird. Was offen ist, wird weiter bearbeitet; was gerade gesagt werden sollte, entfällt.`,
  pausedAlready: (rule) => `${rule} war schon angehalten.`,
  resumed: (rules) => `${rules}: spricht wieder. Was inzwischen passiert ist, wird nicht nachgeholt.`,
  notPaused: (rule) => `${rule} ist nicht angehalten.`,

  running: {
    question: (rule) => `**${rule} jetzt ausführen?** Sie schaut sofort nach, und was dabei herauskommt, wird wirklich gesendet.`,
    speaks: (where) => `Sie kann über ${where} sprechen.`,
    paused: 'Sie ist angehalten: Sie schaut nach und sagt nichts.',
    at: 'Sie wird ausgeführt …',
    left: 'Sie wurde nicht ausgeführt.',
    done: (rule, steps) => `**${rule} wurde ausgeführt.** Schritte, die jetzt rausgehen: ${steps}.`,
    more: (count) => `… und ${count} weitere Entscheidungen: \`/regeln warum\``,
  },

  previewing,

  testing: {
    title: (rule) => `Tests: ${rule}`,
    passed: (count) => `${count} bestanden`,
    failed: (count) => `${count} fehlgeschlagen`,
    none: 'Neben ihrer Datei liegen keine Tests.',
    broken: 'Ihre Tests können nicht gelesen werden:',
    first: 'Der erste, der fehlschlug:',
    ofCase,
  },

  delivering: {
    title: 'Zustellungen',
    none: 'Es gibt keine.',
    post: (by) => `Post von ${by}`,
    attempts: (count) => `${count} Versuche`,
    edited: (count, last) => `${count}-mal geändert, zuletzt ${last}`,
    open: 'öffnen',
    unknown: 'Niemand weiß, ob das gesendet wurde: Sieh dort nach, dann sag es.',
    isSent: (what) => `${what}: gilt als gesendet.`,
    isAgain: (what) => `${what}: wird noch einmal gesendet.`,
    pick: 'Wähle eine, um zu sagen, was daraus geworden ist …',
  },

  health: {
    title: 'Status',
    accounts: 'Konten',
    connected: 'verbunden',
    connecting: 'verbindet sich',
    failed: 'nicht verbunden',
    rules: 'Regeln',
    ruleCounts: (on, paused, broken) =>
      `${on} laufen, davon ${paused} angehalten; ${broken} ${broken === ONE ? 'Datei' : 'Dateien'} mit Fehlern`,
    deliveries: 'Zustellungen',
    deliveryCounts: (open, failed, unknown) => `${open} offen, ${failed} fehlgeschlagen, ${unknown} ungewiss`,
    lag: 'Verzögerung',
    lags: (usual, longest, count) => `meist ${usual}, höchstens ${longest} (die letzten ${count})`,
    noLag: 'noch wurde nichts gesendet',
    process: 'Prozess',
    memory: (megabytes) => `${megabytes} MB`,
    since: (when) => `läuft seit ${when}`,
    gateway: 'Discord',
    gatewayLag: (time) => `antwortet in ${time}`,
    noGateway: 'Befehle kommen über HTTP',
  },

  message: {
    rule: 'Regel',
    written: 'Geschrieben',
    lastChange: 'Zuletzt geändert',
    why: 'Warum',
    lag: 'Verzögerung',
    step: (name, verb, account) => `${name}: ${verb} über ${account}`,
    seen: (slot, sent) => `gesehen ${slot}, hier ${sent}`,
    took: (time) => `${time} vom Nachsehen bis zur Nachricht`,
    began: (when, time) => `worum es geht, begann ${when}: gesehen ${time} später`,
    waited: 'eine Wartezeit der Regel davor ist nicht mitgezählt',
    edits: 'Änderungen',
    edited: (count, when) => `${count} vermerkt, die letzte ${when}`,
    keepsUp: 'Sie hält die Nachricht aktuell.',
    forgotten: 'Die Entscheidung ist nicht mehr vermerkt: Von jeder Regel werden die letzten 50 aufgehoben.',
    isGone: 'Diese Regel gibt es nicht mehr.',
    byPerson: (person) => `Das hat keine Regel geschrieben, sondern ${person}.`,
    byPost: (by, when) => `Das hat keine Regel geschrieben: ${by} hat es posten lassen, ${when}.`,
    byAssistant: 'Das hat keine Regel geschrieben: Es ist eine Antwort des Assistenten.',
    byCommand: (person) => `Das hat keine Regel geschrieben: Es ist die Antwort auf einen Befehl von ${person}.`,
    byBot: 'Das hat keine Regel geschrieben, soweit bekannt: Was gesendet wurde, bleibt 90 Tage vermerkt.',
  },

  stepPlace: (section, place) => `${section === 'then' ? '' : `${section}: `}Schritt ${place}`,

  more: (count) => `… und ${count} weitere`,
};
