import type { Texts } from '../texts.ts';

/** The assistant. */
export const assistant: Texts['assistant'] = {
  ask: { name: 'frag', description: 'Den Assistenten fragen; er erinnert sich an deine Fragen hier' },
  text: { name: 'text', description: 'Deine Frage' },
  hidden: { name: 'privat', description: 'Nur du siehst die Antwort' },
  newConversation: { name: 'neu', description: 'Ein neues Gespräch beginnen' },
  conversation: { name: 'gespräch', description: 'Dein Gespräch mit dem Assistenten hier' },
  history: { name: 'verlauf', description: 'Das Gespräch zeigen; nur du siehst es' },
  forget: { name: 'vergiss', description: 'Den Assistenten das Gespräch vergessen lassen' },
  all: { name: 'alle', description: 'Alle Gespräche, die du auf diesem Server begonnen hast' },
  hiddenOne: { name: 'privat', description: 'Dein privates Gespräch' },

  lookingAt: {
    streaming: 'Schaut nach den Streams …',
    social: 'Schaut nach Posts …',
    draft: 'Schreibt einen Entwurf …',
    other: 'Schaut etwas nach …',
  },
  brokenOff: (why) => `Hier bricht die Antwort ab. ${why}`,
  restIsInHistory: 'Die Antwort ist zu lang für Discord. `/gespräch verlauf` zeigt sie vollständig.',
  nothingAsked: 'Gib eine Frage ein.',
  noAnswer: 'Darauf habe ich keine Antwort.',
  draftBelow: 'Hier ist ein Entwurf. Nichts passiert, bevor ein Mitglied ihn freigibt.',
  interrupted: 'Der Bot wurde während der Antwort neu gestartet. Frag noch einmal.',

  tooMuchByYou: (again) =>
    again === undefined
      ? 'Zurzeit kann niemand den Assistenten fragen.'
      : `Du hast dein Kontingent aufgebraucht. Du kannst ${again} wieder fragen.`,
  tooMuchHere: (again) =>
    again === undefined
      ? 'Zurzeit kann hier niemand den Assistenten fragen.'
      : `Dieser Server hat sein Kontingent aufgebraucht. Du kannst ${again} wieder fragen.`,
  tooMuchForAll: (again) =>
    again === undefined
      ? 'Zurzeit kann niemand den Assistenten fragen.'
      : `Das Kontingent des Assistenten für alle Server ist aufgebraucht. Du kannst ${again} wieder fragen.`,
  waitedTooLong: 'Die früheren Antworten haben zu lange gedauert. Frag noch einmal.',
  tooLong: 'Dieses Gespräch ist zu lang. Beginne ein neues: `/frag` mit `neu: True`.',

  goOn: 'In einem Thread fortsetzen',
  threadOf: 'Gespräch',
  threadOpened: (thread) => `Weiter geht es in ${thread}.`,
  threadIsThere: (thread) => `Es gibt schon einen Thread: ${thread}`,
  threadBegins: 'Nachrichten hier setzen das Gespräch fort. Du musst nicht auf „Antworten“ klicken.',
  threadBeginsWithMentions: 'Erwähne mich hier in einer Nachricht, um das Gespräch fortzusetzen.',
  threadNeedsPermission:
    'Dir fehlt in diesem Kanal die Berechtigung „Öffentliche Threads erstellen“. Die Moderation des Servers kann sie vergeben.',
  threadForbidden:
    'Der Bot kann hier keine Threads erstellen. Er braucht „Öffentliche Threads erstellen“ und „Nachrichten in Threads senden“.',

  noHistory: 'Der Assistent erinnert sich hier an keine Frage von dir.',
  asked: 'Gefragt',
  answered: 'Geantwortet',
  wholeHistory: 'Das ganze Gespräch steht in der Datei.',
  forgotten:
    'Das Gespräch und seine offenen Entwürfe sind gelöscht. Mit deiner nächsten Frage hier beginnt ein neues. Die Nachrichten im Kanal bleiben.',
  forgottenAll: (count) =>
    `${count === 1 ? 'Dein Gespräch' : `Deine ${count} Gespräche`} auf diesem Server und die offenen Entwürfe sind gelöscht. Die Nachrichten in den Kanälen bleiben, ebenso Fragen in Gesprächen, die andere begonnen haben.`,
  noConversations: 'Der Assistent erinnert sich an kein Gespräch von dir auf diesem Server.',
  forgottenMeanwhile: 'Das Gespräch wurde gelöscht. Frag noch einmal, um ein neues zu beginnen.',
  leftOnly: (owner) =>
    `Du hast das Gespräch verlassen. Mit deiner nächsten Frage beginnt ein neues. Das bisherige können nur ${owner} (hat es begonnen) und Operatoren löschen.`,
  notYours: (owner) =>
    `Es wurde nichts gelöscht, denn alle hier teilen sich das Gespräch. Löschen können es nur ${owner} (hat es begonnen) und Operatoren. \`/frag\` mit \`neu: True\` beginnt für alle ein neues.`,

  draft: {
    post: 'Ein Post, noch nicht gesendet',
    rule: (id) => `Eine Regel, die noch nicht läuft: ${id}`,
    decidedPost: 'Ein Post',
    decidedRule: (id) => `Eine Regel: ${id}`,
    by: (person) => `Angefordert von ${person}`,
    length: (length, most) => (most === undefined ? `${length} Zeichen` : `${length} von ${most} Zeichen`),
    thread: (posts) => `ein Thread aus ${posts} Posts`,
    empty: 'leer',
    tooLong: 'zu lang',
    schedule: 'Sie läuft',
    watches: 'Sie beobachtet',
    does: 'Schritte',
    first: 'Bei einem neuen Eintrag',
    during: 'Solange es dauert',
    after: 'Wenn es vorbei ist',
    cut: 'Der Rest steht in der Datei.',
    tests: 'Alle Tests der Regel sind erfolgreich.',
    approve: 'Freigeben',
    drop: 'Verwerfen',
    asFile: 'Als Datei zeigen',
    refresh: 'Aktualisieren',
    approved: (person) => `Freigegeben von ${person}`,
    dropped: (person) => `Verworfen von ${person}`,
    runs: (file) => `Die Regel ist an: ${file}`,
    sending: 'Er wird gerade gesendet.',
    sent: (account, link) => `${account}: ${link}`,
    notSent: (account, why) => `${account}: nicht gesendet. ${why}`,
    waits: (account) => `${account}: wird gesendet`,
    alreadyApproved: (person) => `${person} hat den Entwurf bereits freigegeben.`,
    alreadyDropped: (person) => `${person} hat den Entwurf bereits verworfen.`,
    gone: 'Dieser Entwurf wurde gelöscht, weil er zu alt war oder sein Gespräch gelöscht wurde. Bitte den Assistenten um einen neuen.',
    needsPost: 'Nur Mitglieder, die posten dürfen, können diesen Entwurf freigeben oder verwerfen.',
    needsOperate: 'Nur Operatoren können diesen Entwurf freigeben oder verwerfen.',
    needsBoth: 'Diese Regel postet mit Konten des Bots. Nur Operatoren, die auch posten dürfen, können sie freigeben.',
    refused: (why) => `Dieser Entwurf kann nicht freigegeben werden: ${why}`,
    reasons: {
      check: (lines) => `Mit den aktuellen Konten und Regeln kann die Regel nicht laufen. ${lines}`,
      tests: (lines) => `Die Tests der Regel schlagen fehl. ${lines}`,
      switched: 'Die Regel setzt „enabled“. Nur Operatoren schalten Regeln ein oder aus.',
      files: 'Die Regel hängt Dateien von dem Rechner an, auf dem der Bot läuft.',
      restricted:
        'Die Regel liest Posts, die nicht alle lesen können (`include`, `audience`). Eine solche Regel muss ein Operator schreiben.',
      reserved: {
        roles: 'Die Regel ändert Rollen von Mitgliedern. Eine solche Regel muss ein Operator schreiben.',
        deletes: 'Die Regel löscht etwas. Eine solche Regel muss ein Operator schreiben.',
        everyone: 'Die Regel kann alle anpingen. Eine solche Regel muss ein Operator schreiben.',
      },
      withheld: (verb) => `Die Regel liest ${verb}, und das ist nicht für alle sichtbar. Eine solche Regel muss ein Operator schreiben.`,
      taken: (rule) => `Die Regel ${rule} gibt es schon. Bitte um einen Entwurf mit einer anderen ID.`,
      unwritten: (file) => `Die Datei ${file} kann nicht in den Regelordner geschrieben werden. Der Grund steht im Protokoll des Bots.`,
      noAccount: 'Es gibt kein Konto, das posten kann.',
      empty: (account) => `${account}: Der Post ist leer.`,
      tooLong: (account) => `${account}: Der Post ist zu lang, auch für einen Thread.`,
      unfit: (account, why) => `${account}: Die Plattform würde den Post ablehnen (${why}).`,
    },
  },
};
